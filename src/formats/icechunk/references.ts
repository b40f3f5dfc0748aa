import { orThrow } from "#core/basics.ts";
import { failure, targetAt } from "#core/findings/finding.ts";
import { type BytePool, grown } from "#core/byte-pool.ts";
import {
  CHECKSUM_SECONDS,
  type ChunkColumns,
  ENTRY_BAD,
  ENTRY_COMPRESSED,
  ENTRY_INLINE,
  ENTRY_LOCATION,
  ENTRY_NATIVE,
  LENGTH_LARGE,
  MAX_LOCATION_BYTES,
} from "./chunk-columns.ts";
import { damaged, type FileName } from "./fault.ts";
import { textOf } from "./flat.ts";
import { objectId } from "./object-id.ts";
import { secondsText, type Exact } from "./types.ts";

/**
 * The references in manifests: `openManifest` and `readChunkColumns` give those of one array in one manifest,
 * `referenceAt` one of them. An array may have several manifests; of two that hold the same chunk the first in the
 * snapshot's order counts.
 */
export { bytePoolWriter, type BytePool, type BytePoolWriter, type PlainPool } from "#core/byte-pool.ts";
export { ENTRY_NATIVE, ORDINAL_OUTSIDE, readChunkColumns, type ChunkColumns } from "./chunk-columns.ts";

export { openManifest, type Manifest } from "./snapshot.ts";

export { poolShelf, type PoolShelf } from "./pool-shelf.ts";

// A pool that will be kept for long: in the smallest of the forms there are.

/**
 * Entries of one kind and length (ids, times, hashes) need nothing but their bytes; others are packed, or left as is.
 */
export function settledPool(pool: BytePool): BytePool {
  const fixed = fixedSize(pool);
  const best = fixed !== undefined && fixed.byteLength <= pool.byteLength ? fixed : pool;
  return packedPool(best, (id) => ({ tag: best.tag(id), bytes: best.bytes(id) }));
}

function fixedSize(pool: BytePool): BytePool | undefined {
  const { count } = pool;
  const [tag, size] = count === 0 ? [0, 0] : [pool.tag(0), pool.bytes(0).length];
  for (let id = 1; id < count; id += 1) {
    if (pool.tag(id) !== tag || pool.bytes(id).length !== size) return undefined;
  }
  const bytes = new Uint8Array(count * size);
  for (let id = 0; id < count; id += 1) bytes.set(pool.bytes(id), id * size);
  return {
    count,
    tag: () => tag,
    bytes: (id) => bytes.subarray(id * size, (id + 1) * size),
    byteLength: bytes.byteLength,
  };
}

// One reference of a manifest, made from its columns when it is looked at.

/** Offsets and lengths in bytes; `location` as stored, `vcc://` too (`virtual-location.ts` resolves it). */
export type ChunkReference =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "native"; readonly chunk: string; readonly offset: Exact; readonly length: Exact }
  | {
      readonly kind: "virtual";
      readonly location: string;
      readonly offset: Exact;
      readonly length: Exact;
      readonly checksum: Checksum | undefined;
    }
  | { readonly kind: "bad" };

/** State of the target when the reference was written; quotes are part of an ETag if the author wrote them. */
export type Checksum =
  | { readonly kind: "etag"; readonly etag: string }
  /** Whole seconds since 1970, and as ISO text. */
  | { readonly kind: "last-modified"; readonly seconds: number; readonly time: string };

/** Kind of a row's reference, without reading its location. */
export const kindOf = (columns: ChunkColumns, row: number): ChunkReference["kind"] =>
  entryKind(columns, columns.entry[row] ?? 0);

/** Kind of the references with this id in `entries`. */
export function entryKind({ entries }: ChunkColumns, entry: number): ChunkReference["kind"] {
  const tag = entries.tag(entry);
  if (tag === ENTRY_INLINE) return "inline";
  if (tag === ENTRY_NATIVE) return "native";
  return tag === ENTRY_BAD ? "bad" : "virtual";
}

