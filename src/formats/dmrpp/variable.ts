/** A variable of a DMR++ document: its type, its filters, and where its chunks lie in the granule. */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import type { XmlElement } from "@rgrove/parse-xml";
import { finding, type Finding } from "#core/findings/finding.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { groupedBy, attempt } from "#core/basics.ts";
import { columnsWriter, type SourceArray } from "#core/source-file.ts";
import { fileFill, quotedNumber } from "#core/values/file-fill.ts";
import { attributesOf, scalarText } from "./attributes.ts";
import { attributeOf, childOf, type Document, elementsOf, localName, wholeNumbers } from "./document.ts";

export interface Around {
  readonly document: Document;
  /** Lengths by the dimension's path from the root, without leading slash. */
  readonly dimensions: ReadonlyMap<string, number>;
  /** The integer type of an enumeration, by its path. */
  readonly enumerations: ReadonlyMap<string, string>;
  readonly findings: Finding[];
  readonly href: string | undefined;
}

const SIZES: ReadonlyMap<string, string> = new Map([
  ["Byte", "u1"],
  ["UInt8", "u1"],
  ["Char", "u1"],
  ["Int8", "i1"],
  ["Int16", "i2"],
  ["UInt16", "u2"],
  ["Int32", "i4"],
  ["UInt32", "u4"],
  ["Int64", "i8"],
  ["UInt64", "u8"],
  ["Float32", "f4"],
  ["Float64", "f8"],
]);

/** Elements that stand for a variable. */
export const VARIABLES = [...SIZES.keys(), "String", "URL", "Enum", "Opaque", "Structure", "Sequence"];

/** One for each file that its chunks lie in; none, with a finding, where no reference can be made to its values. */
export function variableOf(around: Around, element: XmlElement, path: string): readonly SourceArray[] {
  const { document, findings } = around;
  const laid = dimensionsOf(around, element, path);
  // Old documents have the one piece of an array without chunks in the variable itself.
  const store = childOf(element, "chunks") ?? element;
  const type = typeOf(around, element, store);
  const isInBlocks = childOf(store, "block") !== undefined;
  if (type === undefined || isInBlocks) {
    const what = isInBlocks ? "a chunk in several blocks" : `the type ${localName(element)} of DAP4`;
    findings.push(finding("hdf5-type-unread", nodeAt(path), { type: what }));
    return [];
  }
  const encoding = encodingOf(store, type.size);
  if (encoding.unknown !== undefined) {
    findings.push(finding("hdf5-filter-unknown", nodeAt(path), { filter: encoding.unknown }));
    return [];
  }
  const sizes = childOf(store, "chunkDimensionSizes");
  const own = sizes === undefined ? laid.shape.map((size) => Math.max(1, size)) : wholeNumbers(sizes.text);
  if (own?.length !== laid.shape.length || own.includes(0))
    throw document.damaged(
      sizes ?? element,
      `${laid.shape.length} chunk lengths from 1 on`,
      sizes?.text.trim() ?? "none",
    );
  const attributes = new Map(attributesOf(element));
  const written = inlineOf(around, element, path);
  const placed = chunksOf(around, store, { path, shape: laid.shape, chunks: own, ...encoding });
  const grid = own.reduce((all, chunk, axis) => all * Math.ceil((laid.shape[axis] as number) / chunk), 1);
  const isWhole = written !== undefined || placed.reduce((sum, { references }) => sum + references.count, 0) >= grid;
  const filled = fillOf(attributes, type, store, isWhole);
  return placed.map((part, number) => ({
    path,
    ...filled,
    ...laid,
    chunks: own,
    dtype: JSON.stringify(type.numpy),
    filters: written?.filters ?? encoding.filters,
    ...part,
    inline: new Map(written === undefined || number > 0 ? [] : [[0, written.bytes]]),
  }));
}

/** Named ones without the slash before them, as HDF5's are; others by their axis. */
function dimensionsOf({ document, dimensions }: Around, element: XmlElement, path: string) {
  const group = nodePathOf(path);
  const axes = elementsOf(element, "Dim").map((one, axis): readonly [string, number] => {
    const [name, size] = [attributeOf(one, "name"), attributeOf(one, "size")];
    const full = name?.startsWith("/") === true ? name.slice(1) : [group, name].filter(Boolean).join("/");
    const length = name === undefined ? wholeNumbers(size ?? "")?.[0] : dimensions.get(full);
    if (length === undefined) throw document.damaged(one, "a dimension that there is", name ?? size ?? "none");
    return [name === undefined ? `phony_dim_${axis}` : full, length];
  });
  return { shape: axes.map(([, length]) => length), dimensions: axes.map(([name]) => name) };
}

interface ElementType {
  readonly numpy: string;
  readonly size: number;
  /** DAP4's name. */
  readonly base: string;
}

