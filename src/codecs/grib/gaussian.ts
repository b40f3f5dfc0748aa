/** Gaussian latitudes: where the Legendre polynomial of as many degrees as there are parallels is zero. */

/** Each latitude takes time in proportion to it. eccodes' largest is 8000. */
export const MAX_GAUSSIAN = 8000;

const PRECISION = 1e-14;
const MAX_ROUNDS = 10;

/**
 * Latitude of a parallel in degrees; `between`: parallels from a pole to the equator, half of all; `index` counts them
 * from the north.
 */
export function gaussianLatitude(between: number, index: number): number {
  const count = between * 2;
  if (index >= between) return -gaussianLatitude(between, count - 1 - index);
  // Newton's method from a first guess (Abramowitz and Stegun 22.16.6) that is near enough for any degree.
  let root = Math.cos((Math.PI * (index + 0.75)) / (count + 0.5));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const step = newtonStep(root, count);
    root -= step;
    if (Math.abs(step) < PRECISION) break;
  }
  return (Math.asin(root) * 180) / Math.PI;
}

/** Index of the parallel nearest to a latitude; out of range if no parallel is near. */
export function nearestParallel(between: number, latitude: number): number {
  return Math.round(((90 - latitude) / 180) * (between * 2 + 0.5) - 0.75);
}

/** The polynomial by its slope. */
function newtonStep(at: number, degree: number): number {
  let before = 0;
  let value = 1;
  for (let n = 1; n <= degree; n++) {
    const next = ((2 * n - 1) * at * value - (n - 1) * before) / n;
    before = value;
    value = next;
  }
  return (value * (1 - at * at)) / (degree * (before - at * value));
}
