/** Bytes of a target that more than one chunk claims: the same range, or ranges that overlap. */
import type { RangeWindow } from "./range-order.ts";

/** Places in a `RangeOrder`. */
export interface ClaimSink {
  /** Ranges `[from, to)` are the same. */
  same(from: number, to: number): void;
  /** `later` begins inside `earlier`, or they begin together and differ in length; both in the window. */
  overlap(window: RangeWindow, earlier: number, later: number): void;
}

/** Ranges that begin together and are compared by length: more are no chunks of a file. */
const MAX_TOGETHER = 100_000;

export function findClaims(window: RangeWindow, sink: ClaimSink): void {
  const { starts, targets } = window;
  for (let target = targets[0]; target < targets[1]; target += 1) {
    const [from, to] = [starts[target] as number, starts[target + 1] as number];
    if (to - from > 1) inTarget(window, from, to, sink);
  }
}

function inTarget(window: RangeWindow, from: number, to: number, sink: ClaimSink): void {
  const { offsets, lengths, base } = window;
  let [farthest, end] = [-1, -1];
  for (let first = from; first < to;) {
    const offset = offsets[first - base] as number;
    let last = first + 1;
    while (last < to && offsets[last - base] === offset) last += 1;
    if (offset < end) sink.overlap(window, farthest, first);
    if (last - first > 1) together(window, first, last, sink);
    for (let at = first; at < last; at += 1) {
      const own = offset + (lengths[at - base] as number);
      if (own > end) [farthest, end] = [at, own];
    }
    first = last;
  }
}

/** Ranges that begin at one offset. */
function together(window: RangeWindow, first: number, last: number, sink: ClaimSink): void {
  const { lengths, base } = window;
  const lengthAt = (place: number): number => lengths[place - base] as number;
  let isSame = true;
  for (let at = first + 1; at < last; at += 1) isSame &&= lengthAt(at) === lengthAt(first);
  if (!isSame && last - first <= MAX_TOGETHER) byLength(window, first, last);
  for (let from = first; from < last;) {
    let to = from + 1;
    while (to < last && lengthAt(to) === lengthAt(from)) to += 1;
    if (to - from > 1) sink.same(from, to);
    if (from > first) sink.overlap(window, first, from);
    from = to;
  }
}

function byLength({ rows, lengths, base }: RangeWindow, first: number, last: number): void {
  const places = Array.from({ length: last - first }, (_, at) => first + at).sort(
    (one, other) => (lengths[one - base] as number) - (lengths[other - base] as number),
  );
  const sorted = places.map((at) => [rows[at - base] as number, lengths[at - base] as number] as const);
  for (const [at, [row, length]] of sorted.entries()) {
    rows[first - base + at] = row;
    lengths[first - base + at] = length;
  }
}
