/** Bytes of a target that more than one chunk claims: the same range, or ranges that overlap. */
import { type RangeWindow, targetAt, type TargetRanges } from "../table/target-ranges.ts";

/** Places among the ranges of targets. */
export interface ClaimSink {
  /** At least two that are the same. */
  same?(places: readonly number[]): void;
  /** `later` begins inside `earlier`, or they begin together and differ in length; both in the window. */
  overlap?(window: RangeWindow, earlier: number, later: number): void;
}

export function findClaims(window: RangeWindow, sink: ClaimSink): void {
  const {
    ranges: { starts, ends, common },
    targets,
  } = window;
  for (let target = targets[0]; target < targets[1]; target += 1) {
    const [from, to] = [starts[target] as number, ends[target] as number];
    if (common[target] === 1) inTarget(window, from, to, sink);
  }
}

function inTarget(window: RangeWindow, from: number, to: number, sink: ClaimSink): void {
  const { offsets, lengths, base } = window;
  let [farthest, end] = [-1, -1];
  for (let first = from; first < to;) {
    const offset = offsets[first - base] as number;
    // Those that are left out have no length here.
    if (lengths[first - base] === 0) {
      first += 1;
      continue;
    }
    let last = first + 1;
    while (last < to && offsets[last - base] === offset) last += 1;
    if (offset < end) sink.overlap?.(window, farthest, first);
    if (last - first > 1) together(window, first, last, sink);
    for (let at = first; at < last; at += 1) {
      const own = offset + (lengths[at - base] as number);
      if (own > end) [farthest, end] = [at, own];
    }
    first = last;
  }
}

/** Ranges that begin at one offset, by length. */
function together(window: RangeWindow, first: number, last: number, sink: ClaimSink): void {
  const { lengths, base } = window;
  const lengthAt = (place: number): number => lengths[place - base] as number;
  const places = Array.from({ length: last - first }, (_, at) => first + at).filter((place) => lengthAt(place) > 0);
  for (let from = 0; from < places.length;) {
    const place = places[from] as number;
    let to = from + 1;
    while (to < places.length && lengthAt(places[to] as number) === lengthAt(place)) to += 1;
    if (to - from > 1) sink.same?.(places.slice(from, to));
    if (from > 0) sink.overlap?.(window, first, place);
    from = to;
  }
}

// Compares claims of the same bytes, by array: pairs of chunks, ranges that many share, overlaps. Bounded.

const MAX_PAIRS = 200_000;
const MAX_EXAMPLES = 100;
const MAX_OVERLAPS = 2000;

/** Two chunks with one range: places in the order. */
export type SamePair = readonly [one: number, other: number];

export interface SharingArrays extends Counted<SamePair> {
  readonly one: number;
  readonly other: number;
}

interface WrongOverlap extends OverlapCause {
  /** Further ones that it overlaps. */
  readonly others: number[];
}

/** Some of many, of which all are counted. */
interface Counted<One> {
  count: number;
  readonly examples: One[];
}

/** Under its key; `made` where that is met for the first time. */
function countIn<One, Of extends Counted<One>>(
  all: Map<number, Of>,
  key: number,
  one: One,
  made: Of,
  most = MAX_EXAMPLES,
): Of {
  const known = all.get(key) ?? made;
  all.set(key, known);
  known.count += 1;
  if (known.examples.length < most) known.examples.push(one);
  return known;
}

export type SameLog = ReturnType<typeof sameLog>;
export type OverlapLog = ReturnType<typeof overlapLog>;

/** `arrayOf`: the array of a place; `isOpen`: nothing else is known to be wrong with this range. */
export function overlapLog(arrayOf: (place: number) => number, isOpen: (place: number) => boolean) {
  const overlaps = new Map<number, WrongOverlap>();
  const moreOverlaps = new Map<number, number>();
  return {
    /** Overlaps by the place of the wrong range. */
    overlaps,
    /** Overlaps beyond those, by array. */
    moreOverlaps,
    overlap(window: RangeWindow, earlier: number, later: number): void {
      if (!isOpen(earlier) || !isOpen(later)) return;
      if (overlaps.size >= MAX_OVERLAPS) {
        moreOverlaps.set(arrayOf(later), (moreOverlaps.get(arrayOf(later)) ?? 0) + 1);
        return;
      }
      const cause = overlapCause(window, rangesAround(window.ranges, later), earlier, later);
      const known = overlaps.get(cause.wrong);
      if (known === undefined) overlaps.set(cause.wrong, { ...cause, others: [] });
      else if (known.others.length < MAX_EXAMPLES) known.others.push(cause.other);
    },
  };
}

