/** Ranges of a target one by one: a window of them, those that name a byte, and the one of a chunk. */
import type { SourceByte, SourceRange, SourceRanges } from "../../core/check/sources.ts";
import { viewRow } from "../table/rows.ts";
import type { TargetClaims } from "../table/target-ranges.ts";
import { firstAfter, firstReaching, isSame, sameAs } from "./claims-of-target.ts";
import type { SourceIndex } from "./source-index.ts";

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
  const [first, end] = sameAs(claims, place);
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
  const next = firstAfter(claims, byte);
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
  const first = firstWith(claims, from, to);
  for (let place = first; place < claims.count && isSame(claims, place, first); place += 1) {
    if (claims.rows[place] === row) return place;
  }
  return -1;
}

function firstWith(claims: TargetClaims, from: number, to: number): number {
  let [low, high] = [0, claims.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = claims.from[middle] as number;
    if (start < from || (start === from && (claims.to[middle] as number) < to)) low = middle + 1;
    else high = middle;
  }
  return low;
}
