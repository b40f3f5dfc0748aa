/**
 * A stable sort of entries by whole numbers up to 2^64. One pass puts them into parts by the highest bits that differ;
 * each part then fits the processor's cache, and is sorted there by digits from the lowest. Key and entry lie side by
 * side: writing to two places at a time costs a third more, and looking keys up by entry three times as much (facts:
 * performance §D).
 */
import type { Pace } from "../pace.ts";

/** Keys to sort; the sort uses them as scratch space. */
export interface SortKeys {
  /** The lower half of a key and its entry, by turns. */
  readonly pairs: Uint32Array<ArrayBuffer>;
  /** Absent where all keys fit 32 bits. */
  readonly high: Uint32Array<ArrayBuffer> | undefined;
  /** Keys, from the front. */
  readonly count: number;
}

/** Entries in ascending order of their keys; equal ones as they came. */
export interface SortedEntries {
  readonly entries: Uint32Array<ArrayBuffer>;
  /** A bit an entry, lowest first: its key is the same as that of the one before. */
  readonly ties: Uint8Array<ArrayBuffer>;
}

const TWO_32 = 0x1_0000_0000;
/** Maximum number of parts per pass: each is another place in memory that is written to. */
const PART_BITS = 11;
/** Keys that are sorted without a look at the clock, in about 5 ms. */
const SMALL = 1 << 16;
/** Keys of a part that is as large as it should be. */
const PART_SHIFT = 12;
const SLICE = 1 << 19;
/** So few are put in order one by one. */
const FEW = 24;
/** Above it, keys are sorted by their halves, one after the other. */
const MAX_HIGH_BITS = 17;

/** @param room entries to make room for; those behind the sorted ones are the caller's */
export async function radixSort(keys: SortKeys, pace: Pace, room = keys.count): Promise<SortedEntries> {
  const { pairs, high, count } = keys;
  const bits = high === undefined ? 0 : bitsOf(high, count);
  if (high !== undefined && bits > MAX_HIGH_BITS) return byHalves(keys, high, pace, room);
  const sorting: Sorting = {
    pace,
    sorted: { entries: new Uint32Array(room), ties: new Uint8Array((room + 7) >>> 3) },
    digits: new Uint32Array((1 << PART_BITS) + 1),
    done: 0,
  };
  const scratch = new Uint32Array(count * 2);
  if (high === undefined || bits === 0) await sortPart(sorting, { from: pairs, to: scratch, start: 0, end: count });
  else await sortWide(sorting, { pairs, high, count }, bits, scratch);
  return sorting.sorted;
}

/** Sorts by the lower half first and then, stably, by the upper. */
async function byHalves(keys: SortKeys, high: Uint32Array, pace: Pace, room: number): Promise<SortedEntries> {
  const { pairs, count } = keys;
  const low = new Uint32Array(count * 2);
  for (let i = 0; i < count; i += 1) {
    low[i * 2] = pairs[i * 2] as number;
    low[i * 2 + 1] = i;
  }
  const byLow = (await radixSort({ pairs: low, high: undefined, count }, pace)).entries;
  const upper = new Uint32Array(count * 2);
  for (let i = 0; i < count; i += 1) {
    upper[i * 2] = high[byLow[i] as number] as number;
    upper[i * 2 + 1] = byLow[i] as number;
  }
  const { entries, ties } = await radixSort({ pairs: upper, high: undefined, count }, pace, room);
  let before = -1;
  for (let i = 0; i < count; i += 1) {
    const place = (entries[i] as number) * 2;
    const key = pairs[place] as number;
    if (key !== before) (ties[i >>> 3] as number) &= ~(1 << (i & 7));
    entries[i] = pairs[place + 1] as number;
    before = key;
  }
  return { entries, ties };
}

/** Positions of whole numbers from 0 up, in ascending order of these; equal ones as they came. */
export async function placesInOrder(values: Float64Array, pace: Pace): Promise<Uint32Array<ArrayBuffer>> {
  const pairs = new Uint32Array(values.length * 2);
  const high = new Uint32Array(values.length);
  for (const [at, value] of values.entries()) {
    pairs[at * 2] = value % TWO_32;
    pairs[at * 2 + 1] = at;
    high[at] = Math.floor(value / TWO_32);
  }
  return (await radixSort({ pairs, high, count: values.length }, pace)).entries;
}

