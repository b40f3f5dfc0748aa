/** Finds by how many whole cells one field must be shifted to be like another: pure, over values at the same places. */

export interface Plane {
  /** NaN where there is none. */
  readonly values: Float64Array;
  /** 1 along the axis of the steps. */
  readonly shape: readonly number[];
}

/** Number of cells by which the value at a place of the earlier step lies further in the later one. */
export interface Shift {
  /** For each dimension. */
  readonly by: readonly number[];
  /** Half around the dimension: from 0 to 360 degrees, say, rather than from -180 to 180. */
  readonly wraps: boolean;
}

type Pairs = readonly (readonly [Plane, Plane])[];

/** Cells that are tried to each side, and a share of the dimension; shorter dimensions are left alone. */
const MAX_CELLS = 16;
const MOST_OF_LENGTH = 0.4;
const LEAST_LENGTH = 6;
/** Places that are compared for each. */
const MAX_PLACES = 400;
const LEAST_PLACES = 24;

/** The one that brings the two nearest, where they are then less than `most` of their distance apart. */
export function bestShift(pairs: Pairs, canWrap: (dimension: number) => boolean, most = 0.5): Shift | undefined {
  const [pair] = pairs;
  if (pair === undefined) return undefined;
  const [{ shape }] = pair;
  const longest = [...shape.keys()].toSorted((a, b) => (shape[b] ?? 0) - (shape[a] ?? 0)).slice(0, 2);
  const reach = shape.map((length, dimension) =>
    longest.includes(dimension) && length >= LEAST_LENGTH
      ? Math.min(MAX_CELLS, Math.floor(length * MOST_OF_LENGTH))
      : 0,
  );
  const around = [...shape.keys()].filter((at) => canWrap(at) && isEven(shape[at] ?? 0));
  const tried: readonly Shift[] = [
    ...offsets(reach).map((by) => ({ by, wraps: false })),
    ...around.map((own) => ({ by: shape.map((length, at) => (at === own ? length / 2 : 0)), wraps: true })),
  ];
  let [best, least] = [-1, Infinity];
  for (const [at, shift] of tried.entries()) {
    const { declared, shifted } = compare(pairs, shift);
    if (shifted < declared * most && shifted < least) [best, least] = [at, shifted];
  }
  const found = tried[best];
  // At the edge of what was tried a still larger shift may be nearer.
  const isAtEdge = found?.wraps === false && found.by.some((by, at) => by !== 0 && Math.abs(by) === reach[at]);
  return isAtEdge ? undefined : found;
}

const isEven = (length: number): boolean => length >= 2 * LEAST_LENGTH && length % 2 === 0;

/** The nearer ones first: of equal ones they are meant. */
function offsets(reach: readonly number[]): readonly (readonly number[])[] {
  const all = reach.reduce<readonly (readonly number[])[]>(
    (some, most) => some.flatMap((by) => Array.from({ length: 2 * most + 1 }, (_, at) => [...by, at - most])),
    [[]],
  );
  const size = (by: readonly number[]) => by.reduce((sum, one) => sum + Math.abs(one), 0);
  return all.filter((by) => size(by) > 0).toSorted((a, b) => size(a) - size(b));
}

const FAR_APART = { declared: NaN, shifted: NaN, likeness: NaN };

/**
 * How far the two are apart at the places that both have, as declared and shifted, by the mean and by the median; the
 * larger of what is left. Nothing where missing values stay in their places: a coast does not move with a field.
 */
export function compare(pairs: Pairs, { by, wraps }: Shift) {
  const [one, here, there]: [number[], number[], number[]] = [[], [], []];
  let [places, masked, staying, moving] = [0, 0, 0, 0];
  for (const [earlier, later] of pairs) {
    const { shape } = earlier;
    const length = earlier.values.length;
    const every = Math.max(1, Math.floor((length * pairs.length) / MAX_PLACES));
    // A stride that divides a row meets the same columns again.
    for (let place = 0; place < length; place += every + (place % 2)) {
      const to = shiftedPlace(place, shape, by, wraps);
      places += 1;
      if (to < 0) continue;
      const [before = NaN, as = NaN, at = NaN] = [earlier.values[place], later.values[place], later.values[to]];
      if (Number.isNaN(before) || Number.isNaN(as)) masked += 1;
      if (Number.isNaN(before) !== Number.isNaN(as)) staying += 1;
      if (Number.isNaN(before) !== Number.isNaN(at)) moving += 1;
      if (!Number.isFinite(before - as) || !Number.isFinite(before - at)) continue;
      one.push(before);
      here.push(as);
      there.push(at);
    }
  }
  if (one.length < Math.max(LEAST_PLACES, (places - masked) / 3)) return FAR_APART;
  if (masked > 0 && moving > staying) return FAR_APART;
  const [declared, shifted] = [differences(one, here), differences(one, there)];
  const isBoth = shifted.median * declared.mean <= declared.median * shifted.mean;
  const left = isBoth || declared.median === 0 ? shifted.mean : (shifted.median * declared.mean) / declared.median;
  return { declared: declared.mean, shifted: left, likeness: likenessOf(one, there) };
}

/** -1 where it lies outside. */
function shiftedPlace(place: number, shape: readonly number[], by: readonly number[], wraps: boolean): number {
  let [rest, to, stride] = [place, 0, 1];
  for (let dimension = shape.length - 1; dimension >= 0; dimension -= 1) {
    const length = shape[dimension] as number;
    let at = (rest % length) + (by[dimension] as number);
    if (wraps) at %= length;
    if (at < 0 || at >= length) return -1;
    to += at * stride;
    stride *= length;
    rest = Math.floor(rest / length);
  }
  return to;
}

function differences(one: readonly number[], other: readonly number[]) {
  const all = one.map((value, at) => Math.abs(value - (other[at] as number))).toSorted((a, b) => a - b);
  return { mean: all.reduce((sum, by) => sum + by, 0) / all.length, median: all[all.length >> 1] as number };
}

/** Their correlation. */
export function likenessOf(one: readonly number[], other: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length;
  const [x, y] = [mean(one), mean(other)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const [a, b] = [value - x, (other[at] as number) - y];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / Math.sqrt(xx * yy);
}
