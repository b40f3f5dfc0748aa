/**
 * Entries that represent all chunks whose keys begin with theirs (the "composite store" of the proposal's discussion,
 * zarr-specs issue 287): such a chunk is at the entry's path with the rest of its key appended. A chunk with an entry of
 * its own has that; of several prefixes the longest counts. Which of these chunks exist nothing says.
 */
import { firstPlace } from "#core/basics.ts";
import { chunkName, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import type { Finding } from "#core/findings/finding.ts";

/** The part of a chunk's key that a prefix fixes. */
export interface PrefixMeaning {
  /** Coordinates that it fixes, from the first dimension on. */
  readonly fixed: readonly number[];
  /** Between those of the rest. */
  readonly separator: "." | "/";
  /** Character before the rest of the key; absent if the rest is the whole name, as the array's metadata spell it. */
  readonly before?: "" | "." | "/";
}

export interface PrefixEntry {
  readonly key: string;
  readonly meaning: PrefixMeaning;
  readonly value:
    | { readonly kind: "path"; readonly path: string }
    /** None of its chunks exist. */
    | { readonly kind: "empty" }
    /** It cannot be followed; the finding has no place yet. */
    | { readonly kind: "refused"; readonly reason: Finding };
}

/** Which chunks are below prefixes, so that whether they exist must be asked. */
export type PrefixCover = ReturnType<typeof prefixCover>;

/**
 * Path of a chunk below a prefix: the entry's path and the rest of the key. `separator`: that of the array's own keys.
 */
export function pathBelow({ meaning, value }: PrefixEntry, coordinates: readonly number[], separator: KeySeparator) {
  const path = value.kind === "path" ? value.path : "";
  if (meaning.before === undefined) return path + chunkName(coordinates, separator);
  return path + meaning.before + coordinates.slice(meaning.fixed.length).join(meaning.separator);
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly prefix: PrefixEntry;
}

interface Segment extends Span {
  /** Chunks that are asked for in the segments before. */
  readonly before: number;
}

/** `exact`: ordinals of the chunks with entries of their own, in any order. */
export function prefixCover(prefixes: readonly PrefixEntry[], exact: Iterable<number>, grid: readonly number[]) {
  const holes = Float64Array.from(exact).sort();
  const segments: Segment[] = [];
  let count = 0;
  for (const { from, to, prefix } of segmentsOf(prefixes, grid)) {
    if (prefix.value.kind === "empty") continue;
    segments.push({ from, to, prefix, before: count });
    count += to - from - holesIn(holes, from, to);
  }
  const segmentAt = (index: number): Segment => {
    const segment = segments[firstPlace(0, segments.length, (at) => (segments[at]?.before ?? 0) <= index) - 1];
    if (segment === undefined || index >= count) throw new RangeError(`There is no chunk ${index} below a prefix.`);
    return segment;
  };
  return {
    /** How many these are. */
    count,
    /** Place of a chunk among them, in the order of the grid; `undefined` where it is none. */
    indexOf(ordinal: number): number | undefined {
      const segment = segments[firstPlace(0, segments.length, (at) => (segments[at]?.from ?? 0) <= ordinal) - 1];
      if (segment === undefined || ordinal >= segment.to || holesIn(holes, ordinal, ordinal + 1) > 0) return undefined;
      return segment.before + ordinal - segment.from - holesIn(holes, segment.from, ordinal);
    },
    /** Ordinal of the chunk at a place, below `count`. */
    ordinalAt(index: number): number {
      const { from, to, before } = segmentAt(index);
      const wanted = index - before + 1;
      return firstPlace(from, to, (at) => at + 1 - from - holesIn(holes, from, at + 1) < wanted);
    },
    /** The prefix that a chunk at a place is below. */
    prefixAt: (index: number): PrefixEntry => segmentAt(index).prefix,
  };
}

/** Each once, as an ordinal has one entry that counts. */
function holesIn(holes: Float64Array, from: number, to: number): number {
  const before = (ordinal: number) => firstPlace(0, holes.length, (at) => (holes[at] ?? 0) < ordinal);
  return before(to) - before(from);
}

/**
 * The spans of the prefixes, cut so that none overlap: a prefix fixes the first coordinates, so its chunks follow each
 * other in the grid, and two spans are apart or one within the other. Of two that are the same the later entry counts.
 */
function segmentsOf(prefixes: readonly PrefixEntry[], grid: readonly number[]): readonly Span[] {
  const spans = prefixes.map((prefix) => spanOf(prefix, grid));
  const sorted = spans.toSorted((a, b) => a.from - b.from || b.to - a.to || a.prefix.key.length - b.prefix.key.length);
  const segments: Span[] = [];
  const open: Span[] = [];
  let at = 0;
  const upTo = (end: number): void => {
    const inner = open.at(-1);
    if (inner !== undefined && at < end) segments.push({ from: at, to: end, prefix: inner.prefix });
    at = Math.max(at, end);
  };
  const closeUntil = (from: number): void => {
    for (let inner = open.at(-1); inner !== undefined && inner.to <= from; inner = open.at(-1)) {
      upTo(inner.to);
      open.pop();
    }
  };
  for (const span of sorted) {
    closeUntil(span.from);
    upTo(span.from);
    open.push(span);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return segments;
}

function spanOf(prefix: PrefixEntry, grid: readonly number[]): Span {
  const { fixed } = prefix.meaning;
  const size = grid.slice(fixed.length).reduce((product, count) => product * count, 1);
  const first = fixed.reduce((ordinal, at, dimension) => ordinal * (grid[dimension] ?? 0) + at, 0);
  return { from: first * size, to: (first + 1) * size, prefix };
}
