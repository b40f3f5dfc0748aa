/** Makes the map of a shard's bytes from the entries of its index. */
import type { ByteRange } from "../byte-source.ts";
import { coordinatesOf } from "../metadata/chunk-grid.ts";
import type { ShardEntryFacts } from "../findings/catalogue/formats/shard.ts";
import { failure, type RefscopeError, WHOLE_SET } from "../findings/finding.ts";
import { stridesC, stridesF } from "../values/gather.ts";
import { ENTRY_STATES, type EntryState, isDamaged, type ShardFault, type ShardMap } from "./shard-map.ts";

// The order in which chunks of a grid follow each other, where that has a name.

/**
 * `ordinals` (C order of the grid) as they follow each other; some may be left out. Where several names fit, the first
 * of C, F, Morton and reverse C; `undefined` below two chunks.
 */
export function writeOrderOf(ordinals: Uint32Array, grid: readonly number[]): ShardMap["writeOrder"] {
  if (ordinals.length < 2) return undefined;
  if (isAscending(ordinals)) return "C";
  if (isAscending(ordinals.toReversed())) return "reverse C";
  if (followsRank(ordinals, grid, ranksF(grid))) return "F";
  const dimensions = grid.map((_, dimension) => dimension);
  const isMorton = [dimensions, dimensions.toReversed()].some((order) =>
    followsRank(ordinals, grid, ranksMorton(grid, order)),
  );
  return isMorton ? "Morton" : "other";
}

function isAscending(ordinals: Uint32Array): boolean {
  for (let i = 1; i < ordinals.length; i++) if ((ordinals[i] as number) <= (ordinals[i - 1] as number)) return false;
  return true;
}

/** Amount by dimension and coordinate that is added to the chunk's place in the order. */
type Ranks = readonly Float64Array[];

function followsRank(ordinals: Uint32Array, grid: readonly number[], ranks: Ranks): boolean {
  const strides = stridesC(grid);
  let before = -1;
  for (const ordinal of ordinals) {
    let [rank, rest] = [0, ordinal];
    for (let dimension = 0; dimension < grid.length; dimension++) {
      const stride = strides[dimension] as number;
      const at = Math.floor(rest / stride);
      rest -= at * stride;
      rank += (ranks[dimension] as Float64Array)[at] as number;
    }
    if (rank <= before) return false;
    before = rank;
  }
  return true;
}

function ranksF(grid: readonly number[]): Ranks {
  const strides = stridesF(grid);
  return grid.map((length, dimension) => Float64Array.from({ length }, (_, at) => at * (strides[dimension] as number)));
}

/**
 * Z order over grids of any shape: bits are interleaved from the lowest, the first of `order` lowest, and a dimension
 * that has no more bits is passed over. zarr-python's first dimension runs fastest, others' last.
 */
function ranksMorton(grid: readonly number[], order: readonly number[]): Ranks {
  const ranks = grid.map((length) => new Float64Array(length));
  const bits = grid.map((length) => Math.ceil(Math.log2(Math.max(1, length))));
  let weight = 1;
  for (let bit = 0; bit < Math.max(0, ...bits); bit++) {
    for (const dimension of order) {
      if (bit >= (bits[dimension] ?? 0)) continue;
      const rank = ranks[dimension] as Float64Array;
      for (let at = 0; at < rank.length; at++) if ((at >>> bit) & 1) rank[at] = (rank[at] as number) + weight;
      weight *= 2;
    }
  }
  return ranks;
}

// Which entries of a shard's index an overlapping one shares bytes with.

const SHARD_OVERLAPS_MAX_NAMED = 8;

/**
 * For overlapping entries with an ordinal up to `last`: the entries that begin before them (or beside them with a lower
 * ordinal and another length) and end after they begin; of many, the 8 that end last.
 * `sorted`: present, shared and overlapping entries by offset, then by ordinal.
 */
