/** How rough a chunk's values are, as its elements are declared to lie, and as they would be in the other order. */
import { stridesC } from "#core/values/gather.ts";
import type { NumberArray } from "#core/values/values.ts";

/**
 * Mean differences between neighbours along the dimensions, as a share of the spread: about 1.1 for noise. NaN where
 * there are none.
 */
export interface Roughness {
  readonly rough: number;
  /** The same bytes read in the other order (C or F); NaN where that is the same. */
  readonly otherwise: number;
  /** With rows and columns of each plane transposed, where that is another reading. */
  readonly transposed: number;
}

interface About {
  readonly spread: number;
  readonly along: number;
}

export interface Field {
  readonly numbers: NumberArray;
  /** Whole chunk, in C order. */
  readonly shape: readonly number[];
  /** The part inside the array's edge. */
  readonly inside: readonly number[];
  readonly isMissing: (index: number) => boolean;
}

/** Pairs that are looked at along each dimension. */
const MAX_PAIRS = 2048;
const LEAST_PAIRS = 8;

/**
 * `along`: the dimension that is left out where there are others, since from step to step fields may change as they
 * like.
 */
export function roughnessOf(field: Field, order: "C" | "F", { spread, along }: About): Roughness {
  const long = field.inside.flatMap((length, axis) => (length > 1 ? [axis] : []));
  const axes = long.length > 1 ? long.filter((axis) => axis !== along) : long;
  if (!(spread > 0) || axes.length === 0) return { rough: NaN, otherwise: NaN, transposed: NaN };
  const rough = meanOver(axes, (axis) => alongAxis(field, axis, identity)) / spread;
  const isWhole = field.inside.every((length, axis) => length === field.shape[axis]);
  if (long.length < 2 || !isWhole) return { rough, otherwise: NaN, transposed: NaN };
  const lengths = field.shape.filter((length) => length > 1);
  const [first = 1, beforeLast = 1, last = 1] = [lengths[0], lengths.at(-2), lengths.at(-1)];
  // A reading that is no smoother needs no second look.
  const read = (place: Place, rows: number, declared: number) => {
    const other = meanOver(axes, (axis) => alongAxis(field, axis, place)) / spread;
    return other < rough && rowsEnd(field, order, rows, declared, spread) ? other : NaN;
  };
  const [fastest, slowest] = order === "C" ? [last, first] : [first, last];
  const otherwise = read(turnedIndex(field.shape, order), slowest, fastest);
  if (lengths.length < 3 || order === "F") return { rough, otherwise, transposed: NaN };
  return { rough, otherwise, transposed: read(planesTransposed(beforeLast, last), beforeLast, last) };
}

type Place = (index: number) => number;

/** Place of an element of a plane of so many rows and columns, stored column by column. */
function planesTransposed(rows: number, columns: number): Place {
  const plane = rows * columns;
  return (index) => {
    const within = index % plane;
    return index - within + (within % columns) * rows + Math.floor(within / columns);
  };
}

const identity = (index: number): number => index;

function meanOver(axes: readonly number[], roughness: (axis: number) => number): number {
  const found = axes.map(roughness).filter((one) => !Number.isNaN(one));
  return found.length === 0 ? NaN : found.reduce((sum, one) => sum + one, 0) / found.length;
}

const MAX_ELEMENTS = 16_384;
/** Elements that are stored one after another are neighbours in the order that is meant: they differ less than any two. */
const MOST_INSIDE = 0.6;

/**
 * True if values jump where rows of the one length end at least as they do with rows of the declared length: coarse
 * grids with a steep gradient along one dimension are smoother in the wrong order, but do not jump at the ends of its
 * rows.
 */
function rowsEnd({ numbers, shape }: Field, order: "C" | "F", row: number, declared: number, spread: number): boolean {
  const stored = order === "C" ? identity : turnedIndex(shape, order);
  const jumps = (length: number) => {
    let [inside, ends, insides, rows] = [0, 0, 0, 0];
    for (let at = 0; at + 1 < Math.min(numbers.length, MAX_ELEMENTS); at += 1) {
      const difference = Math.abs((numbers[stored(at + 1)] as number) - (numbers[stored(at)] as number));
      if (!Number.isFinite(difference)) continue;
      if (at % length === length - 1) [ends, rows] = [ends + difference, rows + 1];
      else [inside, insides] = [inside + difference, insides + 1];
    }
    return { inside: inside / insides, score: ends / rows / (inside / insides) };
  };
  const [other, own] = [jumps(row), jumps(declared)];
  return other.inside < spread * MOST_INSIDE && other.score > own.score;
}

/** Mean difference between neighbours along a dimension; `place`: where an element of the C-ordered field is kept. */
function alongAxis({ numbers, inside, shape, isMissing }: Field, axis: number, place: (index: number) => number) {
  const strides = stridesC(shape);
  const extents = inside.map((length, at) => (at === axis ? length - 1 : length));
  const pairs = extents.reduce((product, length) => product * length, 1);
  const step = Math.max(1, pairs / MAX_PAIRS);
  const stride = strides[axis] as number;
  let [sum, counted] = [0, 0];
  for (let pair = 0; pair < pairs; pair += step) {
    let rest = Math.floor(pair);
    let index = 0;
    for (let at = extents.length - 1; at >= 0; at -= 1) {
      const length = extents[at] as number;
      index += (rest % length) * (strides[at] as number);
      rest = Math.floor(rest / length);
    }
    const [one, other] = [place(index), place(index + stride)];
    const difference = Math.abs((numbers[one] as number) - (numbers[other] as number));
    if (!Number.isFinite(difference) || isMissing(one) || isMissing(other)) continue;
    sum += difference;
    counted += 1;
  }
  return counted < Math.min(LEAST_PAIRS, pairs) ? NaN : sum / counted;
}

/**
 * Index in C order of an element when the stored bytes are taken in the other order than declared. Declared C: the
 * element's place in F order. Declared F: the value in C order at a place of the file was moved to its place in F
 * order.
 */
function turnedIndex(shape: readonly number[], order: "C" | "F"): (index: number) => number {
  const forward = stridesC(shape);
  const backward = stridesC(shape.toReversed()).toReversed();
  const [from, to] = order === "C" ? [forward, backward] : [backward, forward];
  // A dimension of one element has the stride of its neighbour.
  const axes = [...shape.keys()]
    .filter((axis) => shape[axis] !== 1)
    .toSorted((a, b) => (from[b] as number) - (from[a] as number));
  return (index) => {
    let rest = index;
    let place = 0;
    for (const axis of axes) {
      const stride = from[axis] as number;
      place += Math.floor(rest / stride) * (to[axis] as number);
      rest %= stride;
    }
    return place;
  };
}
