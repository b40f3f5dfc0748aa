/** The ranges of one target in the order of their bytes, and what they come to: claimed, shared, overlapping, past the end. */
import type { SourceDetail } from "../../core/check/sources.ts";
import { claimsOfTarget, type TargetClaims } from "../table/target-ranges.ts";
import { keptLast } from "../kept.ts";
import { referencesOf, type SourceIndex } from "./source-index.ts";

const MAX_KEPT = 2;

export function claimsOfPlace(sources: SourceIndex, place: number): Promise<TargetClaims> {
  const { ids, kept, ranges } = sources;
  return keptLast(kept.claims, place, MAX_KEPT, async () => claimsOfTarget(ranges, ids[place] as number));
}

/** References that name no bytes, though not all of the target. */
export const emptyRanges = (sources: SourceIndex, place: number, { count }: TargetClaims): number =>
  referencesOf(sources, place) - (sources.whole[place] as number) - count;

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
