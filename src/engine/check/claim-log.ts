/** What claims of the same bytes come to, by array: pairs of chunks, ranges that many share, overlaps. Bounded. */
import type { ClaimSink } from "./claims.ts";
import type { RangeOrder, RangeWindow } from "./range-order.ts";

const MAX_PAIRS = 200_000;
const MAX_EXAMPLES = 100;
const MAX_OVERLAPS = 2000;

/** Two chunks with one range: places in the order. */
export type SamePair = readonly [one: number, other: number];

export interface SharingArrays {
  readonly one: number;
  readonly other: number;
  count: number;
  readonly examples: SamePair[];
}

export interface WrongOverlap extends OverlapCause {
  /** Further ones that it overlaps. */
  readonly others: number[];
}

export interface ClaimLog extends ClaimSink {
  /** Within one array, by its id. */
  readonly pairs: ReadonlyMap<number, { count: number; readonly examples: SamePair[] }>;
  /** Ranges that three or more chunks have: the places, by array. */
  readonly shared: ReadonlyMap<number, { count: number; ranges: number; readonly examples: number[] }>;
  readonly between: ReadonlyMap<number, SharingArrays>;
  /** By the place of the wrong one. */
  readonly overlaps: ReadonlyMap<number, WrongOverlap>;
  /** Overlaps beyond those, by array. */
  readonly moreOverlaps: ReadonlyMap<number, number>;
  /** Counts up with each thing that is noted. */
  noted(): number;
}

/** `arrayOf`: the array of a place; `isExplained`: something else is wrong with this range already. */
export function claimLog(arrayOf: (place: number) => number, isExplained: (place: number) => boolean): ClaimLog {
  const sames = sameRanges(arrayOf);
  const overlaps = new Map<number, WrongOverlap>();
  const moreOverlaps = new Map<number, number>();
  let noted = 0;
  return {
    ...sames,
    overlaps,
    moreOverlaps,
    noted: () => noted,
    same(from, to) {
      noted += 1;
      sames.same(from, to);
    },
    overlap(window, earlier, later) {
      if (isExplained(earlier) || isExplained(later)) return;
      noted += 1;
      if (overlaps.size >= MAX_OVERLAPS) {
        moreOverlaps.set(arrayOf(later), (moreOverlaps.get(arrayOf(later)) ?? 0) + 1);
        return;
      }
      const cause = overlapCause(window, targetAround(window, later), earlier, later);
      const known = overlaps.get(cause.wrong);
      if (known === undefined) overlaps.set(cause.wrong, { ...cause, others: [] });
      else if (known.others.length < MAX_EXAMPLES) known.others.push(cause.other);
    },
  };
}

function sameRanges(
  arrayOf: (place: number) => number,
): Omit<ClaimLog, "overlap" | "overlaps" | "moreOverlaps" | "noted"> {
  const pairs = new Map<number, { count: number; readonly examples: SamePair[] }>();
  const shared = new Map<number, { count: number; ranges: number; readonly examples: number[] }>();
  const between = new Map<number, SharingArrays>();
  const noteShared = (from: number, to: number): void => {
    const seen = new Set<number>();
    for (let place = from; place < to; place += 1) {
      const id = arrayOf(place);
      const own = shared.get(id) ?? { count: 0, ranges: 0, examples: [] };
      shared.set(id, own);
      own.count += 1;
      if (!seen.has(id)) own.ranges += 1;
      seen.add(id);
      if (own.examples.length < MAX_EXAMPLES) own.examples.push(place);
    }
  };
  const notePair = (id: number, pair: SamePair): void => {
    const known = pairs.get(id) ?? { count: 0, examples: [] };
    pairs.set(id, known);
    known.count += 1;
    if (known.examples.length < MAX_PAIRS) known.examples.push(pair);
  };
  const noteBetween = (one: number, other: number, pair: SamePair): void => {
    const key = one * 65_536 + other;
    const known = between.get(key) ?? { one, other, count: 0, examples: [] };
    between.set(key, known);
    known.count += 1;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(pair);
  };
  return {
    pairs,
    shared,
    between,
    same(from, to) {
      const one = arrayOf(from);
      if (to - from === 2 && one === arrayOf(from + 1)) return notePair(one, [from, from + 1]);
      if (to - from > 2) noteShared(from, to);
      for (let at = from + 1; at < to; at += 1) {
        const [a, b] = [arrayOf(at - 1), arrayOf(at)];
        if (a < b) noteBetween(a, b, [at - 1, at]);
        else if (a > b) noteBetween(b, a, [at, at - 1]);
      }
    },
  };
}

/** The ranges of the target that a place is in. */
export function targetAround({ starts }: Pick<RangeOrder, "starts">, place: number): readonly [number, number] {
  let [low, high] = [0, starts.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return [starts[low] as number, starts[low + 1] as number];
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

/** Whether it begins where another ends, or ends where another begins. */
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
