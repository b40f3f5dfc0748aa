/** Which of two overlapping ranges is wrong, judged by what lies around them: ranges of a file mostly follow each other without gaps. */
import type { RangeWindow } from "./range-order.ts";

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
