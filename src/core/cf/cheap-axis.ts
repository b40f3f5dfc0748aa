/** Which dimensions have a coordinate array that costs little to read: a chunk's place is then said in its values. */
import { cellCount } from "../metadata/chunk-grid.ts";
import { nearPaths } from "../metadata/hierarchy-path.ts";
import type { NodeSummary } from "../open-set.ts";

/** Most that is read unasked, since it only serves for words. */
const MAX_CHUNKS = 4;
const MAX_LENGTH = 100_000;

/**
 * Tells if an axis is cheap to read, by netCDF's rule: an array of the dimension's name and length, in the array's
 * group or one above it.
 */
export function hasCheapAxis(nodes: readonly NodeSummary[], array: string, dimension: number): boolean {
  const node = nodes.find(({ path }) => path === array);
  const name = node?.dimensionNames?.[dimension];
  const length = node?.shape?.[dimension];
  if (name === undefined || name === "" || length === undefined || length > MAX_LENGTH) return false;
  for (const path of nearPaths(array, name)) {
    const found = nodes.find((one) => one.path === path && one.shape?.length === 1 && one.shape[0] === length);
    if (found?.grid !== undefined) return path !== array && cellCount(found.grid) <= MAX_CHUNKS;
  }
  return false;
}
