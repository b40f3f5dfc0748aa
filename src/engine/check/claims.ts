/** Bytes of a target that more than one chunk claims: the same range, or ranges that overlap. */
import type { RangeWindow } from "../table/target-ranges.ts";

/** Places among the ranges of targets. */
export interface ClaimSink {
  /** At least two that are the same. */
  same?(places: readonly number[]): void;
  /** `later` begins inside `earlier`, or they begin together and differ in length; both in the window. */
  overlap?(window: RangeWindow, earlier: number, later: number): void;
}

export function findClaims(window: RangeWindow, sink: ClaimSink): void {
  const {
    ranges: { starts, ends, common },
    targets,
  } = window;
  for (let target = targets[0]; target < targets[1]; target += 1) {
    const [from, to] = [starts[target] as number, ends[target] as number];
    if (common[target] === 1) inTarget(window, from, to, sink);
  }
}

function inTarget(window: RangeWindow, from: number, to: number, sink: ClaimSink): void {
  const { offsets, lengths, base } = window;
  let [farthest, end] = [-1, -1];
  for (let first = from; first < to;) {
    const offset = offsets[first - base] as number;
    // Those that are left out have no length here.
    if (lengths[first - base] === 0) {
      first += 1;
      continue;
    }
    let last = first + 1;
    while (last < to && offsets[last - base] === offset) last += 1;
    if (offset < end) sink.overlap?.(window, farthest, first);
    if (last - first > 1) together(window, first, last, sink);
    for (let at = first; at < last; at += 1) {
      const own = offset + (lengths[at - base] as number);
      if (own > end) [farthest, end] = [at, own];
    }
    first = last;
  }
}

/** Ranges that begin at one offset, by length. */
function together(window: RangeWindow, first: number, last: number, sink: ClaimSink): void {
  const { lengths, base } = window;
  const lengthAt = (place: number): number => lengths[place - base] as number;
  const places = Array.from({ length: last - first }, (_, at) => first + at).filter((place) => lengthAt(place) > 0);
  for (let from = 0; from < places.length;) {
    const place = places[from] as number;
    let to = from + 1;
    while (to < places.length && lengthAt(places[to] as number) === lengthAt(place)) to += 1;
    if (to - from > 1) sink.same?.(places.slice(from, to));
    if (from > 0) sink.overlap?.(window, first, place);
    from = to;
  }
}