export const isTied = (ties: Uint8Array, at: number): boolean => (((ties[at >>> 3] as number) >>> (at & 7)) & 1) === 1;

interface Sorting {
  readonly pace: Pace;
  readonly sorted: SortedEntries;
  readonly digits: Uint32Array;
  /** Entries in their final places. */
  done: number;
}

function bitsOf(values: Uint32Array, count: number): number {
  let all = 0;
  for (let i = 0; i < count; i += 1) all |= values[i] as number;
  return 32 - Math.clz32(all);
}

/** A digit, and where the next key with each of its values goes. */
interface Parting {
  readonly next: Uint32Array;
  readonly shift: number;
  readonly mask: number;
}

/** The first parting, by the bits of the upper half and the highest of the lower. */
async function sortWide(
  sorting: Sorting,
  { pairs, high, count }: SortKeys & { readonly high: Uint32Array<ArrayBuffer> },
  bits: number,
  scratch: Uint32Array<ArrayBuffer>,
): Promise<void> {
  const lower = Math.max(0, PART_BITS - bits);
  const next = new Uint32Array(2 ** (bits + lower) + 1);
  await inSlices(sorting, 0, count, (start, end) => countWide(pairs, high, next, lower, start, end));
  const starts = countsToStarts(next).slice();
  await inSlices(sorting, 0, count, (start, end) =>
    scatterWide({ pairs, high, count }, scratch, next, lower, start, end),
  );
  for (let digit = 0; digit + 1 < starts.length; digit += 1) {
    const [first, last] = [starts[digit] as number, starts[digit + 1] as number];
    if (last > first) await sortPart(sorting, { from: scratch, to: pairs, start: first, end: last });
  }
}

/** The upper half and the `lower` highest bits of the lower; a shift by 32 would be one by 0, hence in two steps. */
const wideDigit = (high: number, low: number, lower: number): number =>
  (high << lower) | ((low >>> 1) >>> (31 - lower));

function countWide(
  pairs: Uint32Array,
  high: Uint32Array,
  counts: Uint32Array,
  lower: number,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i += 1) {
    (counts[wideDigit(high[i] as number, pairs[i * 2] as number, lower) + 1] as number) += 1;
  }
}

function scatterWide(
  { pairs, high }: SortKeys & { readonly high: Uint32Array },
  to: Uint32Array,
  next: Uint32Array,
  lower: number,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i += 1) {
    const low = pairs[i * 2] as number;
    const digit = wideDigit(high[i] as number, low, lower);
    const at = next[digit] as number;
    next[digit] = at + 1;
    to[at * 2] = low;
    to[at * 2 + 1] = pairs[i * 2 + 1] as number;
  }
}

async function inSlices(
  { pace, done }: Sorting,
  first: number,
  last: number,
  pass: (start: number, end: number) => void,
): Promise<void> {
  for (let start = first; start < last; start += SLICE) {
    pass(start, Math.min(last, start + SLICE));
    await pace.yieldIfDue(done);
  }
}

/** Counts, each a place behind its digit, become where the digit's keys begin, and where they all end. */
function countsToStarts(counts: Uint32Array): Uint32Array {
  for (let digit = 1; digit < counts.length; digit += 1) {
    (counts[digit] as number) += counts[digit - 1] as number;
  }
  return counts;
}

/**
 * Puts the pairs of `from` between two places in order, by their 32 bits; the same places of `to` are scratch space.
 */
async function sortPart(sorting: Sorting, part: Part): Promise<void> {
  const { from, start, end } = part;
  const differing = end - start > 1 ? differingBits(from, start, end) : 0;
  if (differing !== 0 && end - start > SMALL) return partAndSort(sorting, part, differing);
  const { sorted } = sorting;
  if (differing !== 0) take(sorted, sortSmall(sorting.digits, part, differing), start, start, end);
  else await inSlices(sorting, start, end, (first, last) => take(sorted, from, start, first, last));
  sorting.done += end - start;
  await sorting.pace.yieldIfDue(sorting.done);
}

interface Part {
  readonly from: Uint32Array<ArrayBuffer>;
  readonly to: Uint32Array<ArrayBuffer>;
  readonly start: number;
  readonly end: number;
}

