/** Which of two overlapping ranges is wrong, judged by what lies around them: ranges of a file mostly follow each other without gaps. */
import type { RangeOrder } from "./range-order.ts";

/**
 * `early`, `late`: it begins so many bytes off, by the gap on its other side. `long`: it ends behind where the next one
 * begins. `shifted`: it follows none of its neighbours. `claimed`: the same, and it lies mostly on bytes of others.
 */
export type OverlapProblem = "early" | "late" | "long" | "shifted" | "claimed";

export interface OverlapCause {
  readonly problem: OverlapProblem;
  /** Places in the order. */
  readonly wrong: number;
  readonly other: number;
  readonly bytes: number;
}

/** Ranges on either side that are looked at. */
const NEAR = 4;

/** `later` begins inside `earlier`; `[from, to)`: the ranges of their target. */
export function overlapCause(
  order: RangeOrder,
  [from, to]: readonly [number, number],
  earlier: number,
  later: number,
): OverlapCause {
  const { offsets } = order;
  const bytes = Math.min(endOf(order, earlier), endOf(order, later)) - (offsets[later] as number);
  const before = endBefore(order, from, earlier);
  const after = offsetAfter(order, to, later, earlier);
  if (after - endOf(order, later) === bytes) return { problem: "early", wrong: later, other: earlier, bytes };
  if ((offsets[earlier] as number) - before === bytes) return { problem: "late", wrong: earlier, other: later, bytes };
  for (const padding of PADDINGS) {
    const isSeated = isBeside(order, [from, to], earlier, padding);
    if (isSeated === isBeside(order, [from, to], later, padding)) continue;
    const [wrong, other] = isSeated ? [later, earlier] : [earlier, later];
    const problem = bytes * 2 >= (order.lengths[wrong] as number) ? "claimed" : "shifted";
    return { problem, wrong, other, bytes };
  }
  return { problem: "long", wrong: earlier, other: later, bytes };
}

/** Bytes that may lie between ranges that follow each other: none, or those that fill up to a multiple of 8 or 16. */
const PADDINGS = [0, 15] as const;

const endOf = ({ offsets, lengths }: RangeOrder, at: number): number =>
  (offsets[at] as number) + (lengths[at] as number);

function endBefore(order: RangeOrder, from: number, at: number): number {
  let end = -1;
  for (let place = Math.max(from, at - NEAR); place < at; place += 1) end = Math.max(end, endOf(order, place));
  return end;
}

function offsetAfter({ offsets }: RangeOrder, to: number, at: number, but: number): number {
  for (let place = at + 1; place < Math.min(to, at + NEAR); place += 1) {
    if (place !== but && (offsets[place] as number) > (offsets[at] as number)) return offsets[place] as number;
  }
  return -1;
}

/** Whether it begins where another ends, or ends where another begins. */
function isBeside(order: RangeOrder, [from, to]: readonly [number, number], at: number, padding: number): boolean {
  const [start, end] = [order.offsets[at] as number, endOf(order, at)];
  for (let place = Math.max(from, at - NEAR); place < at; place += 1) {
    const gap = start - endOf(order, place);
    if (gap >= 0 && gap <= padding) return true;
  }
  for (let place = at + 1; place < Math.min(to, at + NEAR * 2); place += 1) {
    const gap = (order.offsets[place] as number) - end;
    if (gap >= 0) return gap <= padding;
  }
  return false;
}
