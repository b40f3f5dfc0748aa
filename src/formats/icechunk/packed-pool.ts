/**
 * A pool whose entries are mostly distinct and alike (a file a chunk), packed: each entry is what differs from the one
 * before. Where both are of one length, that is runs of bytes at their places; else what stands between a shared start and
 * a shared end. So many entries make a block, whose first is whole; an entry is read by walking its block, or on from the
 * one that was read last. Locations of numbered files take some six bytes each.
 */
import type { BytePool } from "./byte-pool.ts";

const BLOCK = 64;

/** An entry before packing; its tag may differ from the pool's. */
export interface PlainEntry {
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

interface Packed {
  readonly bytes: Uint8Array;
  readonly blocks: Uint32Array;
  /** One for all where all are the same. */
  readonly tags: Uint8Array;
}

/** Bytes that grow, with lengths in seven bits a byte. */
interface Output {
  bytes: Uint8Array<ArrayBuffer>;
  used: number;
}

function blockWriter(most: number) {
  const output: Output = { bytes: new Uint8Array(4096), used: 0 };
  const blocks: number[] = [];
  const tags: number[] = [];
  let before = new Uint8Array(0);
  return {
    /** False once the packed form is larger than `most`. */
    add({ tag, bytes }: PlainEntry): boolean {
      const isFirst = tags.length % BLOCK === 0;
      if (isFirst) blocks.push(output.used);
      tags.push(tag);
      // The longest form has a run of two lengths for every few bytes.
      reserve(output, 2 * bytes.length + 32);
      if (!isFirst && before.length === bytes.length) addRuns(output, before, bytes);
      else addMiddle(output, isFirst ? NOTHING : before, bytes);
      before = Uint8Array.from(bytes);
      return output.used + tags.length + 4 * blocks.length < most;
    },
    finish: (): Packed => ({
      bytes: output.bytes.slice(0, output.used),
      blocks: Uint32Array.from(blocks),
      tags: Uint8Array.from(tags.every((tag) => tag === tags[0]) ? tags.slice(0, 1) : tags),
    }),
  };
}

const NOTHING = new Uint8Array(0);

function reserve(output: Output, length: number): void {
  if (output.used + length <= output.bytes.length) return;
  const grown = new Uint8Array(Math.max(output.used + length, output.bytes.length * 2));
  grown.set(output.bytes);
  output.bytes = grown;
}

function addLength(output: Output, value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) output.bytes[output.used++] = (rest & 127) | 128;
  output.bytes[output.used++] = rest;
}

function addBytes(output: Output, bytes: Uint8Array): void {
  output.bytes.set(bytes, output.used);
  output.used += bytes.length;
}

/** 0, then bytes shared at the start, at the end, and those between. */
function addMiddle(output: Output, before: Uint8Array, entry: Uint8Array): void {
  const most = Math.min(before.length, entry.length);
  let start = 0;
  while (start < most && before[start] === entry[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === entry[entry.length - 1 - end]) end += 1;
  for (const length of [0, start, end, entry.length - start - end]) addLength(output, length);
  addBytes(output, entry.subarray(start, entry.length - end));
}

/** Equal bytes between two runs that are worth two lengths. */
const LEAST_GAP = 3;

/** Runs plus 1, then of each the bytes shared before it, and its own. */
function addRuns(output: Output, before: Uint8Array, entry: Uint8Array): void {
  const runs = runsOf(before, entry);
  addLength(output, runs.length + 1);
  let at = 0;
  for (const { from, to } of runs) {
    addLength(output, from - at);
    addLength(output, to - from);
    addBytes(output, entry.subarray(from, to));
    at = to;
  }
}

function runsOf(before: Uint8Array, entry: Uint8Array): readonly { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = 0; at < entry.length; at += 1) {
    if (before[at] === entry[at]) continue;
    const last = runs.at(-1);
    if (last !== undefined && at - last.to < LEAST_GAP) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

function readPacked({ bytes, blocks, tags }: Packed, count: number): BytePool {
  // The entry read last, and where the one after it begins.
  let last = -1;
  let entry: Uint8Array = NOTHING;
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (size: number): Uint8Array => bytes.subarray(at, (at += size));
  const nextByMiddle = (): Uint8Array => {
    const [start, end, middle] = [length(), length(), length()];
    const next = new Uint8Array(start + middle + end);
    next.set(entry.subarray(0, start));
    next.set(take(middle), start);
    next.set(entry.subarray(entry.length - end), start + middle);
    return next;
  };
  const nextByRuns = (runs: number): Uint8Array => {
    const next = Uint8Array.from(entry);
    let to = 0;
    for (let run = 0; run < runs; run += 1) {
      const from = to + length();
      to = from + length();
      next.set(take(to - from), from);
    }
    return next;
  };
  return {
    count,
    tag: (id) => tags[tags.length === 1 ? 0 : id] ?? 0,
    bytes(id) {
      const block = Math.floor(id / BLOCK);
      if (id < last || block * BLOCK > last) {
        at = blocks[block] ?? 0;
        last = block * BLOCK - 1;
      }
      for (; last < id; last += 1) {
        const head = length();
        entry = head === 0 ? nextByMiddle() : nextByRuns(head - 1);
      }
      return entry;
    },
    byteLength: bytes.byteLength + blocks.byteLength + tags.byteLength,
  };
}
