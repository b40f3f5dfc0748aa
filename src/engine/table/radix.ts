/**
 * A stable radix sort of entries by whole numbers up to 2^64, 11 bits at a time from the lowest. The keys travel with
 * the entries: looking them up by entry in every pass costs three times as much (facts: performance §D).
 */
import type { Pace } from "../pace.ts";

/** The first `count` of each column; the sort uses them as scratch space. `high` is absent where all keys fit 32 bits. */
export interface SortKeys {
  readonly entries: Uint32Array<ArrayBuffer>;
  readonly low: Uint32Array<ArrayBuffer>;
  readonly high: Uint32Array<ArrayBuffer> | undefined;
  readonly count: number;
}

const BITS = 11;
const RADIX = 1 << BITS;
const SLICE = 1 << 19;

/** One digit: where it lies in the key, and, digit by digit, where the next entry goes. */
interface Digit {
  readonly shift: number;
  /** All ones turns the order round without disturbing equal keys. */
  readonly flip: number;
  readonly next: Uint32Array;
}

/** Entries in order; one of `keys.entries` and a new array of the same length. */
export async function radixSort(keys: SortKeys, descending: boolean, pace: Pace): Promise<Uint32Array<ArrayBuffer>> {
  let from = keys;
  let to: SortKeys | undefined;
  const bits = bitsInUse(keys);
  for (let shift = 0; shift < bits; shift += BITS) {
    const digit = { shift, flip: descending ? 0xffff_ffff : 0, next: new Uint32Array(RADIX) };
    await inSlices(keys.count, pace, (start, end) => countDigits(from, digit, start, end));
    if (digit.next.includes(keys.count)) continue;
    countsToStarts(digit.next);
    to ??= sameSize(keys);
    const target = to;
    await inSlices(keys.count, pace, (start, end) => scatter(from, target, digit, start, end));
    [from, to] = [to, from];
  }
  return from.entries;
}

async function inSlices(count: number, pace: Pace, pass: (start: number, end: number) => void): Promise<void> {
  for (let start = 0; start < count; start += SLICE) {
    pass(start, Math.min(count, start + SLICE));
    await pace.yieldIfDue(start);
  }
}

function bitsInUse({ low, high, count }: SortKeys): number {
  let [lows, highs] = [0, 0];
  for (let i = 0; i < count; i += 1) lows |= low[i] as number;
  if (high !== undefined) for (let i = 0; i < count; i += 1) highs |= high[i] as number;
  return highs === 0 ? 32 - Math.clz32(lows) : 64 - Math.clz32(highs);
}

const sameSize = ({ entries, low, high, count }: SortKeys): SortKeys => ({
  entries: new Uint32Array(entries.length),
  low: new Uint32Array(low.length),
  high: high && new Uint32Array(high.length),
  count,
});

/** The 11 bits from `shift` up; they may lie across the two halves. */
function digitOf(low: number, high: number, shift: number): number {
  // A shift by 32 would be one by 0: hence in two steps.
  const bits = shift < 32 ? (low >>> shift) | ((high << 1) << (31 - shift)) : high >>> (shift - 32);
  return bits & (RADIX - 1);
}

function countDigits({ low, high }: SortKeys, { shift, flip, next }: Digit, start: number, end: number): void {
  if (high === undefined) {
    for (let i = start; i < end; i += 1) (next[(((low[i] as number) ^ flip) >>> shift) & (RADIX - 1)] as number) += 1;
    return;
  }
  for (let i = start; i < end; i += 1) {
    (next[digitOf((low[i] as number) ^ flip, (high[i] as number) ^ flip, shift)] as number) += 1;
  }
}

function countsToStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let digit = 0; digit < counts.length; digit += 1) {
    const count = counts[digit] as number;
    counts[digit] = sum;
    sum += count;
  }
}

function scatter(from: SortKeys, to: SortKeys, digit: Digit, start: number, end: number): void {
  if (from.high !== undefined && to.high !== undefined) {
    return scatterWide(from, from.high, to, to.high, digit, start, end);
  }
  const { shift, flip, next } = digit;
  const [low, entries, lowTo, entriesTo] = [from.low, from.entries, to.low, to.entries];
  for (let i = start; i < end; i += 1) {
    const key = low[i] as number;
    const value = ((key ^ flip) >>> shift) & (RADIX - 1);
    const at = next[value] as number;
    next[value] = at + 1;
    entriesTo[at] = entries[i] as number;
    lowTo[at] = key;
  }
}

function scatterWide(
  from: SortKeys,
  high: Uint32Array,
  to: SortKeys,
  highTo: Uint32Array,
  { shift, flip, next }: Digit,
  start: number,
  end: number,
): void {
  const [low, entries, lowTo, entriesTo] = [from.low, from.entries, to.low, to.entries];
  for (let i = start; i < end; i += 1) {
    const keyLow = low[i] as number;
    const keyHigh = high[i] as number;
    const value = digitOf(keyLow ^ flip, keyHigh ^ flip, shift);
    const at = next[value] as number;
    next[value] = at + 1;
    entriesTo[at] = entries[i] as number;
    lowTo[at] = keyLow;
    highTo[at] = keyHigh;
  }
}
