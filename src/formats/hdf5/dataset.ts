/** A dataset as an array of Zarr: its metadata, and where its chunks are. */
import { finding, type Finding } from "#core/findings/finding.ts";
import { writeVariable } from "#core/values/variable-elements.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { fileFill, quotedNumber } from "#core/values/file-fill.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { columnsWriter, MAX_STRINGS } from "#core/source-file.ts";
import type { ChunkColumns, PaddedString, SourceArray } from "#core/source-file.ts";
import { at, CHUNK, Cursor, type Hdf5File, type Inflate } from "./hdf5-file.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { listChunks } from "./chunk-index.ts";
import { complexPart, isBoolean, numpyType, product, readDatatype, unpadded } from "./datatype.ts";
import type { Datatype, NumpyType } from "./datatype.ts";
import { type Encoding, encodingOf, HDF5_SHUFFLE } from "./filters.ts";
import { type Layout, readFill, readFilters, readLayout, readSpace, type Space } from "./messages.ts";
import type { Hdf5Object, Objects } from "./objects.ts";
import { MESSAGE } from "./object-header.ts";
import { elementTexts, type GlobalHeap, hasTexts, nested, numberText } from "./values.ts";

export interface Hdf5Options {
  readonly inflate: Inflate;
  /** Undoes filters, given as `.zarray` has them: for values that no reference can point at. */
  readonly decode: (filters: readonly string[], stored: Uint8Array) => Promise<Uint8Array>;
}

/** Context that all datasets of a file are read in. */
export interface Around {
  readonly file: Hdf5File;
  readonly heap: GlobalHeap;
  readonly objects: Objects;
  readonly decode: Hdf5Options["decode"];
  /** Added to. */
  readonly findings: Finding[];
  /** Paths by netCDF's number. */
  readonly dimensions: ReadonlyMap<string, string>;
}

/** `shape`: of a variable of netCDF-4 its dimensions', which may be longer than the dataset. */
type Named = Pick<SourceArray, "path" | "attributes" | "dimensions" | "shape">;

interface Dataset {
  readonly type: Datatype;
  readonly space: Space & { readonly shape: readonly number[] };
  readonly layout: Layout;
  readonly encoding: Encoding;
  readonly fill: Uint8Array | undefined;
  /** Its values lie in other files. */
  readonly isExternal: boolean;
}

const NO_CHUNKS: ChunkColumns = columnsWriter(0).columns();

export async function zarrArray(around: Around, object: Hdf5Object, named: Named): Promise<SourceArray | undefined> {
  const { findings } = around;
  const place = nodeAt(named.path);
  const dataset = readDataset(around.file, object);
  if (dataset === undefined) {
    findings.push(finding("hdf5-no-space", place, {}));
    return undefined;
  }
  const { type, layout, encoding, isExternal } = dataset;
  if (isExternal || layout.kind === "virtual") {
    findings.push(finding("hdf5-elsewhere", place, { how: isExternal ? "external" : "virtual" }));
    return undefined;
  }
  if (encoding.unknown !== undefined) {
    findings.push(finding("hdf5-filter-unknown", place, { filter: encoding.unknown }));
    return undefined;
  }
  const numpy = numpyType(type);
  return numpy === undefined ? inlined(around, dataset, named) : referenced(around, dataset, named, numpy);
}

function readDataset(file: Hdf5File, { messages }: Hdf5Object): Dataset | undefined {
  const fields = (type: number, kind: string): Cursor | undefined => {
    const message = messages.get(type);
    return message && new Cursor(file, kind, message.offset, message.body);
  };
  const [typed, spaced, laid] = [
    fields(MESSAGE.datatype, "datatype"),
    fields(MESSAGE.dataspace, "dataspace"),
    fields(MESSAGE.layout, "data layout"),
  ];
  if (laid === undefined) return undefined;
  if (typed === undefined || spaced === undefined) return laid.fail("a datatype and a dataspace beside it", "none");
  const type = readDatatype(typed);
  const { shape, most } = readSpace(spaced, file.L);
  if (shape === undefined) return undefined;
  const filters = fields(MESSAGE.filters, "filter pipeline");
  const layout = readLayout(laid, file);
  const chunkBytes = layout.kind === "chunked" ? product(layout.chunks) * type.size : 0;
  const [filled, old] = [fields(MESSAGE.fill, "fill value"), fields(MESSAGE.oldFill, "fill value")];
  return {
    type,
    space: { shape, most },
    layout,
    encoding: encodingOf(filters === undefined ? [] : readFilters(filters), type.size, chunkBytes),
    fill: filled === undefined ? old && readFill(old, true) : readFill(filled, false),
    isExternal: messages.has(MESSAGE.external),
  };
}