function typeOf({ enumerations }: Around, element: XmlElement, store: XmlElement): ElementType | undefined {
  const name = localName(element);
  if (name === "String") {
    const fixed = childOf(element, "FixedLengthStringArray");
    const one = elementsOf(store, "chunk");
    // A scalar's text is as long as its one piece of the file.
    const isScalar = childOf(element, "Dim") === undefined && one.length === 1;
    const length =
      fixed === undefined ? isScalar && one[0] && attributeOf(one[0], "nBytes") : attributeOf(fixed, "string_length");
    const size = Number(length);
    return Number.isSafeInteger(size) && size > 0 && length !== false
      ? { numpy: `|S${size}`, size, base: name }
      : undefined;
  }
  const base =
    name === "Enum" ? (enumerations.get((attributeOf(element, "enum") ?? "").replace(/^\//, "")) ?? "") : name;
  const numpy = SIZES.get(base);
  if (numpy === undefined) return undefined;
  const size = Number(numpy.slice(1));
  const order = size === 1 ? "|" : attributeOf(store, "byteOrder") === "BE" ? ">" : "<";
  return { numpy: order + numpy, size, base };
}

interface Encoding {
  readonly filters: readonly string[];
  /** Bytes at the end of each chunk that are its checksum. */
  readonly cut: number;
  readonly unknown?: string | undefined;
}

/**
 * Filters in the order of encoding. Writers before 3.21 list the names alphabetically; HDF5 has shuffle before deflate.
 */
function encodingOf(store: XmlElement, size: number): Encoding {
  const text = attributeOf(store, "compressionType") ?? "";
  const levels = attributeOf(store, "deflateLevel")?.split(" ") ?? [];
  const named = text.split(" ").filter((name) => name !== "");
  const names = text === "deflate shuffle" ? ["shuffle", "deflate"] : named;
  const isSummed = names.at(-1) === "fletcher32";
  const used = isSummed ? names.slice(0, -1) : names;
  let deflates = 0;
  const filters = used.map((name): string | undefined => {
    if (name === "shuffle") return `{"elementsize":${size},"id":"shuffle"}`;
    if (name === "fletcher32") return '{"id":"fletcher32"}';
    const level = /^\d$/.test(levels[deflates] ?? "") ? levels[deflates] : "1";
    deflates += 1;
    return name === "deflate" ? `{"id":"zlib","level":${level}}` : undefined;
  });
  const unknown = filters.indexOf(undefined);
  return { filters: filters.filter((one) => one !== undefined), cut: isSummed ? 4 : 0, unknown: used[unknown] };
}

/** The attribute and the file's own value, which every variable has, where they are numbers. */
function fillOf(attributes: ReadonlyMap<string, string>, { base }: ElementType, store: XmlElement, isWhole: boolean) {
  const [text, value] = [attributes.get("_FillValue"), attributeOf(store, "fillValue")];
  const numberIn = (one: string | undefined) =>
    base !== "String" && one !== undefined && /^-?(?:\d|NaN|Infinity)/.test(one) ? quotedNumber(one) : undefined;
  const stored = value === undefined ? undefined : numberIn(scalarText(base, value));
  return fileFill({ attributes, own: numberIn(text), stored, isWhole, isDefault: true });
}

/** Values that the document itself has: the whole array. */
function inlineOf({ document }: Around, element: XmlElement, path: string) {
  const compact = childOf(element, "compact");
  const missing = childOf(element, "missingdata");
  const node = compact ?? missing;
  if (node === undefined) return undefined;
  const bytes = base64Bytes(node.text);
  if (bytes === undefined) throw document.damaged(node, "in base64", `other characters, in ${path}`);
  // The writer of the document compresses data that the file lacks, unless it is a single value.
  const isPacked = compact === undefined && bytes.length > 8;
  return { bytes, filters: isPacked ? ['{"id":"zlib","level":1}'] : [] };
}

const base64Bytes = (text: string): Uint8Array | undefined =>
  attempt(() => Uint8Array.from(atob(text.replaceAll(/\s/g, "")), (one) => one.charCodeAt(0)));

interface Layout extends Encoding {
  readonly path: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
}

type Part = Pick<SourceArray, "references" | "target">;

/** Values that the granule lacks may be in a file beside it. */
function chunksOf(around: Around, store: XmlElement, layout: Layout): readonly Part[] {
  const { document, findings, href } = around;
  const { path, filters, cut } = layout;
  let masked = 0;
  const columnsOf = (elements: readonly XmlElement[]) => {
    const writer = columnsWriter(elements.length);
    for (const element of elements) {
      const [offset, length, mask = 0] = ["offset", "nBytes", "fm"].map((name) => numberOf(around, element, name));
      if (offset === undefined || length === undefined)
        throw document.damaged(element, "with an offset and a length", "none");
      const hasSum = cut > 0 && ((mask >>> filters.length) & 1) === 0;
      const skipped = mask & (2 ** filters.length - 1);
      if (skipped !== 0) masked += 1;
      writer.add(ordinalOf(around, element, layout), offset, Math.max(0, length - (hasSum ? cut : 0)), skipped);
    }
    return writer.columns();
  };
  const byFile = groupedBy(elementsOf(store, "chunk"), (element) => attributeOf(element, "href") ?? href);
  const parts = [...byFile].map(([target, elements]): Part => ({
    references: columnsOf(elements),
    ...(target === undefined || target === href ? {} : { target }),
  }));
  if (masked > 0) findings.push(finding("hdf5-filter-mask", nodeAt(path), { chunks: masked }));
  return parts.length > 0 ? parts : [{ references: columnsOf([]) }];
}

function numberOf({ document }: Around, element: XmlElement, name: string): number | undefined {
  const text = attributeOf(element, name);
  const [value] = text === undefined ? [] : (wholeNumbers(text) ?? []);
  if (text !== undefined && value === undefined) throw document.damaged(element, `with a number as ${name}`, text);
  return value;
}

/** `chunkPositionInArray` has the place of its first element. */
function ordinalOf({ document }: Around, element: XmlElement, { shape, chunks }: Layout): number {
  const text = attributeOf(element, "chunkPositionInArray");
  if (text === undefined) return 0;
  const place = wholeNumbers(text);
  const isInside = place?.length === shape.length && place.every((at, axis) => at < Math.max(1, shape[axis] ?? 0));
  if (!isInside) throw document.damaged(element, `in an array of shape ${shape.join(" × ")}`, text);
  return place.reduce((ordinal, at, axis) => {
    const chunk = chunks[axis] as number;
    return ordinal * Math.ceil((shape[axis] as number) / chunk) + Math.floor(at / chunk);
  }, 0);
}
