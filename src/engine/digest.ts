/**
 * Every array read whole and hashed, so that two readers can be compared: SHA-256 over the decoded array as
 * little-endian bytes in C order, missing chunks as fill value. Chunks that fail are listed, and then there is no hash.
 */
import { cellCount, chunkName, coordinatesOf, gridOf, insideShape } from "../core/chunk-grid.ts";
import type { ArrayMetadata } from "../core/array-metadata.ts";
import type { CallContext } from "../core/byte-source.ts";
import { dataTypeTextV2, type DataType } from "../core/data-type.ts";
import { withByteOrder } from "../core/data-type-v3.ts";
import { errorSentence } from "../core/errors.ts";
import { FindingLog, type Finding } from "../core/finding.ts";
import type { ArrayNode } from "../core/hierarchy.ts";
import { writeJson } from "../core/json-write.ts";
import { fillBytes, toLittleEndianC, type ChunkLayout } from "../core/values.ts";
import { findCodec } from "../codecs/index.ts";
import { rowOf } from "./array-index.ts";
import { chunkReference } from "./chunk-reference.ts";
import { decodeChunk } from "./decode-chunk.ts";
import type { EngineSet } from "./engine-set.ts";
import { loadChunk, NOT_GENERATED } from "./load-chunk.ts";

export interface ArrayDigest {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly chunks: readonly number[];
  readonly sha256?: string;
  /** Why, by chunk key (the part after the array's path). */
  readonly errors?: Readonly<Record<string, string>>;
  /** Of each whole decoded chunk that has a reference, the part past the array's edge included. */
  readonly chunk_sha256?: Readonly<Record<string, string>>;
}

export interface Digested {
  readonly digest: ArrayDigest;
  /** What was noticed on the way. */
  readonly findings: readonly Finding[];
}

export interface Hash {
  update(bytes: Uint8Array): void;
  /** Hexadecimal. */
  digest(): string;
}

export interface DigestOptions {
  readonly newHash: () => Hash;
  readonly perChunk: boolean;
}

/** Largest part of an array that is put together at once: one row of chunks along the first dimension. */
const MOST_SLAB_BYTES = 2 ** 31 - 1;
/** Largest grid whose chunks are gone through one by one. */
const MOST_CELLS = 5_000_000;
const AT_ONCE = 8;

export async function digestArray(
  set: EngineSet,
  node: ArrayNode,
  options: DigestOptions,
  context: CallContext,
): Promise<Digested> {
  const { metadata } = node;
  const { shape, chunks } = metadata;
  const about = { shape, dtype: dtypeText(namedType(metadata)), chunks };
  const reason = set.refused ?? undecodable(metadata);
  if (cellCount(gridOf(shape, chunks)) <= MOST_CELLS) {
    const paged = set.index.paged.get(set.index.arrayIds.get(node.path) ?? -1);
    // Objects are asked for one by one as they are read.
    if (paged?.pages.unit !== "object") await paged?.load(paged.rest(), context);
  }
  if (reason !== undefined) {
    const errors = await reasonForAll(set, node, reason, context);
    return { digest: { ...about, errors, ...(options.perChunk ? { chunk_sha256: {} } : {}) }, findings: [] };
  }
  const work = digestWork(set, node, options);
  const slabs = shape.length === 0 ? 1 : (gridOf(shape, chunks)[0] ?? 0);
  const whole = options.newHash();
  for (let slab = 0; slab < slabs; slab += 1) {
    context.signal.throwIfAborted();
    whole.update(await readSlab(work, slab, context));
    context.report({ label: `Reading ${node.path}`, done: slab + 1, total: slabs, unit: "chunks" });
  }
  const digest = {
    ...about,
    ...(work.errors.size === 0 ? { sha256: whole.digest() } : { errors: record(work.errors) }),
    ...(options.perChunk ? { chunk_sha256: record(work.hashes) } : {}),
  };
  return { digest, findings: [...work.noted.list(), ...undefinedFill(set, node)] };
}

/** Zarr v3 has no byte order in its data types, only in codecs: zarr-python calls every array little-endian. */
function namedType({ zarrFormat, dataType }: ArrayMetadata): DataType {
  const isBig = zarrFormat === 3 && dataType.kind !== "object" && dataType.byteOrder === "big";
  return isBig ? withByteOrder(dataType, "little") : dataType;
}

