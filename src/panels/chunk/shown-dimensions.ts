/** Slices of a chunk for the map, the line and the table. A plane stands at the cursor. */
import type { SliceSpec } from "#core/open-set.ts";
import { firstPlane, type Plane } from "#widgets/cell-map/plane.ts";

/** The same dimensions and cursor in a chunk of another size; afresh where the rank differs. */
export function fitShown(shown: Plane | undefined, inside: readonly number[]): Plane {
  if (shown?.at.length !== inside.length) return firstPlane(inside);
  const at = shown.at.map((index, dimension) => Math.max(0, Math.min(index, (inside[dimension] ?? 1) - 1)));
  return { ...shown, at };
}

/** Moving dimensions are fixed at 0: moving the cursor must not ask for a new slice. */
function fixedOf({ at }: Plane, moving: readonly (number | undefined)[]): readonly number[] {
  return at.map((index, dimension) => (moving.includes(dimension) ? 0 : index));
}

export function mapSpec(reading: number, shown: Plane, scaled: boolean): SliceSpec {
  const { row, column } = shown;
  return { reading, rowDimension: row, columnDimension: column, fixed: fixedOf(shown, [row, column]), scaled };
}

/** One row along the column dimension, through the cursor. */
export function lineSpec(reading: number, shown: Plane, scaled: boolean): SliceSpec {
  const { column } = shown;
  return { reading, rowDimension: undefined, columnDimension: column, fixed: fixedOf(shown, [column]), scaled };
}

/** Slice of the table: the map's; a chunk of one dimension runs down the rows, where there is room for any number. */
export function tableSpec(reading: number, shown: Plane, scaled: boolean): SliceSpec {
  if (shown.row !== undefined) return mapSpec(reading, shown, scaled);
  const { column } = shown;
  return { reading, rowDimension: column, columnDimension: undefined, fixed: fixedOf(shown, [column]), scaled };
}