/** @throws RefscopeError `icechunk-location-unreadable`: of this chunk alone */
export function referenceAt(columns: ChunkColumns, row: number): ChunkReference {
  const entry = columns.entry[row] ?? 0;
  const kind = kindOf(columns, row);
  if (kind === "inline") return { kind, bytes: columns.entries.bytes(entry) };
  if (kind === "bad") return { kind };
  const range = rangeAt(columns, row);
  if (kind === "native") return { kind, chunk: objectId(columns.entries.bytes(entry), 0, 12), ...range };
  return { kind, location: locationOf(columns, entry), ...range, checksum: checksumAt(columns, row) };
}

/** Offset and length of a row in its target or chunk file. */
export function rangeAt(columns: ChunkColumns, row: number): { readonly offset: Exact; readonly length: Exact } {
  const large = columns.large.get(row);
  if (large !== undefined) return large;
  return { offset: columns.offset[row] ?? 0, length: columns.length[row] ?? LENGTH_LARGE };
}

export function checksumAt({ checksum, checksums, file }: ChunkColumns, row: number): Checksum | undefined {
  const id = checksum?.[row] ?? 0;
  return id === 0 ? undefined : checksumOf(checksums, id - 1, file);
}

/** A checksum of a pool like `ChunkColumns.checksums`. @throws RefscopeError `icechunk-file-damaged` */
export function checksumOf(checksums: BytePool, id: number, file: FileName): Checksum {
  const bytes = checksums.bytes(id);
  if (checksums.tag(id) === CHECKSUM_SECONDS) {
    const seconds = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    return { kind: "last-modified", seconds, time: secondsText(seconds) };
  }
  const fault = () => damaged(file, { field: "checksum_etag", expected: "UTF-8 text", found: "other bytes" });
  return { kind: "etag", etag: textOf(bytes, fault) };
}

/** True if the entry with this id is a location of virtual chunks. */
export function isLocation({ entries }: ChunkColumns, entry: number): boolean {
  const tag = entries.tag(entry);
  return tag === ENTRY_LOCATION || tag === ENTRY_COMPRESSED;
}

/** The location with this id in `entries`, decompressed where it is compressed. Nothing is kept. */
export function locationOf(columns: ChunkColumns, entry: number): string {
  const { entries, file } = columns;
  const stored = entries.bytes(entry);
  const bytes = entries.tag(entry) === ENTRY_COMPRESSED ? decompressed(columns, stored) : stored;
  return textOf(bytes, () => unreadable(file, "encoding"));
}

function decompressed({ decompressLocation, file }: ChunkColumns, stored: Uint8Array): Uint8Array {
  if (decompressLocation === undefined) throw unreadable(file, "no-dictionary");
  return orThrow(
    () => decompressLocation(stored, MAX_LOCATION_BYTES),
    (error) => unreadable(file, "decompression", error),
  );
}

function unreadable({ path }: FileName, problem: "encoding" | "no-dictionary" | "decompression", cause?: unknown) {
  const reason = cause instanceof Error ? cause.message : undefined;
  return failure("icechunk-location-unreadable", targetAt(path), { problem, text: undefined, reason }, { cause });
}

// A pool whose entries are mostly distinct and alike (one file per chunk), packed: each entry is what differs from the
// one before. Where both are of one length, that is runs of bytes at their places; else what is between a shared
// start and a shared end. So many entries make a block, whose first is whole; an entry is read by walking its block, or
// on from the one that was read last. Locations of numbered files take some three bytes each. An entry begins with a
// byte: 0 = shared start and end; 1 to 127 = runs plus 1; from 128 on one run of (its low six bits plus 1) bytes, which
// ends where the last one ended, or (from 192 on) begins after a gap that is stated.

const BLOCK = 64;

/** An entry before packing; its tag may differ from the pool's. */
interface PlainEntry {
  readonly tag: number;
  readonly bytes: Uint8Array;
}

/** The pool packed, or as it is where packing does not make it smaller. */
export function packedPool(pool: BytePool, plain: (id: number) => PlainEntry): BytePool {
  const writer = blockWriter(pool.byteLength);
  for (let id = 0; id < pool.count; id += 1) {
    if (!writer.add(plain(id))) return pool;
  }
  return readPacked(writer.finish(), pool.count);
}

