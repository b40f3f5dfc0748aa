/** Bytes of a target that more than one chunk claims: the same range, or ranges that overlap. */
import type { CallContext } from "../../core/byte-source.ts";
import { startPace } from "../pace.ts";
import type { RangeOrder } from "./range-order.ts";

/** Places in a `RangeOrder`. */
export interface ClaimSink {
  /** Ranges `[from, to)` are the same. */
  same(from: number, to: number): void;
  /** `later` begins inside `earlier`, or they begin together and differ in length. */
  overlap(earlier: number, later: number): void;
}

/** Ranges that begin together and are compared by length: more are no chunks of a file. */
const MAX_TOGETHER = 100_000;

export async function findClaims(order: RangeOrder, sink: ClaimSink, context: CallContext): Promise<void> {
  const { starts } = order;
  const pace = startPace(context, "Comparing ranges", order.rows.length);
  for (let target = 0; target + 1 < starts.length; target += 1) {
    const [from, to] = [starts[target] as number, starts[target + 1] as number];
    if (to - from > 1) inTarget(order, from, to, sink);
    if ((target & 0xff) === 0) await pace.yieldIfDue(to);
  }
}

function inTarget(order: RangeOrder, from: number, to: number, sink: ClaimSink): void {
  const { offsets, lengths } = order;
  let [farthest, end] = [-1, -1];
  for (let first = from; first < to;) {
    const offset = offsets[first] as number;
    let last = first + 1;
    while (last < to && offsets[last] === offset) last += 1;
    if (offset < end) sink.overlap(farthest, first);
    if (last - first > 1) together(order, first, last, sink);
    for (let at = first; at < last; at += 1) {
      const own = offset + (lengths[at] as number);
      if (own > end) [farthest, end] = [at, own];
    }
    first = last;
  }
}

/** Ranges that begin at one offset. */
function together(order: RangeOrder, first: number, last: number, sink: ClaimSink): void {
  const { lengths } = order;
  let isSame = true;
  for (let at = first + 1; at < last; at += 1) isSame &&= lengths[at] === lengths[first];
  if (!isSame && last - first <= MAX_TOGETHER) byLength(order, first, last);
  for (let from = first; from < last;) {
    let to = from + 1;
    while (to < last && lengths[to] === lengths[from]) to += 1;
    if (to - from > 1) sink.same(from, to);
    if (from > first) sink.overlap(first, from);
    from = to;
  }
}

function byLength({ rows, lengths }: RangeOrder, first: number, last: number): void {
  const places = Array.from({ length: last - first }, (_, at) => first + at).sort(
    (one, other) => (lengths[one] as number) - (lengths[other] as number),
  );
  const sorted = places.map((at) => [rows[at] as number, lengths[at] as number] as const);
  for (const [at, [row, length]] of sorted.entries()) {
    rows[first + at] = row;
    lengths[first + at] = length;
  }
}