async function referenced(
  around: Around,
  dataset: Dataset,
  named: Named,
  { dtype, inner, bits }: NumpyType,
): Promise<SourceArray> {
  const { space, layout, encoding } = dataset;
  const chunks = layout.kind === "chunked" ? layout.chunks : space.shape.map((size) => Math.max(1, size));
  const inline = new Map<number, Uint8Array>();
  if (layout.kind === "compact" && product(space.shape) > 0) inline.set(0, layout.bytes);
  const { references, codecs, ...declared } = withoutUnused(
    await referencesOf(around, dataset, named.shape),
    encoding.codecs,
  );
  // The list of codecs decides about skipped filters; the bits stay for a reader of the array, which knows its type.
  if (bits !== undefined) references.skipped?.forEach((one, chunk, all) => (all[chunk] = one === 0 ? 0 : one * 2 + 1));
  const isWhole = references.count + inline.size >= product(gridOf(named.shape, chunks));
  const padding = paddingOf(dataset.type);
  const array = {
    path: named.path,
    dimensions: [...named.dimensions, ...inner.map((_, axis) => `phony_dim_${space.shape.length + axis}`)],
    shape: [...named.shape, ...inner],
    chunks: [...chunks, ...inner],
    dtype,
    ...fillOf(around, dataset, named, isWhole),
    filters: bits === undefined ? codecs : [JSON.stringify({ id: "hdf5_bits", ...bits }), ...codecs],
    ...declared,
    ...(padding.strings.length === 0 ? {} : { padding }),
    references,
    inline,
  };
  noteKerchunk(around, dataset, array);
  return array;
}

function paddingOf(type: Datatype): NonNullable<SourceArray["padding"]> {
  // An array in each element adds dimensions to the dataset's: its own elements are those of the array read.
  if (type.kind === "array") return paddingOf(type.base);
  const strings: PaddedString[] = [];
  for (const one of paddedStrings(type, 0)) if (strings.push(one) > MAX_STRINGS) break;
  return { bytes: type.size, strings };
}

/** `at`: where the type begins, in bytes. */
function* paddedStrings(type: Datatype, at: number): Generator<PaddedString> {
  if (type.kind === "compound") for (const one of type.members) yield* paddedStrings(one.type, at + one.offset);
  if (type.kind === "string" && type.padding !== "zero" && type.size > 1)
    yield { kind: type.padding, at, bytes: type.size };
  if (type.kind !== "array") return;
  const size = type.base.size;
  // Nothing is gone through twice that has no such strings.
  if (paddedStrings(type.base, at).next().done === true) return;
  for (let item = 0; item < product(type.shape); item += 1) yield* paddedStrings(type.base, at + item * size);
}

const gridOf = (shape: readonly number[], chunks: readonly number[]): readonly number[] =>
  shape.map((size, axis) => Math.ceil(size / (chunks[axis] as number)));

/** `shape`: of the array, whose grid may be larger than the dataset's. */
async function referencesOf(
  { file }: Around,
  { layout, space, encoding }: Dataset,
  shape: readonly number[],
): Promise<ChunkColumns> {
  if (layout.kind === "contiguous") {
    const writer = columnsWriter(1);
    const { address, length } = layout;
    if (address !== undefined && product(space.shape) > 0) writer.add(0, file.base + address, length);
    return writer.columns();
  }
  if (layout.kind !== "chunked") return NO_CHUNKS;
  const listed = await listChunks(file, layout, space);
  const skipped = skippedFilters(listed, layout, space.shape, encoding);
  const columns = withoutChecksum(skipped === undefined ? listed : { ...listed, skipped }, encoding);
  const [own, wider] = [gridOf(space.shape, layout.chunks), gridOf(shape, layout.chunks)];
  return product(own) === product(wider)
    ? columns
    : { ...columns, ordinal: columns.ordinal.map((at) => ordinalIn(wider, own, at)) };
}

function ordinalIn(wider: readonly number[], own: readonly number[], ordinal: number): number {
  const numbers = coordinatesOf(own, ordinal);
  return wider.reduce((sum, size, axis) => sum * size + (numbers[axis] as number), 0);
}

const ALL_FILTERS = 0xffff_ffff;

/** Filters that masks skip; chunks that reach beyond the array may be unfiltered with no mark in the index. */
function skippedFilters(
  { count, ordinal, mask }: ChunkColumns,
  { plainEdges, chunks }: Extract<Layout, { kind: "chunked" }>,
  shape: readonly number[],
  { codecs, cut }: Encoding,
): Uint32Array | undefined {
  if (codecs.length === 0 && cut === 0) return undefined;
  if (!plainEdges) return mask?.slice();
  const skipped = mask?.slice() ?? new Uint32Array(count);
  for (let at = 0; at < count; at += 1) {
    let rest = ordinal[at] as number;
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      const [size, chunk] = [shape[axis] as number, chunks[axis] as number];
      const across = Math.ceil(size / chunk);
      if (((rest % across) + 1) * chunk > size) skipped[at] = ALL_FILTERS;
      rest = Math.floor(rest / across);
    }
  }
  return skipped;
}