/** Packs texts in order; each is made again when it is looked at. */
export function packedTexts(): { add(text: string): void; finish(): PackedTexts } {
  const writer = blockWriter(Number.POSITIVE_INFINITY);
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(4096);
  let count = 0;
  return {
    add(text) {
      // No character takes more than three bytes a unit.
      if (buffer.length < 3 * text.length) buffer = new Uint8Array(6 * text.length);
      writer.add({ tag: 0, bytes: buffer.subarray(0, encoder.encodeInto(text, buffer).written) });
      count += 1;
    },
    finish: () => readTexts(readPacked(writer.finish(), count)),
  };
}

function readTexts(pool: BytePool): PackedTexts {
  const { count, byteLength } = pool;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return { count, text: (at) => decoder.decode(pool.bytes(at)), byteLength };
}

interface PackedTexts {
  readonly count: number;
  text(at: number): string;
  readonly byteLength: number;
}

interface Packed {
  readonly bytes: Uint8Array;
  readonly blocks: Uint32Array;
  /** One for all where all are the same. */
  readonly tags: Uint8Array;
}

/** Bytes that grow, with lengths in seven bits per byte. */
interface Output {
  bytes: Uint8Array<ArrayBuffer>;
  used: number;
  /** End of the block's last run. */
  runEnd: number;
}

function blockWriter(most: number) {
  const output: Output = { bytes: new Uint8Array(4096), used: 0, runEnd: 0 };
  const blocks: number[] = [];
  const tags: number[] = [];
  let held = new Uint8Array(256);
  let before = NO_BYTES;
  return {
    /** False once the packed form is larger than `most`. */
    add({ tag, bytes }: PlainEntry): boolean {
      const isFirst = tags.length % BLOCK === 0;
      if (isFirst) {
        blocks.push(output.used);
        output.runEnd = 0;
        before = NO_BYTES;
      }
      tags.push(tag);
      // The longest form has a run of two lengths for every few bytes.
      reserve(output, 2 * bytes.length + 32);
      const runs = !isFirst && before.length === bytes.length ? runsOf(before, bytes) : undefined;
      if (runs !== undefined && runs.length <= 2 * MAX_RUNS) addRuns(output, runs, bytes);
      else addMiddle(output, before, bytes);
      if (held.length < bytes.length) held = new Uint8Array(2 * bytes.length);
      for (let at = 0; at < bytes.length; at += 1) held[at] = bytes[at] as number;
      before = held.subarray(0, bytes.length);
      return output.used + tags.length + 4 * blocks.length < most;
    },
    finish: (): Packed => ({
      bytes: output.bytes.slice(0, output.used),
      blocks: Uint32Array.from(blocks),
      tags: Uint8Array.from(tags.every((tag) => tag === tags[0]) ? tags.slice(0, 1) : tags),
    }),
  };
}

const NO_BYTES = new Uint8Array(0);

function reserve(output: Output, length: number): void {
  if (output.used + length <= output.bytes.length) return;
  output.bytes = grown(output.bytes, Math.max(output.used + length, output.bytes.length * 2));
}

function addLength(output: Output, value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) output.bytes[output.used++] = (rest & 127) | 128;
  output.bytes[output.used++] = rest;
}

/** Few bytes: faster one by one. */
function addBytes(output: Output, from: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) output.bytes[output.used++] = from[at] ?? 0;
}

