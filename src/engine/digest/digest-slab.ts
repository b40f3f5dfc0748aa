/**
 * The chunks of an array read and put together for its hash, one row of them at a time: along the first dimension, or
 * along a later one where that row is too large and chunks have one element along those before it, so that C order holds.
 */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf, insideShape } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { filledElements, variableFill, type VariableElements } from "../../core/variable-elements.ts";
import { pythonJsonOf } from "../../core/python-json.ts";
import { fillBytes, toLittleEndianC, type ChunkLayout } from "../../core/values.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { pythonJson } from "./digest-python-json.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadChunk, placeOf } from "../chunk/load-chunk.ts";
import { unfitFill } from "../chunk/fill-findings.ts";
import { inThread, type ChunkDecoder } from "../many/chunk-decoder.ts";
import { writeJson } from "../../core/json-write.ts";

export interface Hash {
  update(bytes: Uint8Array): void;
  /** Hexadecimal. */
  digest(): string;
}

export interface DigestOptions {
  readonly newHash: () => Hash;
  readonly perChunk: boolean;
  /** Most bytes of a row of chunks, which is put together at once. Absent = as many as an array of bytes may have. */
  readonly mostBytes?: number;
  /** Absent = in this thread, one row of chunks after another. */
  readonly decoder?: ChunkDecoder;
}

const AT_ONCE = 8;

export interface DigestWork {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly options: DigestOptions;
  /** Dimensions whose chunks are gone through one by one; a row of chunks is along the next. */
  readonly lead: number;
  /** One element of fill value, as it is hashed (of objects the JSON text); zeros or null where it is null (a finding says so); absent where it is not a value. */
  readonly fill: Uint8Array | undefined;
  /** Findings of the readings. */
  readonly noted: FindingLog;
  readonly errors: Map<string, Finding>;
  readonly hashes: Map<string, string>;
  /** Missing chunks met where fill_value is null. */
  undefinedChunks: number;
}

export function digestWork(set: EngineSet, node: ArrayNode, options: DigestOptions): DigestWork {
  const fill = fillOf(node.metadata);
  const counts = { errors: new Map(), hashes: new Map(), noted: new FindingLog(), undefinedChunks: 0 };
  const { lead } = largestSlab(node.metadata, options);
  return { set, node, options, lead, fill, ...counts };
}

/** Largest part of an array that is put together at once. */
const MAX_SLAB_BYTES = 2 ** 31 - 1;
const MAX_SLAB_OBJECTS = 2 ** 24;

export interface LargestSlab {
  readonly lead: number;
  readonly unit: "bytes" | "elements";
  /** How large it is, and may be. */
  readonly size: number;
  readonly limit: number;
}

/** A row of chunks along the first dimension, or along the first later one for which it is small enough. */
export function largestSlab({ shape, chunks, dataType }: ArrayMetadata, { mostBytes }: DigestOptions): LargestSlab {
  const isObject = dataType.kind === "object";
  const limit = isObject ? MAX_SLAB_OBJECTS : (mostBytes ?? MAX_SLAB_BYTES);
  const sizeFrom = (lead: number): number =>
    shape
      .slice(lead)
      .reduce(
        (size, length, at) => size * (at === 0 ? Math.min(length, chunks[lead] ?? 1) : length),
        isObject ? 1 : dataType.itemSize,
      );
  let lead = 0;
  while (sizeFrom(lead) > limit && lead + 1 < shape.length && Math.min(shape[lead] ?? 1, chunks[lead] ?? 1) === 1) {
    lead += 1;
  }
  return { lead, unit: isObject ? "elements" : "bytes", size: sizeFrom(lead), limit };
}

/** How many rows of chunks the array has. */
export function slabCount({ node: { metadata }, lead }: DigestWork): number {
  return cellCount(gridOf(metadata.shape, metadata.chunks).slice(0, lead + 1));
}

/** Coordinates of the chunks of a row along the dimensions that they share. */
function sharedCoordinates({ node: { metadata }, lead }: DigestWork, slab: number): readonly number[] {
  return coordinatesOf(gridOf(metadata.shape, metadata.chunks).slice(0, lead + 1), slab);
}

function fillOf(metadata: ArrayMetadata): Uint8Array | undefined {
  const { fillValue, dataType } = metadata;
  if (dataType.kind === "object") return objectFill(metadata);
  const little = fillValue === null ? new Uint8Array(dataType.itemSize) : fillBytes(fillValue, dataType);
  // Swapping bytes from little-endian is the same as swapping them to it.
  const isTurned = little !== undefined && isTextAsStored(metadata);
  return isTurned ? toLittleEndianC(little, { dataType, chunks: [], order: "C" }) : little;
}

/** As the JSON text that is hashed: in Zarr v2 the value as it is written, in v3 as an element of the type. */
function objectFill({ zarrFormat, fillValue, dataType }: ArrayMetadata): Uint8Array | undefined {
  const encoder = new TextEncoder();
  if (fillValue === null || zarrFormat === 2) return encoder.encode(pythonJsonOf(writeJson(fillValue)));
  const kind = dataType.text.includes("bytes") ? "bytes" : "text";
  const fill = variableFill(fillValue, kind);
  return fill && encoder.encode(pythonJson(filledElements(fill, kind, 1), 0));
}

/** All chunks of one row, put together as bytes. */
export async function readSlab(work: DigestWork, slab: number, context: CallContext): Promise<Uint8Array> {
  const { metadata } = work.node;
  const slabShape = slabShapeOf(work, slab);
  const elements = slabShape.reduce((product, length) => product * length, 1);
  let bytes: Uint8Array | undefined;
  const slabBytes = () => (bytes ??= filled(elements, work.fill, metadata.dataType.itemSize));
  await forEachChunk(work, slab, async (coordinates) => {
    const chunk = await readBytes(work, coordinates, context);
    if (chunk === undefined) return;
    if (isWholeSlab(slabShape, metadata.chunks)) bytes = chunk;
    else place(chunk, slabBytes(), slabShape, coordinates, work);
  });
  return slabBytes();
}

