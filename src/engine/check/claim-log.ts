/** What claims of the same bytes come to, by array: pairs of chunks, ranges that many share, overlaps. Bounded. */
import type { ClaimSink } from "./claims.ts";
import { overlapCause, type OverlapCause } from "./overlap-cause.ts";
import type { RangeOrder } from "./range-order.ts";

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