function overlappedBy({ offsets, lengths }: IndexEntries, codes: Uint8Array, sorted: Uint32Array, last: number) {
  const found = new Map<number, readonly number[]>();
  const endOf = (ordinal: number) => (offsets[ordinal] as number) + (lengths[ordinal] as number);
  let active: number[] = [];
  for (const ordinal of sorted) {
    const start = offsets[ordinal] as number;
    if (active.some((other) => endOf(other) <= start)) active = active.filter((other) => endOf(other) > start);
    if (codes[ordinal] === OVERLAP && ordinal <= last) {
      const isSame = (other: number) => offsets[other] === start && lengths[other] === lengths[ordinal];
      found.set(
        ordinal,
        active.filter((other) => !isSame(other)).sort((a, b) => a - b),
      );
    }
    keep(active, ordinal, endOf);
  }
  return found;
}

/** Keeps the overlapping ranges that end last if they are too many to name, so that no long one is missed. */
function keep(active: number[], ordinal: number, endOf: (ordinal: number) => number): void {
  if (active.length < SHARD_OVERLAPS_MAX_NAMED) {
    active.push(ordinal);
    return;
  }
  let nearest = 0;
  for (let i = 1; i < active.length; i++) {
    if (endOf(active[i] as number) < endOf(active[nearest] as number)) nearest = i;
  }
  if (endOf(active[nearest] as number) < endOf(ordinal)) active[nearest] = ordinal;
}

const MAX_FAULTS = 10_000;

/**
 * `size`: bytes of the shard; `index`: where its index lies. A million entries in any order take a
 * fraction of a second. `inFileOrder` holds what covers bytes of the shard: present and overlapping entries, those that
 * reach into the index, and of shared ones the first.
 */
export function shardMap(
  entries: IndexEntries,
  size: number,
  index: ByteRange,
  innerGrid: readonly number[],
): ShardMap {
  const { codes, inside } = classifyEntries(entries, size, index);
  const inFileOrder = withoutRepeats(entries, codes, inside);
  const { gaps, dead } = gapsBetween(entries, inFileOrder, size, index);
  const written = withoutCode(inFileOrder, codes, INTO_INDEX);
  const counts = ENTRY_STATES.map(() => 0);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return {
    ...entries,
    codes,
    innerGrid,
    size,
    index: { offset: index.offset, length: index.length },
    counts,
    inFileOrder,
    gaps,
    bytesUsed: Math.max(0, size - dead - index.length),
    bytesDead: dead,
    writeOrder: writeOrderOf(written, innerGrid),
    ...faultsOf(entries, codes, inside),
  };
}

/** Keeps the first of entries with the same place. */
function withoutRepeats({ offsets, lengths }: IndexEntries, codes: Uint8Array, inside: Uint32Array<ArrayBuffer>) {
  if (![SHARED, OVERLAP, INTO_INDEX].some((code) => codes.includes(code))) return inside;
  let start = -1;
  let lengthsHere = new Set<number>();
  return inside.filter((ordinal, i) => {
    const offset = offsets[ordinal] as number;
    const isFirst = offset !== start;
    start = offset;
    if (isFirst && offsets[inside[i + 1] ?? -1] !== offset) return true;
    if (isFirst) lengthsHere = new Set();
    const isRepeat = lengthsHere.has(lengths[ordinal] as number);
    lengthsHere.add(lengths[ordinal] as number);
    return !isRepeat;
  });
}

/** Bytes that neither the index nor an entry covers. `sorted` by offset. */
function gapsBetween({ offsets, lengths }: IndexEntries, sorted: Uint32Array, size: number, index: ByteRange) {
  const gaps = new Float64Array(2 * sorted.length + 4);
  let [count, dead, reached] = [0, 0, 0];
  const cover = (from: number, to: number) => {
    if (from > reached) {
      gaps[count++] = reached;
      gaps[count++] = from;
      dead += from - reached;
    }
    reached = Math.max(reached, to);
  };
  let isIndexDue = true;
  for (const ordinal of sorted) {
    const offset = offsets[ordinal] as number;
    if (isIndexDue && offset >= index.offset) {
      cover(index.offset, index.offset + index.length);
      isIndexDue = false;
    }
    cover(offset, offset + (lengths[ordinal] as number));
  }
  if (isIndexDue) cover(index.offset, index.offset + index.length);
  cover(size, size);
  return { gaps: gaps.slice(0, count), dead };
}