/** Whether one chunk is all of it, and nothing of the chunk lies past the array's edge. */
function isWholeSlab(slabShape: readonly number[], chunks: readonly number[]): boolean {
  return slabShape.every((length, dimension) => length === chunks[dimension]);
}

/** [1, …, inside the edge, …rest of the array] */
export function slabShapeOf(work: DigestWork, slab: number): readonly number[] {
  const { lead, node } = work;
  const { shape, chunks } = node.metadata;
  return [...insideShape(shape, chunks, sharedCoordinates(work, slab)).slice(0, lead + 1), ...shape.slice(lead + 1)];
}

/** Where a chunk begins in its row. */
export function startInSlab({ lead, node }: DigestWork, coordinates: readonly number[]): readonly number[] {
  const { chunks } = node.metadata;
  return coordinates.map((at, dimension) => (dimension <= lead ? 0 : at * (chunks[dimension] ?? 1)));
}

/** Decoded bytes that may wait for those before them. */
const MAX_AHEAD_BYTES = 2 ** 28;

/** As `readSlab`, all of them in order; where there are threads, several are read at once. */
export async function* readSlabs(work: DigestWork, slabs: number, context: CallContext): AsyncGenerator<Uint8Array> {
  const { metadata } = work.node;
  const size = slabShapeOf(work, 0).reduce((product, length) => product * length, metadata.dataType.itemSize);
  const atOnce = Math.min(work.options.decoder?.atOnce ?? 1, Math.floor(MAX_AHEAD_BYTES / Math.max(1, size)));
  const reading: Promise<Uint8Array>[] = [];
  for (let slab = 0; reading.length > 0 || slab < slabs;) {
    for (; slab < slabs && reading.length < Math.max(1, atOnce); slab += 1) {
      const one = readSlab(work, slab, context);
      // Callers that still wait for it get the failure.
      one.catch(() => undefined);
      reading.push(one);
    }
    const [first] = reading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
}

/** Several at once. */
export async function forEachChunk(
  work: DigestWork,
  slab: number,
  read: (coordinates: readonly number[]) => Promise<void>,
): Promise<void> {
  const { shape, chunks } = work.node.metadata;
  const shared = sharedCoordinates(work, slab);
  const rest = gridOf(shape, chunks).slice(work.lead + 1);
  const cells = rest.reduce((product, count) => product * count, 1);
  const ordinals = Array.from({ length: cells }, (_, at) => at)[Symbol.iterator]();
  const worker = async () => {
    for (const ordinal of ordinals) await read([...shared, ...coordinatesOf(rest, ordinal)]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
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
async function readBytes(work: DigestWork, coordinates: readonly number[], context: CallContext) {
  const read = await readDecoded(work, coordinates, context);
  if (read === undefined) return undefined;
  const little = toLittleEndianC(read.bytes, hashedLayout(work.node.metadata));
  noteHash(work, read.name, little);
  return little;
}

export interface ReadForDigest {
  /** Part of the key after the array's path. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly texts: VariableElements | undefined;
}

/** `undefined` where the chunk is missing or failed (then noted). */
export async function readDecoded(
  work: DigestWork,
  coordinates: readonly number[],
  context: CallContext,
): Promise<ReadForDigest | undefined> {
  const { set, node, fill, errors } = work;
  const chunk = await chunkReference(set, node, coordinates, context);
  const loaded = await loadChunk(set, chunk, context);
  work.noted.addAll(loaded.findings);
  if (loaded.kind === "missing") {
    if (fill === undefined) errors.set(chunk.name, unfitFill(chunk));
    if (node.metadata.fillValue === null) work.undefinedChunks += 1;
    return undefined;
  }
  const replaced = loaded.findings.find(({ code }) => code === "chunk-not-generated");
  if (replaced !== undefined) {
    errors.set(chunk.name, replaced);
    return undefined;
  }
  const decoder = work.options.decoder ?? inThread;
  const decoded = loaded.kind === "bytes" ? await decoder.decode(node.metadata, loaded.bytes, context.signal) : loaded;
  if (decoded.error !== undefined || !("bytes" in decoded) || decoded.bytes === undefined) {
    errors.set(chunk.name, decoded.error ?? finding("no-values", placeOf(chunk), {}));
    return undefined;
  }
  return { name: chunk.name, bytes: decoded.bytes, texts: decoded.values?.texts };
}

/** Where chunks are hashed, too. */
export function noteHash({ options, hashes }: DigestWork, name: string, ...parts: readonly Uint8Array[]): void {
  if (!options.perChunk) return;
  const hash = options.newHash();
  for (const part of parts) hash.update(part);
  hashes.set(name, hash.digest());
}

/** Copies the part of a chunk inside the array to its place in the slab, a run of the last dimension at a time. */
function place(
  chunk: Uint8Array,
  slab: Uint8Array,
  slabShape: readonly number[],
  coordinates: readonly number[],
  work: DigestWork,
): void {
  const { shape, chunks, dataType } = work.node.metadata;
  const inside = insideShape(shape, chunks, coordinates);
  const run = (inside.at(-1) ?? 1) * dataType.itemSize;
  const outer = inside.slice(0, -1);
  const runs = outer.reduce((product, length) => product * length, 1);
  const start = startInSlab(work, coordinates);
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

export function elementAt(shape: readonly number[], index: readonly number[]): number {
  return shape.reduce((element, length, dimension) => element * length + (index[dimension] ?? 0), 0);
}
