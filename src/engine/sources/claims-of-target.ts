/** The ranges of one target in the order of their bytes, and what they come to: claimed, shared, overlapping, past the end. */
import type { CallContext } from "../../core/byte-source.ts";
import { LENGTH_WHOLE } from "../../core/table/reference-table.ts";
import type { SourceDetail } from "../../core/check/sources.ts";
import { startPace, type Pace } from "../pace.ts";
import { blockOf, lengthOf } from "../table/batch.ts";
import { placesInOrder } from "../table/radix.ts";
import { keptLast } from "./keep-last.ts";
import type { SourceIndex } from "./source-index.ts";
import type { TargetClaims } from "./target-claims.ts";

const MAX_KEPT = 2;

export function claimsOfTarget(sources: SourceIndex, place: number, context: CallContext): Promise<TargetClaims> {
  return keptLast(sources.kept.claims, place, MAX_KEPT, () => sortedClaims(sources, place, context));
}

const LOOK = 0xffff;

async function sortedClaims(sources: SourceIndex, place: number, context: CallContext): Promise<TargetClaims> {
  const of = sources.rows.subarray(sources.starts[place], sources.starts[place + 1]);
  const pace = startPace(context, "Sorting ranges", of.length);
  const found = await rangesOf(sources, of, pace);
  const { count } = found;
  const [from, to] = [found.from.subarray(0, count), found.to.subarray(0, count)];
  const byEnd = await order(to, pace);
  const byStart = await order(
    Float64Array.from(byEnd, (at) => from[at] as number),
    pace,
  );
  const at = byStart.map((one) => byEnd[one] as number);
  const sorted = {
    rows: at.map((one) => found.rows[one] as number),
    from: Float64Array.from(at, (one) => from[one] as number),
    to: Float64Array.from(at, (one) => to[one] as number),
  };
  let furthest = 0;
  const reach = sorted.to.map((end) => (furthest = Math.max(furthest, end)));
  return { ...sorted, count, reach, empty: found.empty };
}

/** Nearly all documents have ranges in order. */
async function order(values: Float64Array, pace: Pace): Promise<Uint32Array> {
  let isAscending = true;
  for (let at = 1; at < values.length; at += 1) isAscending &&= (values[at - 1] as number) <= (values[at] as number);
  return isAscending ? Uint32Array.from(values.keys()) : placesInOrder(values, pace);
}

async function rangesOf({ index: { table } }: SourceIndex, rows: Uint32Array, pace: Pace) {
  const found = {
    rows: new Uint32Array(rows.length),
    from: new Float64Array(rows.length),
    to: new Float64Array(rows.length),
    count: 0,
    empty: 0,
  };
  for (const [at, row] of rows.entries()) {
    const { target, offset, length } = blockOf(table, row);
    const within = row & 0xffff;
    const raw = length[within] as number;
    const bytes = raw === LENGTH_WHOLE ? -1 : lengthOf(table, row, target[within] as number, raw);
    if (bytes === 0) found.empty += 1;
    if (bytes > 0) {
      found.rows[found.count] = row;
      found.from[found.count] = offset[within] as number;
      found.to[found.count] = (offset[within] as number) + bytes;
      found.count += 1;
    }
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  return found;
}

type Totals = Pick<SourceDetail, "claimed" | "unclaimed" | "overlapping" | "shared" | "pastEnd" | "extent">;

/** `size`: of the target, where it is known. */
export function totalsOf(claims: TargetClaims, size: number | undefined): Totals {
  const furthest = claims.reach.at(-1) ?? 0;
  const end = size ?? furthest;
  let [claimed, pastEnd, shared] = [0, 0, 0];
  for (let at = 0; at < claims.count; at += 1) {
    const from = Math.max(claims.from[at] as number, at === 0 ? 0 : (claims.reach[at - 1] as number));
    const to = claims.to[at] as number;
    claimed += Math.max(0, Math.min(to, end) - Math.min(from, end));
    pastEnd += Math.max(0, to - Math.max(from, end));
    if (isSame(claims, at, at - 1) || isSame(claims, at, at + 1)) shared += 1;
  }
  return {
    claimed,
    unclaimed: end - claimed,
    overlapping: overlappingBytes(claims),
    shared,
    pastEnd: size === undefined ? 0 : pastEnd,
    extent: Math.max(size ?? 0, furthest),
  };
}

export const isSame = ({ from, to }: TargetClaims, one: number, other: number): boolean =>
  from[one] === from[other] && to[one] === to[other];

/** Bytes that at least two different ranges name; each counts once. */
function overlappingBytes(claims: TargetClaims): number {
  let [bytes, counted] = [0, 0];
  eachOverlap(claims, 0, (from, to) => {
    bytes += Math.max(0, to - Math.max(from, counted));
    counted = Math.max(counted, to);
  });
  return bytes;
}

/** Bytes that a range has in common with those before it that are not the same; by ascending beginnings. */
export function eachOverlap(
  { count, from, to, reach }: TargetClaims,
  first: number,
  see: (from: number, to: number, at: number) => boolean | void,
): void {
  let group = first;
  for (let at = first; at < count; at += 1) {
    if (from[at] !== from[group] || to[at] !== to[group]) group = at;
    const before = group === 0 ? 0 : (reach[group - 1] as number);
    const start = from[at] as number;
    if (before > start && see(start, Math.min(before, to[at] as number), at) === false) return;
  }
}

/** Place of the first range that reaches past a byte, or has others before it that do. */
export function firstReaching({ reach, count }: TargetClaims, byte: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((reach[middle] as number) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of the first range that begins past a byte. */
export function firstAfter({ from, count }: TargetClaims, byte: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((from[middle] as number) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First place of the ranges that are the same as this one, and the place after the last. */
export function sameAs(claims: TargetClaims, place: number): readonly [from: number, to: number] {
  const [from, to] = [claims.from[place] as number, claims.to[place] as number];
  const before = (at: number): boolean =>
    (claims.from[at] as number) < from || (claims.from[at] === from && (claims.to[at] as number) < to);
  let [low, high] = [0, place];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  let [next, end] = [place, claims.count];
  while (next < end) {
    const middle = (next + end) >>> 1;
    if (isSame(claims, middle, place)) next = middle + 1;
    else end = middle;
  }
  return [low, next];
}