/** A chunk that was stored without the checksum has all its bytes. */
function withoutChecksum(columns: ChunkColumns, { cut, codecs }: Encoding): ChunkColumns {
  const { length, skipped } = columns;
  const isSkipped = (at: number, filter: number): boolean => (((skipped?.[at] ?? 0) >>> filter) & 1) === 1;
  for (let at = 0; at < columns.count; at += 1)
    if (cut > 0 && !isSkipped(at, codecs.length)) length[at] = Math.max(0, (length[at] as number) - cut);
  if (skipped === undefined) return columns;
  return { ...columns, skipped: skipped.map((one) => one & (2 ** codecs.length - 1)) };
}

/** Removes filters that every chunk was stored without: they are no filters of the array. */
function withoutUnused(
  references: ChunkColumns,
  codecs: readonly string[],
): Pick<SourceArray, "references" | "declared"> & { readonly codecs: readonly string[] } {
  const [first = 0] = references.skipped ?? [];
  if (first === 0 || references.skipped?.every((one) => one === first) !== true) return { references, codecs };
  const { skipped: _, ...columns } = references;
  const used = codecs.filter((_, filter) => ((first >>> filter) & 1) === 0);
  return { references: columns, codecs: used, declared: { filters: codecs, skipped: first } };
}

// Fill values: what elements that were never stored read as, which is the dataset's own word.

/**
 * JSON text. Where every chunk is stored no element is filled, and the fill value is what Kerchunk takes: the attribute,
 * which masks; and none for netCDF's variables, for times, and for values that lie in the header.
 */
function fillOf({ objects, findings }: Around, { type, fill, layout }: Dataset, named: Named, isWhole: boolean) {
  const { attributes, path } = named;
  const own = ownFill(type, attributes.get("_FillValue"));
  const isOfNetcdf =
    objects.byPath.get(`/${path}`)?.attributes.some(({ name }) => name.startsWith("_Netcdf4")) === true;
  const isTime = attributes.get("units")?.includes("since") === true;
  // The library's default is zero, also where none is defined; of a string it is empty.
  const stored = type.size > MAX_FILL ? "null" : valueText(type, elementOf(type, fill));
  const isDefault =
    layout.kind === "compact" || fill === undefined || ((isOfNetcdf || isTime) && type.kind !== "string");
  const decided = fileFill({ attributes, own, stored, isWhole, isDefault });
  if (own !== undefined && decided.hasFillAttribute === undefined)
    findings.push(finding("kerchunk-would-write", nodeAt(path), { what: "fill", kerchunk: own, here: stored }));
  return decided;
}

/** Bytes of an element whose fill value is written. Damaged files declare elements of 4 GB. */
const MAX_FILL = 1 << 20;

const elementOf = ({ size }: Datatype, fill: Uint8Array | undefined): Uint8Array =>
  fill?.length === size ? fill : new Uint8Array(Math.min(size, MAX_FILL));

/** Fill value from the attribute, as `.zarray` writes it; `undefined` if the attribute has several values. */
function ownFill(type: Datatype, text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith("[")) return undefined;
  if (type.kind !== "string") return quotedNumber(text);
  return text.startsWith('"') ? base64(new TextEncoder().encode(JSON.parse(text) as string)) : undefined;
}

function valueText(type: Datatype, bytes: Uint8Array): string {
  if (type.kind === "array") return valueText(type.base, bytes.subarray(0, type.base.size));
  if (type.kind === "string") return base64(unpadded(bytes));
  if (type.kind === "enum" && isBoolean(type)) return String(bytes[0] !== 0);
  const part = complexPart(type);
  if (part !== undefined)
    return `[${[0, part.size].map((from) => quotedNumber(numberText(part, bytes.subarray(from, from + part.size)))).join(",")}]`;
  const text = numberText(type, bytes);
  return text === undefined ? base64(bytes) : quotedNumber(text);
}

const base64 = (bytes: Uint8Array): string => JSON.stringify(toBase64(bytes));

// Values that have no fixed size are written into the references.

const JSON2 =
  '{"allow_nan":true,"check_circular":true,"encoding":"utf-8","ensure_ascii":true,"id":"json2","indent":null,"separators":[",",":"],"skipkeys":false,"sort_keys":true,"strict":true}';
/** Elements, whole chunks counted. */
const MOST_INLINED = 300_000;