/** As NumPy prints it: `<i2`; structured types as `[('a', '>i4'), ('n', '|S5')]`. */
function dtypeText(type: DataType): string {
  if (type.kind !== "structured") return dataTypeTextV2(type);
  const fields = type.fields.map(({ name, type: inner, shape }) => {
    const text = inner.kind === "structured" ? dtypeText(inner) : `'${dtypeText(inner)}'`;
    const extent = shape === undefined ? "" : `, (${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
    return `('${name}', ${text}${extent})`;
  });
  return `[${fields.join(", ")}]`;
}

function unfit({ fillValue, dataType }: ArrayMetadata): string {
  return `the chunk is missing, and fill_value ${writeJson(fillValue).slice(0, 80)} is no value of type ${dataType.text}`;
}

/** Names come from a set: no prototype for them to reach. */
function record(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(map));
}

function undecodable({ decoding, dataType, shape, chunks }: ArrayMetadata): string | undefined {
  const unknown = decoding.find(({ id }) => findCodec(id) === undefined);
  if (unknown !== undefined) return `no decoder for the codec “${unknown.id}”`;
  if (dataType.kind === "object")
    return `elements of type ${dataType.text} have no size of their own; they are not decoded yet`;
  const cells = cellCount(gridOf(shape, chunks));
  if (cells > MOST_CELLS) return `the grid has ${cells} chunks, more than the ${MOST_CELLS} that are read one by one`;
  const slab = shape.reduce(
    (product, length, at) => product * (at === 0 ? Math.min(length, chunks[0] ?? 1) : length),
    1,
  );
  const bytes = slab * dataType.itemSize;
  return bytes <= MOST_SLAB_BYTES
    ? undefined
    : `one row of chunks has ${bytes} bytes, more than the ${MOST_SLAB_BYTES} that are put together`;
}

const MOST_LISTED = 100_000;

/** The same reason for each chunk that has a reference, and for the metadata where none has. */
async function reasonForAll(set: EngineSet, { path, metadata }: ArrayNode, reason: string, context: CallContext) {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const id = set.index.arrayIds.get(path);
  const errors = new Map<string, string>();
  if (id !== undefined) {
    const index = await set.index.arrayIndex(id, context);
    for (let entry = 0; entry < index.listed && errors.size < MOST_LISTED; entry += 1) {
      const ordinal = index.ordinals?.[entry] ?? entry;
      if (rowOf(index, ordinal) >= 0) errors.set(chunkName(coordinatesOf(grid, ordinal), metadata.separator), reason);
    }
  }
  return record(errors.size === 0 ? new Map([[metadata.zarrFormat === 3 ? "zarr.json" : ".zarray", reason]]) : errors);
}

interface DigestWork {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly options: DigestOptions;
  /** One element of fill value, as it is hashed; zeros where it is null (a finding says so); absent where it is no value. */
  readonly fill: Uint8Array | undefined;
  /** Findings of the readings. */
  readonly noted: FindingLog;
  readonly errors: Map<string, string>;
  readonly hashes: Map<string, string>;
}

function digestWork(set: EngineSet, node: ArrayNode, options: DigestOptions): DigestWork {
  const { fillValue, dataType } = node.metadata;
  const little = fillValue === null ? new Uint8Array(dataType.itemSize) : fillBytes(fillValue, dataType);
  // Turning little-endian bytes round is what turning them to little-endian is.
  const fill =
    little && isTextAsStored(node.metadata) ? toLittleEndianC(little, { dataType, chunks: [], order: "C" }) : little;
  return { set, node, options, fill, errors: new Map(), hashes: new Map(), noted: new FindingLog() };
}

/** All chunks with the first coordinate `slab`, put together: shape [inside the edge, …rest of the array]. */
async function readSlab(work: DigestWork, slab: number, context: CallContext): Promise<Uint8Array> {
  const { shape, chunks, dataType } = work.node.metadata;
  const grid = gridOf(shape, chunks);
  const slabShape = [insideShape(shape, chunks, [slab])[0] ?? 1, ...shape.slice(1)].slice(0, Math.max(shape.length, 0));
  const bytes = filled(
    slabShape.reduce((product, length) => product * length, 1),
    work.fill,
    dataType.itemSize,
  );
  const rest = grid.slice(1);
  const cells = rest.reduce((product, count) => product * count, 1);
  const ordinals = Array.from({ length: cells }, (_, at) => at)[Symbol.iterator]();
  const worker = async () => {
    for (const ordinal of ordinals) {
      const coordinates = shape.length === 0 ? [] : [slab, ...coordinatesOf(rest, ordinal)];
      const chunk = await readBytes(work, coordinates, context);
      if (chunk !== undefined) place(chunk, bytes, slabShape, coordinates, work.node.metadata);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return bytes;
}

/**
 * Structures and text are hashed as they stand: NumPy counts structures as having no byte order, and recorders turn only
 * numbers (so the hashes of `>U1` arrays recorded with zarr-python). Text of Zarr v3 is little-endian once it is read.
 */
function hashedLayout(metadata: ArrayMetadata): ChunkLayout {
  const { dataType } = metadata;
  if (dataType.kind !== "structured" && !isTextAsStored(metadata)) return metadata;
  const { itemSize } = dataType;
  return { ...metadata, dataType: { kind: "void", itemSize, byteOrder: "none", text: `|V${itemSize}` } };
}

const isTextAsStored = ({ zarrFormat, dataType }: ArrayMetadata) => zarrFormat === 2 && dataType.kind === "unicode";

function filled(elements: number, fill: Uint8Array | undefined, itemSize: number): Uint8Array {
  const bytes = new Uint8Array(elements * itemSize);
  if (fill === undefined || fill.every((byte) => byte === 0) || bytes.length === 0) return bytes;
  bytes.set(fill);
  for (let done = fill.length; done < bytes.length; done *= 2)
    bytes.copyWithin(done, 0, Math.min(done, bytes.length - done));
  return bytes;
}

/** The whole decoded chunk, little-endian in C order; `undefined` where it is missing or failed (then noted). */
async function readBytes(
  { set, node, options, fill, errors, hashes, noted }: DigestWork,
  coordinates: readonly number[],
  context: CallContext,
) {
  const chunk = await chunkReference(set, node, coordinates, context);
  const loaded = await loadChunk(set, chunk, context);
  noted.addAll(loaded.findings);
  if (loaded.kind === "missing") {
    if (fill === undefined) errors.set(chunk.name, unfit(node.metadata));
    return undefined;
  }
  if (loaded.findings.some(({ code }) => code === NOT_GENERATED)) {
    errors.set(
      chunk.name,
      "the document generates references (“gen”) that were not made, and one of them may replace this",
    );
    return undefined;
  }
  const decoded = loaded.kind === "bytes" ? await decodeChunk(node.metadata, loaded.bytes, context.signal) : loaded;
  if (decoded.error !== undefined || !("bytes" in decoded) || decoded.bytes === undefined) {
    errors.set(chunk.name, decoded.error === undefined ? "it has no bytes" : errorSentence(decoded.error));
    return undefined;
  }
  const little = toLittleEndianC(decoded.bytes, hashedLayout(node.metadata));
  if (options.perChunk) {
    const hash = options.newHash();
    hash.update(little);
    hashes.set(chunk.name, hash.digest());
  }
  return little;
}

/** Copies the part of a chunk inside the array to its place in the slab, a run of the last dimension at a time. */
function place(
  chunk: Uint8Array,
  slab: Uint8Array,
  slabShape: readonly number[],
  coordinates: readonly number[],
  { shape, chunks, dataType }: ArrayMetadata,
): void {
  const inside = insideShape(shape, chunks, coordinates);
  const run = (inside.at(-1) ?? 1) * dataType.itemSize;
  const outer = inside.slice(0, -1);
  const runs = outer.reduce((product, length) => product * length, 1);
  const start = coordinates.map((at, dimension) => (dimension === 0 ? 0 : at * (chunks[dimension] ?? 1)));
  for (let at = 0; at < runs; at += 1) {
    const within = [...coordinatesOf(outer, at), ...(shape.length === 0 ? [] : [0])];
    const from = elementAt(chunks, within) * dataType.itemSize;
    const to =
      elementAt(
        slabShape,
        within.map((index, dimension) => index + (start[dimension] ?? 0)),
      ) * dataType.itemSize;
    slab.set(chunk.subarray(from, from + run), to);
  }
}

function elementAt(shape: readonly number[], index: readonly number[]): number {
  return shape.reduce((element, length, dimension) => element * length + (index[dimension] ?? 0), 0);
}

function undefinedFill(set: EngineSet, node: ArrayNode): readonly Finding[] {
  const { fillValue } = node.metadata;
  const counts = set.tally.arrays.get(node.path);
  if (fillValue !== null || counts === undefined || counts.states.missing === 0) return [];
  const message = `${counts.states.missing} chunks are missing and fill_value is null, so that their values are not defined; they are hashed as zeros.`;
  return [{ code: "fill-value-undefined", severity: "warning", array: node.path, message }];
}
