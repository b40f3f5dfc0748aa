/**
 * The ranges of one target in the order of their bytes, and what they come to: claimed, shared, overlapping, past the
 * end.
 */
import type { SourceByte, SourceDetail, SourceRange, SourceRanges } from "#core/check/sources.ts";
import { firstPlace } from "#core/basics.ts";
import { viewRow } from "../table/rows.ts";
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
export const firstReaching = ({ reach, count }: TargetClaims, byte: number): number =>
  firstPlace(0, count, (at) => (reach[at] as number) <= byte);

/** True if the range at a place begins before another, or at the same byte and ends before. */
function isBefore({ from, to }: TargetClaims, at: number, start: number, end: number): boolean {
  const own = from[at] as number;
  return own < start || (own === start && (to[at] as number) < end);
}

// Single ranges: a window of them, the ranges covering a byte, and a chunk's range.

/** `size`: of the target, where it is known. */
export interface OfTarget {
  readonly sources: SourceIndex;
  readonly claims: TargetClaims;
  readonly size: number | undefined;
}

const MAX_RANGES = 1000;

export function rangesBetween(of: OfTarget, from: number, to: number): SourceRanges {
  const end = Math.min(to, from + MAX_RANGES, of.claims.count);
  const ranges: SourceRange[] = [];
  for (let place = Math.max(0, from); place < end; place += 1) ranges.push(rangeAt(of, place));
  return { total: of.claims.count, ranges };
}

const NO_READINGS = new Map();

function rangeAt({ sources, claims, size }: OfTarget, place: number): SourceRange {
  const [from, to] = [claims.from[place] as number, claims.to[place] as number];
  const { key, array, coordinates } = viewRow(sources.index, { row: claims.rows[place] as number }, place, NO_READINGS);
  // The first of the identical ranges, and the place after the last.
  const first = firstPlace(0, place, (at) => isBefore(claims, at, from, to));
  const end = firstPlace(place, claims.count, (at) => isSame(claims, at, place));
  const reachedBefore = first === 0 ? 0 : (claims.reach[first - 1] as number);
  const isEntered = end < claims.count && (claims.from[end] as number) < to;
  return {
    place,
    from,
    to,
    key,
    array,
    coordinates,
    before: place === first ? Math.max(0, from - reachedBefore) : 0,
    same: end - first - 1,
    overlaps: isEntered || reachedBefore > from,
    pastEnd: size === undefined ? 0 : Math.max(0, to - Math.max(from, size)),
  };
}

const MAX_AT_BYTE = 20;

export function rangesAtByte(of: OfTarget, byte: number): SourceByte {
  const { claims, size } = of;
  const next = firstPlace(0, claims.count, (at) => (claims.from[at] as number) <= byte);
  const places: number[] = [];
  let count = 0;
  for (let place = firstReaching(claims, byte); place < next; place += 1) {
    if ((claims.to[place] as number) <= byte) continue;
    count += 1;
    if (places.length < MAX_AT_BYTE) places.push(place);
  }
  const ranges = places.map((place) => rangeAt(of, place));
  const place = places[0] ?? Math.min(next, claims.count - 1);
  if (count > 0) return { byte, ranges, count, place };
  const from = next === 0 ? 0 : (claims.reach[next - 1] as number);
  const after = next < claims.count ? (claims.from[next] as number) : size;
  // A gap that would begin past the end of the target ends nowhere.
  const to = after !== undefined && after > byte ? after : undefined;
  return { byte, ranges, count, place, gap: { from, to } };
}

/** Place of the range in a row of the table, -1 where it names no bytes or all of the target. */
export function placeOfRow({ claims }: OfTarget, row: number, from: number, to: number): number {
  const first = firstPlace(0, claims.count, (at) => isBefore(claims, at, from, to));
  for (let place = first; place < claims.count && isSame(claims, place, first); place += 1) {
    if (claims.rows[place] === row) return place;
  }
  return -1;
}
