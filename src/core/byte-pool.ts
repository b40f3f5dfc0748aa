/**
 * Distinct byte strings, each once, in one block of memory: locations, chunk ids, inline chunks and ETags of a
 * manifest, URLs.
 */
import type { Bytes } from "./byte-source.ts";
import { once } from "./basics.ts";

export interface BytePool {
  readonly count: number;
  /** Kind of the entry, as it was interned. */
  tag(id: number): number;
  bytes(id: number): Uint8Array;
  readonly byteLength: number;
}

/** Entries one after the other: each its tag and its bytes. */
export interface PlainPool extends BytePool {
  readonly raw: Uint8Array;
  /** Start of each entry in `raw`, and the end of the last. */
  readonly starts: Uint32Array;
  /**
   * Entries of another pool that this one shares, in its own order. `raw` and `starts` are then made when asked for.
   */
  readonly part?: { readonly of: PlainPool; readonly ids: Uint32Array };
}

export interface BytePoolWriter {
  /** Id of the bytes [from, from + length) with this tag; the same bytes and tag always get the same id. */
  intern(tag: number, source: Uint8Array, from: number, length: number): number;
  /** The pool at its final size; the writer is done. */
  finish(): PlainPool;
}

const FEW_BYTES = 64;

export function bytePoolWriter(): BytePoolWriter {
  let bytes = new Uint8Array(4096);
  let starts = new Uint32Array(256);
  let table = new Int32Array(512).fill(-1);
  let count = 0;
  let used = 0;
  // No file can be crafted so that all its entries fall into one slot.
  const seed = Math.floor(Math.random() * 2 ** 31);
  const grow = (length: number): void => {
    if (used + length + 1 > bytes.length) bytes = grown(bytes, Math.max(used + length + 1, bytes.length * 2));
    if (count + 2 > starts.length) starts = grown(starts, starts.length * 2);
    if (count * 2 >= table.length) table = rehashed(table.length * 2, bytes, starts, count, seed);
  };
  return {
    intern(tag, source, from, length) {
      grow(length);
      let slot = hashOf(seed ^ tag, source, from, length) & (table.length - 1);
      for (let id = table[slot] ?? -1; id >= 0; id = table[slot] ?? -1) {
        if (equals(bytes, starts[id] ?? 0, starts[id + 1] ?? 0, tag, source, from, length)) return id;
        slot = (slot + 1) & (table.length - 1);
      }
      const id = count;
      table[slot] = id;
      starts[id] = used;
      bytes[used] = tag;
      // A copy of few bytes is faster one by one.
      if (length > FEW_BYTES) bytes.set(source.subarray(from, from + length), used + 1);
      else for (let at = 0; at < length; at += 1) bytes[used + 1 + at] = source[from + at] as number;
      used += length + 1;
      count += 1;
      starts[count] = used;
      return id;
    },
    finish: () => plainPool(bytes.slice(0, used), starts.slice(0, count + 1), count),
  };
}

/** The entry with these bytes and this tag; -1 where there is none. */
export type PoolFinder = (tag: number, source: Uint8Array, from: number, length: number) => number;

export function poolFinder({ raw, starts, count }: PlainPool): PoolFinder {
  const seed = Math.floor(Math.random() * 2 ** 31);
  let size = 512;
  while (size < 2 * count) size *= 2;
  const table = rehashed(size, raw, starts, count, seed);
  return (tag, source, from, length) => {
    let slot = hashOf(seed ^ tag, source, from, length) & (size - 1);
    for (let id = table[slot] ?? -1; id >= 0; id = table[slot] ?? -1) {
      if (equals(raw, starts[id] ?? 0, starts[id + 1] ?? 0, tag, source, from, length)) return id;
      slot = (slot + 1) & (size - 1);
    }
    return -1;
  };
}

/** Some entries of a pool, in the order of `ids`: they stay where they are. */
export function partOf(pool: PlainPool, ids: Uint32Array): PlainPool {
  const own = once(() => copiedPart(pool, ids));
  return {
    count: ids.length,
    part: { of: pool, ids },
    get raw() {
      return own().raw;
    },
    get starts() {
      return own().starts;
    },
    tag: (id) => pool.tag(ids[id] ?? 0),
    bytes: (id) => pool.bytes(ids[id] ?? 0),
    byteLength: ids.byteLength,
  };
}

function copiedPart(pool: PlainPool, ids: Uint32Array): PlainPool {
  const starts = new Uint32Array(ids.length + 1);
  for (const [at, id] of ids.entries()) {
    starts[at + 1] = (starts[at] as number) + (pool.starts[id + 1] as number) - (pool.starts[id] as number);
  }
  const bytes = new Uint8Array(starts[ids.length] as number);
  for (const [at, id] of ids.entries()) {
    bytes.set(pool.raw.subarray(pool.starts[id], pool.starts[id + 1]), starts[at]);
  }
  return plainPool(bytes, starts, ids.length);
}

/** @param starts as `PlainPool.starts` */
export function plainPool(bytes: Uint8Array, starts: Uint32Array, count: number): PlainPool {
  return {
    count,
    raw: bytes,
    starts,
    tag: (id) => bytes[starts[id] ?? 0] ?? 0,
    bytes: (id) => bytes.subarray((starts[id] ?? 0) + 1, starts[id + 1] ?? 0),
    byteLength: bytes.byteLength + starts.byteLength,
  };
}

/** The same numbers with room for more. */
export function grown<Numbers extends Bytes | Uint32Array<ArrayBuffer>>(numbers: Numbers, size: number): Numbers {
  const room = new (numbers.constructor as new (size: number) => Numbers)(size);
  room.set(numbers);
  return room;
}

function rehashed(size: number, bytes: Uint8Array, starts: Uint32Array, count: number, seed: number) {
  const table = new Int32Array(size).fill(-1);
  for (let id = 0; id < count; id += 1) {
    const from = starts[id] ?? 0;
    let slot = hashOf(seed ^ (bytes[from] ?? 0), bytes, from + 1, (starts[id + 1] ?? 0) - from - 1) & (size - 1);
    while ((table[slot] ?? -1) >= 0) slot = (slot + 1) & (size - 1);
    table[slot] = id;
  }
  return table;
}

/** FNV-1a, mixed once more, since its low bits alone choose the slot. */
function hashOf(start: number, source: Uint8Array, from: number, length: number): number {
  let hash = Math.imul(0x811c9dc5 ^ start, 0x01000193);
  for (let at = from; at < from + length; at += 1) hash = Math.imul(hash ^ (source[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function equals(
  bytes: Uint8Array,
  start: number,
  end: number,
  tag: number,
  source: Uint8Array,
  from: number,
  length: number,
): boolean {
  if (end - start - 1 !== length || bytes[start] !== tag) return false;
  for (let at = 0; at < length; at += 1) {
    if (bytes[start + 1 + at] !== source[from + at]) return false;
  }
  return true;
}
