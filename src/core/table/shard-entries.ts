/** The entries of a shard's index, each put into one of `ENTRY_STATES`. */
import type { ByteRange } from "../byte-source.ts";
import { ENTRY_STATES, type EntryState } from "./shard-map.ts";

// Sorting by offset: many whole numbers up to 2^53, without an object a number.

const BITS = 16;
const RADIX = 1 << BITS;

/** `ordinals` by their offset, ascending; those of one offset stay as they stand. Offsets are whole, 0 to 2^53. */
function sortByOffset(ordinals: Uint32Array<ArrayBuffer>, offsets: Float64Array): Uint32Array<ArrayBuffer> {
  if (isSorted(ordinals, offsets)) return ordinals;
  let [from, to] = [ordinals, new Uint32Array(ordinals.length)];
  let maximum = 0;
  for (const ordinal of ordinals) maximum = Math.max(maximum, offsets[ordinal] as number);
  for (let unit = 1; unit <= maximum; unit *= RADIX) {
    scatter(from, to, offsets, unit);
    [from, to] = [to, from];
  }
  return from;
}

function isSorted(ordinals: Uint32Array, offsets: Float64Array): boolean {
  for (let i = 1; i < ordinals.length; i++) {
    if ((offsets[ordinals[i] as number] as number) < (offsets[ordinals[i - 1] as number] as number)) return false;
  }
  return true;
}

/** One pass, stable, by the digit of 16 bits that counts `unit`s. */
function scatter(from: Uint32Array, to: Uint32Array, offsets: Float64Array, unit: number): void {
  const next = new Uint32Array(RADIX + 1);
  const digits = new Uint16Array(from.length);
  for (let i = 0; i < from.length; i++) {
    const digit = Math.floor((offsets[from[i] as number] as number) / unit) % RADIX;
    digits[i] = digit;
    next[digit + 1] = (next[digit + 1] as number) + 1;
  }
  for (let digit = 1; digit <= RADIX; digit++) next[digit] = (next[digit] as number) + (next[digit - 1] as number);
  for (let i = 0; i < from.length; i++) {
    const digit = digits[i] as number;
    const at = next[digit] as number;
    to[at] = from[i] as number;
    next[digit] = at + 1;
  }
}

/** By inner chunk in C order; 2^64-1 ("empty") becomes -1. Numbers above 2^53 are rounded. */
export interface IndexEntries {
  readonly offsets: Float64Array<ArrayBuffer>;
  readonly lengths: Float64Array<ArrayBuffer>;
}

export interface SortedEntries {
  /** Indexes into `ENTRY_STATES`. */
  readonly codes: Uint8Array<ArrayBuffer>;
  /** Entries that lie entirely in the shard: by offset, then by ordinal. */
  readonly inside: Uint32Array<ArrayBuffer>;
}

const code = (state: EntryState) => ENTRY_STATES.indexOf(state);
export const EMPTY = code("empty");
export const PRESENT = code("present");
export const SHARED = code("shared");
export const OVERLAP = code("overlap");
export const INTO_INDEX = code("into-index");
const PAST_END = code("past-end");
const HALF_EMPTY = code("half-empty");
const ZERO_LENGTH = code("zero-length");

/** `size`: bytes of the shard. An entry has one state: the first that fits of those that need no other entry, then overlap. */
export function classifyEntries(entries: IndexEntries, size: number, index: ByteRange): SortedEntries {
  const codes = alone(entries, size, index);
  const isInside = (of: number) => of === PRESENT || of === INTO_INDEX;
  const inside = sortByOffset(select(codes, isInside), entries.offsets);
  // What reaches into the index is damaged already, and says nothing about those that it covers.
  compareRuns(entries, codes, withoutCode(inside, codes, INTO_INDEX));
  return { codes, inside };
}

/** Ordinals whose code `test` lets pass, ascending. */
export function select(codes: Uint8Array, test: (code: number) => boolean): Uint32Array<ArrayBuffer> {
  const ordinals = new Uint32Array(codes.length);
  let count = 0;
  for (let i = 0; i < codes.length; i++) if (test(codes[i] as number)) ordinals[count++] = i;
  return ordinals.slice(0, count);
}

/** Those of `ordinals` that have another code. */
export function withoutCode(ordinals: Uint32Array<ArrayBuffer>, codes: Uint8Array, code: number) {
  return codes.includes(code) ? ordinals.filter((ordinal) => codes[ordinal] !== code) : ordinals;
}

function alone({ offsets, lengths }: IndexEntries, size: number, index: ByteRange): Uint8Array<ArrayBuffer> {
  const codes = new Uint8Array(offsets.length);
  const indexEnd = index.offset + index.length;
  for (let i = 0; i < codes.length; i++) {
    const [offset, length] = [offsets[i] as number, lengths[i] as number];
    if (offset < 0 || length < 0) codes[i] = offset < 0 && length < 0 ? EMPTY : HALF_EMPTY;
    else if (length === 0) codes[i] = ZERO_LENGTH;
    else if (offset + length > size) codes[i] = PAST_END;
    else codes[i] = offset < indexEnd && offset + length > index.offset ? INTO_INDEX : PRESENT;
  }
  return codes;
}

/** Finds shared and overlapping entries. A run: those of `present` that begin at one offset. */
function compareRuns({ offsets, lengths }: IndexEntries, codes: Uint8Array, present: Uint32Array): void {
  let reached = 0;
  for (let from = 0, to = 0; from < present.length; from = to) {
    const first = present[from] as number;
    const start = offsets[first] as number;
    for (to = from + 1; to < present.length && offsets[present[to] as number] === start;) to++;
    const isInOther = start < reached;
    const length = lengths[first] as number;
    let furthest = length;
    const others = to - from > 1 ? countLengths(present.subarray(from, to), lengths) : undefined;
    for (let i = from; i < to; i++) {
      const ordinal = present[i] as number;
      const own = lengths[ordinal] as number;
      furthest = Math.max(furthest, own);
      if (isInOther || own !== length) codes[ordinal] = OVERLAP;
      else if ((others?.get(own) ?? 1) > 1) codes[ordinal] = SHARED;
    }
    reached = Math.max(reached, start + furthest);
  }
}

function countLengths(run: Uint32Array, lengths: Float64Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const ordinal of run) counts.set(lengths[ordinal] as number, (counts.get(lengths[ordinal] as number) ?? 0) + 1);
  return counts;
}