async function partAndSort(sorting: Sorting, part: Part, differing: number): Promise<void> {
  const { from, to, start, end } = part;
  const highest = 32 - Math.clz32(differing);
  const wished = Math.max(1, 32 - Math.clz32((end - start) >>> PART_SHIFT));
  const bits = highest <= PART_BITS ? highest : Math.min(PART_BITS, wished);
  const parting = { next: new Uint32Array(2 ** bits + 1), shift: highest - bits, mask: 2 ** bits - 1 };
  await inSlices(sorting, start, end, (first, last) => countDigits(from, parting, first, last));
  const starts = countsToStarts(parting.next).slice();
  await inSlices(sorting, start, end, (first, last) => scatter(part, parting, first, last));
  for (let digit = 0; digit <= parting.mask; digit += 1) {
    const [first, last] = [start + (starts[digit] as number), start + (starts[digit + 1] as number)];
    if (last > first) await sortPart(sorting, { from: to, to: from, start: first, end: last });
  }
}

function countDigits(from: Uint32Array, { next, shift, mask }: Parting, first: number, last: number): void {
  for (let i = first * 2; i < last * 2; i += 2) (next[(((from[i] as number) >>> shift) & mask) + 1] as number) += 1;
}

function scatter({ from, to, start }: Part, { next, shift, mask }: Parting, first: number, last: number): void {
  for (let i = first * 2; i < last * 2; i += 2) {
    const key = from[i] as number;
    const digit = (key >>> shift) & mask;
    const at = next[digit] as number;
    next[digit] = at + 1;
    to[(start + at) * 2] = key;
    to[(start + at) * 2 + 1] = from[i + 1] as number;
  }
}

/** The bits in which keys differ; none where they are in order already. */
function differingBits(pairs: Uint32Array, start: number, end: number): number {
  const first = pairs[start * 2] as number;
  let [all, before, isAscending] = [0, first, true];
  for (let i = start * 2; i < end * 2; i += 2) {
    const key = pairs[i] as number;
    all |= key ^ first;
    isAscending &&= before <= key;
    before = key;
  }
  return isAscending ? 0 : all;
}

/** Sorts a small part; returns the one of the two buffers that holds it in order. */
function sortSmall(digits: Uint32Array, { from, to, start, end }: Part, differing: number): Uint32Array {
  if (end - start <= FEW) return inserted(from, start, end);
  const highest = 32 - Math.clz32(differing);
  const lowest = 31 - Math.clz32(differing & -differing);
  const most = end - start < 1 << 10 ? 8 : PART_BITS;
  const passes = Math.ceil((highest - lowest) / most);
  const bits = Math.ceil((highest - lowest) / passes);
  const next = digits.subarray(0, 2 ** bits + 1);
  let [source, target] = [from, to];
  for (let shift = lowest; shift < highest; shift += bits) {
    const parting = { next: next.fill(0), shift, mask: 2 ** bits - 1 };
    countDigits(source, parting, start, end);
    countsToStarts(next);
    scatter({ from: source, to: target, start, end }, parting, start, end);
    [source, target] = [target, source];
  }
  return source;
}

function inserted(pairs: Uint32Array, start: number, end: number): Uint32Array {
  for (let i = start + 1; i < end; i += 1) {
    const key = pairs[i * 2] as number;
    const entry = pairs[i * 2 + 1] as number;
    let at = i;
    for (; at > start && (pairs[at * 2 - 2] as number) > key; at -= 1) {
      pairs[at * 2] = pairs[at * 2 - 2] as number;
      pairs[at * 2 + 1] = pairs[at * 2 - 1] as number;
    }
    pairs[at * 2] = key;
    pairs[at * 2 + 1] = entry;
  }
  return pairs;
}

/** The entries of pairs that are in their final order; `start` is where their part begins. */
function take({ entries, ties }: SortedEntries, pairs: Uint32Array, start: number, first: number, last: number): void {
  let before = first > start ? (pairs[first * 2 - 2] as number) : -1;
  for (let i = first; i < last; i += 1) {
    const key = pairs[i * 2] as number;
    entries[i] = pairs[i * 2 + 1] as number;
    if (key === before) (ties[i >>> 3] as number) |= 1 << (i & 7);
    before = key;
  }
}