/** `arrayOf`: the array of a place. */
export function sameLog(arrayOf: (place: number) => number) {
  const pairs = new Map<number, Counted<SamePair>>();
  const shared = new Map<number, Counted<number> & { ranges: number }>();
  const between = new Map<number, SharingArrays>();
  const noteShared = (places: readonly number[]): void => {
    const seen = new Set<number>();
    for (const place of places) {
      const id = arrayOf(place);
      const own = countIn(shared, id, place, { count: 0, ranges: 0, examples: [] });
      if (!seen.has(id)) own.ranges += 1;
      seen.add(id);
    }
  };
  const noteBetween = (one: number, other: number, pair: SamePair): void => {
    countIn(between, one * 65_536 + other, pair, { one, other, count: 0, examples: [] });
  };
  return {
    /** Within one array, by its id. */
    pairs,
    /** Ranges that three or more chunks have: the places, by array. */
    shared,
    between,
    same(places: readonly number[]): void {
      const [first, second] = places as [number, number];
      const one = arrayOf(first);
      if (places.length === 2 && one === arrayOf(second)) {
        countIn<SamePair, Counted<SamePair>>(pairs, one, [first, second], { count: 0, examples: [] }, MAX_PAIRS);
        return;
      }
      if (places.length > 2) noteShared(places);
      for (const [at, place] of places.slice(1).entries()) {
        const before = places[at] as number;
        const [a, b] = [arrayOf(before), arrayOf(place)];
        if (a < b) noteBetween(a, b, [before, place]);
        else if (a > b) noteBetween(b, a, [place, before]);
      }
    },
  };
}

/** The ranges of the target that a place is in. */
export function rangesAround(ranges: TargetRanges, place: number): readonly [from: number, to: number] {
  const id = targetAt(ranges, place);
  return [ranges.starts[id] as number, ranges.ends[id] as number];
}

// Which of two overlapping ranges is wrong, judged by what lies around them: ranges of a file mostly follow each other
// without gaps.

/**
 * `early`, `late`: it begins so many bytes off, by the gap on its other side. `long`: it ends behind where the next one
 * begins. `shifted`: it follows none of its neighbours. `claimed`: the same, and it lies mostly on bytes of others.
 */
type OverlapProblem = "early" | "late" | "long" | "shifted" | "claimed";

interface OverlapCause {
  readonly problem: OverlapProblem;
  /** Places in the order. */
  readonly wrong: number;
  readonly other: number;
  readonly bytes: number;
}

/** Ranges on either side that are looked at. */
const NEAR = 4;

/** `later` begins inside `earlier`; `[from, to)`: the ranges of their target. */
function overlapCause(
  order: RangeWindow,
  [from, to]: readonly [number, number],
  earlier: number,
  later: number,
): OverlapCause {
  const offset = offsetOf(order, earlier);
  const bytes = Math.min(endOf(order, earlier), endOf(order, later)) - offsetOf(order, later);
  const before = endBefore(order, from, earlier);
  const after = offsetAfter(order, to, later, earlier);
  if (after - endOf(order, later) === bytes) return { problem: "early", wrong: later, other: earlier, bytes };
  if (offset - before === bytes) return { problem: "late", wrong: earlier, other: later, bytes };
  for (const padding of PADDINGS) {
    const isSeated = isBeside(order, [from, to], earlier, padding);
    if (isSeated === isBeside(order, [from, to], later, padding)) continue;
    const [wrong, other] = isSeated ? [later, earlier] : [earlier, later];
    const problem = bytes * 2 >= lengthOf(order, wrong) ? "claimed" : "shifted";
    return { problem, wrong, other, bytes };
  }
  return { problem: "long", wrong: earlier, other: later, bytes };
}

/** Bytes that may lie between ranges that follow each other: none, or those that fill up to a multiple of 8 or 16. */
const PADDINGS = [0, 15] as const;

const offsetOf = ({ offsets, base }: RangeWindow, at: number): number => offsets[at - base] as number;
const lengthOf = ({ lengths, base }: RangeWindow, at: number): number => lengths[at - base] as number;
const endOf = (order: RangeWindow, at: number): number => offsetOf(order, at) + lengthOf(order, at);

function endBefore(order: RangeWindow, from: number, at: number): number {
  let end = -1;
  for (let place = Math.max(from, at - NEAR); place < at; place += 1) end = Math.max(end, endOf(order, place));
  return end;
}

function offsetAfter(order: RangeWindow, to: number, at: number, but: number): number {
  for (let place = at + 1; place < Math.min(to, at + NEAR); place += 1) {
    if (place !== but && offsetOf(order, place) > offsetOf(order, at)) return offsetOf(order, place);
  }
  return -1;
}

/** True if it begins where another ends, or ends where another begins. */
function isBeside(order: RangeWindow, [from, to]: readonly [number, number], at: number, padding: number): boolean {
  const [start, end] = [offsetOf(order, at), endOf(order, at)];
  for (let place = Math.max(from, at - NEAR); place < at; place += 1) {
    const gap = start - endOf(order, place);
    if (gap >= 0 && gap <= padding) return true;
  }
  for (let place = at + 1; place < Math.min(to, at + NEAR * 2); place += 1) {
    const gap = offsetOf(order, place) - end;
    if (gap >= 0) return gap <= padding;
  }
  return false;
}