/** 0, then bytes shared at the start, at the end, and those between. */
function addMiddle(output: Output, before: Uint8Array, entry: Uint8Array): void {
  const most = Math.min(before.length, entry.length);
  let start = 0;
  while (start < most && before[start] === entry[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === entry[entry.length - 1 - end]) end += 1;
  for (const length of [0, start, end, entry.length - start - end]) addLength(output, length);
  addBytes(output, entry, start, entry.length - end);
}

/** Equal bytes between two runs that are worth two lengths. */
const LEAST_GAP = 3;

const MAX_RUNS = 126;
const [ONE_RUN, ONE_RUN_AFTER_GAP, LONGEST_RUN] = [128, 192, 64];

/** One short run, or of each run the bytes shared before it, its length, and its own. */
function addRuns(output: Output, runs: readonly number[], entry: Uint8Array): void {
  const [from = 0, to = 0] = runs;
  if (runs.length === 2 && to - from <= LONGEST_RUN) return addOneRun(output, from, to, entry);
  addLength(output, runs.length / 2 + 1);
  for (let at = 0, index = 0; index < runs.length; index += 2) {
    const [start = 0, end = 0] = [runs[index], runs[index + 1]];
    addLength(output, start - at);
    addLength(output, end - start);
    addBytes(output, entry, start, end);
    output.runEnd = at = end;
  }
}

function addOneRun(output: Output, from: number, to: number, entry: Uint8Array): void {
  const isAligned = to === output.runEnd;
  output.bytes[output.used++] = (isAligned ? ONE_RUN : ONE_RUN_AFTER_GAP) + to - from - 1;
  if (!isAligned) addLength(output, from);
  addBytes(output, entry, from, to);
  output.runEnd = to;
}

/** Places at which two entries of equal length differ: starts and ends, in turn. */
function runsOf(before: Uint8Array, entry: Uint8Array): readonly number[] {
  const runs: number[] = [];
  let end = -LEAST_GAP;
  for (let at = 0; at < entry.length; at += 1) {
    if (before[at] === entry[at]) continue;
    if (at - end < LEAST_GAP) runs[runs.length - 1] = at + 1;
    else runs.push(at, at + 1);
    end = at + 1;
  }
  return runs;
}

/** Position in the packed bytes, and the entry read last. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  entry: Uint8Array;
  runEnd: number;
}

function readPacked({ bytes, blocks, tags }: Packed, count: number): BytePool {
  const cursor: Cursor = { bytes, at: 0, entry: NO_BYTES, runEnd: 0 };
  let last = -1;
  return {
    count,
    tag: (id) => tags[tags.length === 1 ? 0 : id] ?? 0,
    bytes(id) {
      const block = Math.floor(id / BLOCK);
      if (id < last || block * BLOCK > last) {
        cursor.at = blocks[block] ?? 0;
        last = block * BLOCK - 1;
      }
      for (; last < id; last += 1) {
        if ((last + 1) % BLOCK === 0) cursor.runEnd = 0;
        cursor.entry = nextEntry(cursor);
      }
      return cursor.entry;
    },
    byteLength: bytes.byteLength + blocks.byteLength + tags.byteLength,
  };
}

function nextEntry(cursor: Cursor): Uint8Array {
  const head = cursor.bytes[cursor.at++] ?? 0;
  if (head === 0) return nextByMiddle(cursor);
  const next = Uint8Array.from(cursor.entry);
  if (head >= ONE_RUN) {
    const size = 1 + (head % LONGEST_RUN);
    const from = head >= ONE_RUN_AFTER_GAP ? takeLength(cursor) : cursor.runEnd - size;
    takeInto(cursor, next, from, size);
    return next;
  }
  let at = 0;
  for (let run = 1; run < head; run += 1) {
    const from = at + takeLength(cursor);
    takeInto(cursor, next, from, takeLength(cursor));
    at = cursor.runEnd;
  }
  return next;
}

function nextByMiddle(cursor: Cursor): Uint8Array {
  const { entry } = cursor;
  const [start, end, middle] = [takeLength(cursor), takeLength(cursor), takeLength(cursor)];
  const next = new Uint8Array(start + middle + end);
  next.set(entry.subarray(0, start));
  next.set(cursor.bytes.subarray(cursor.at, (cursor.at += middle)), start);
  next.set(entry.subarray(entry.length - end), start + middle);
  return next;
}

/** A run of `size` bytes at `from`. */
function takeInto(cursor: Cursor, entry: Uint8Array, from: number, size: number): void {
  for (let at = 0; at < size; at += 1) entry[from + at] = cursor.bytes[cursor.at + at] ?? 0;
  cursor.at += size;
  cursor.runEnd = from + size;
}

function takeLength(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.bytes[cursor.at++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}