const DAMAGED = ENTRY_STATES.map(isDamaged);

function faultsOf(entries: IndexEntries, codes: Uint8Array, inside: Uint32Array<ArrayBuffer>) {
  const damaged = select(codes, (code) => DAMAGED[code] === true);
  const listed = damaged.subarray(0, MAX_FAULTS);
  const hasOverlap = listed.some((inner) => codes[inner] === OVERLAP);
  const whole = hasOverlap ? withoutCode(inside, codes, INTO_INDEX) : inside;
  const others = hasOverlap ? overlappedBy(entries, codes, whole, listed.at(-1) ?? 0) : undefined;
  const faults = Array.from(listed, (inner): ShardFault => {
    const fault = stateOf(codes, inner) as ShardFault["fault"];
    const named = others?.get(inner);
    return named === undefined ? { inner, fault } : { inner, fault, with: named };
  });
  const read = readDespite(faults, codes);
  const all = [...faults, ...read].sort((a, b) => a.inner - b.inner).slice(0, MAX_FAULTS);
  return { faults: all, faultCount: damaged.length + read.length };
}

const MAX_NAMED = 8;

/** The other side of each overlap: entries that are read, though either of the two may be wrong. */
function readDespite(faults: readonly ShardFault[], codes: Uint8Array): readonly ShardFault[] {
  const over = new Map<number, number[]>();
  for (const { inner, with: others = [] } of faults) {
    for (const other of others) {
      if (DAMAGED[codes[other] as number] === true) continue;
      const named = over.get(other);
      if (named === undefined) over.set(other, [inner]);
      else if (named.length < MAX_NAMED) named.push(inner);
    }
  }
  return Array.from(over, ([inner, named]) => ({ inner, fault: "overlap", with: named, isRead: true }));
}

const stateOf = (codes: Uint8Array, inner: number): EntryState => ENTRY_STATES[codes[inner] ?? EMPTY] ?? "empty";

/** Why no chunk can be read from an entry: code `shard-` and its state. `undefined` where one can, or it is empty. */
export function shardEntryError(
  map: Pick<ShardMap, "offsets" | "lengths" | "codes" | "innerGrid" | "size">,
  inner: number,
): RefscopeError | undefined {
  const state = stateOf(map.codes, inner);
  return isDamaged(state) ? failure(`shard-${state}`, WHOLE_SET, shardEntryFacts(map, { inner })) : undefined;
}

/** Facts of an index entry that cannot be read. */
export function shardEntryFacts(
  map: Pick<ShardMap, "offsets" | "lengths" | "innerGrid" | "size">,
  { inner, with: others = [] }: Pick<ShardFault, "inner" | "with">,
): ShardEntryFacts {
  const half = (value = -1) => (value < 0 ? undefined : value);
  const nameOf = (entry: number) => coordinatesOf(map.innerGrid, entry);
  const [offset, length] = [half(map.offsets[inner]), half(map.lengths[inner])];
  return { inner: nameOf(inner), offset, length, size: map.size, others: others.map(nameOf) };
}

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

/** Numbers by inner chunk in C order; 2^64-1 ("empty") becomes -1. Numbers above 2^53 are rounded. */
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
const PRESENT = code("present");
export const SHARED = code("shared");
const OVERLAP = code("overlap");
const INTO_INDEX = code("into-index");
const PAST_END = code("past-end");
const HALF_EMPTY = code("half-empty");
const ZERO_LENGTH = code("zero-length");

/**
 * `size`: bytes of the shard. An entry has one state: the first that fits of those that need no other entry, then
 * overlap.
 */
export function classifyEntries(entries: IndexEntries, size: number, index: ByteRange): SortedEntries {
  const codes = alone(entries, size, index);
  const isInside = (of: number) => of === PRESENT || of === INTO_INDEX;
  const inside = sortByOffset(select(codes, isInside), entries.offsets);
  // A range that reaches into the index is damaged already, and says nothing about those that it covers.
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
function withoutCode(ordinals: Uint32Array<ArrayBuffer>, codes: Uint8Array, code: number) {
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
