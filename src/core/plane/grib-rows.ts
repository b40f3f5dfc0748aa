/** How many points rows of lengths of their own have in a message of GRIB edition 1 (FM 92 of 1988, section 2). */

/** Longitudes are in thousandths of a degree. */
const CIRCLE = 360_000;

/** Gaussian grids, plain, rotated, stretched and both (code table 6). */
const GAUSSIAN = [4, 14, 24, 34];

interface Rows {
  /** Type of the grid: byte 6 of section 2. */
  readonly type: number;
  /** Points of each row; of a Gaussian grid, of the whole parallel. */
  readonly lengths: readonly number[];
  /** Longitudes of the first and the last point. */
  readonly west: number;
  readonly east: number;
}

/**
 * Returns the number of points. A Gaussian grid on a part of the earth has of each parallel the points between its
 * longitudes, both included: a parallel of n points has one every 360/n degrees from 0 on. (eccodes 2.28,
 * `number_of_points_gaussian`, which takes a grid from 0 on to less than a step from 360 for a whole one.)
 */
export function pointsOfRows({ type, lengths, west, east }: Rows): number {
  const most = lengths.reduce((one, other) => Math.max(one, other), 1);
  const [first, last] = [west, east].map((one) => (one < 0 ? one + CIRCLE : one)) as [number, number];
  const end = first > last ? last + CIRCLE : last;
  const isWhole = first <= 1 && end - first >= CIRCLE - CIRCLE / most - 1;
  const pointsIn = (length: number): number => {
    if (isWhole || !GAUSSIAN.includes(type)) return length;
    const between = Math.floor((end * length) / CIRCLE) - Math.ceil((first * length) / CIRCLE) + 1;
    return Math.min(length, Math.max(0, between));
  };
  return lengths.reduce((sum, length) => sum + pointsIn(length), 0);
}