async function inlined(around: Around, dataset: Dataset, named: Named): Promise<SourceArray | undefined> {
  const { type, space, layout, fill } = dataset;
  const { findings, file, heap, objects } = around;
  const { path, attributes, dimensions, shape } = named;
  const chunks = layout.kind === "chunked" ? layout.chunks : shape.map((size) => Math.max(1, size));
  const grid = gridOf(shape, chunks);
  const references = hasTexts(type) ? await referencesOf(around, dataset, shape) : NO_CHUNKS;
  // Zarr has a fill value for texts alone: of others the chunks that were never written are written too.
  const isText = type.kind === "vlen" && type.isString;
  const count = isText ? references.count : product(grid);
  if (Math.max(1, count) * product(chunks) > MOST_INLINED || !hasTexts(type)) {
    findings.push(finding("hdf5-type-unread", nodeAt(path), { type: typeWords(type) }));
    return undefined;
  }
  const pathOf = (address: number) => objects.paths.get(address)?.[0];
  const textsOf = async (bytes: Uint8Array) => (await elementTexts(file, heap, type, bytes, pathOf)).texts;
  const inline = new Map<number, Uint8Array>();
  // numcodecs' json2 (0.11) reads no element without dimensions.
  const isScalarText = isText && chunks.length === 0;
  // numcodecs' json2: the values in rows of rows, with type and shape behind them.
  const write = (ordinal: number, texts: readonly (string | undefined)[]): void => {
    if (isScalarText) {
      const text = JSON.parse(texts[0] ?? '""') as string;
      inline.set(ordinal, writeVariable([new TextEncoder().encode(text)]));
      return;
    }
    const values =
      nested(
        texts.map((text) => text ?? "null"),
        chunks,
      ) ?? "";
    const members = [chunks.length === 0 ? values : values.slice(1, -1), '"|O"', `[${chunks.join(",")}]`];
    inline.set(ordinal, new TextEncoder().encode(`[${members.join(",")}]`));
  };
  if (layout.kind === "compact" && product(space.shape) > 0) write(0, await textsOf(layout.bytes));
  for (let place = 0; place < references.count; place += 1) {
    const [offset, length] = [references.offset[place] as number, references.length[place] as number];
    const stored = await at({ ...file, base: 0 }, CHUNK, offset, length);
    const skipped = references.skipped?.[place] ?? 0;
    const filters = dataset.encoding.codecs.filter((_, number) => ((skipped >>> number) & 1) === 0);
    const bytes = filters.length === 0 ? stored : await around.decode(filters, stored);
    write(references.ordinal[place] as number, await textsOf(bytes));
  }
  const [empty = '""'] = await textsOf(elementOf(type, fill));
  const filled = Array.from({ length: isText ? 0 : product(chunks) }, () => empty);
  if (!isText) for (let at = 0; at < product(grid); at += 1) if (!inline.has(at)) write(at, filled);
  findings.push(finding("hdf5-values-inlined", nodeAt(path), { type: typeWords(type) }));
  return {
    path,
    attributes,
    dimensions,
    shape,
    chunks,
    dtype: '"|O"',
    fill: isText ? empty : "null",
    filters: [isScalarText ? '{"id":"vlen-utf8"}' : JSON2],
    references: NO_CHUNKS,
    inline,
  };
}

/** HDF5's words for a type. */
function typeWords(type: Datatype): string {
  if (type.kind === "vlen") return type.isString ? "strings of variable length" : "lists of variable length";
  if (type.kind === "reference") return `${type.of} references`;
  return type.kind === "other" ? `datatype class ${type.number}` : `datatype ${type.kind}`;
}

// Differences from what Kerchunk writes.

function noteKerchunk({ findings }: Around, { encoding }: Dataset, { path, references }: SourceArray): void {
  const place = nodeAt(path);
  const chunks = references.skipped?.reduce((sum, one) => sum + (one === 0 ? 0 : 1), 0) ?? 0;
  if (chunks > 0) findings.push(finding("hdf5-filter-mask", place, { chunks }));
  for (const codec of encoding.codecs.filter((one) => one.includes(HDF5_SHUFFLE)))
    findings.push(
      finding("hdf5-shuffle-rest", place, { elementsize: (JSON.parse(codec) as { elementsize: number }).elementsize }),
    );
  const shuffle = encoding.codecs.findIndex((codec) => codec.includes('"shuffle"') && codec.includes("elementsize"));
  if (shuffle > 0)
    findings.push(
      finding("kerchunk-would-write", place, { what: "filters", kerchunk: "shuffle first", here: "the file's order" }),
    );
  if (encoding.cut > 0)
    findings.push(
      finding("kerchunk-would-write", place, {
        what: "references",
        kerchunk: "none, since it refuses fletcher32",
        here: "the chunks without their checksums",
      }),
    );
}
