/** Which dimensions of a chunk the map, the line and the table show, and where the others stand. */
import type { SliceSpec } from "../../core/open-set.ts";

export interface ShownDimensions {
  /** Down the rows and along the columns; `undefined` where the chunk has too few dimensions. */
  readonly row: number | undefined;
  readonly column: number | undefined;
  /** The cursor: an index in the chunk for every dimension, the shown ones included. */
  readonly cursor: readonly number[];
}

/** The last two dimensions longer than one; failing those, the last ones. */
export function firstShown(inside: readonly number[]): ShownDimensions {
  const all = inside.map((_, dimension) => dimension);
  const long = all.filter((dimension) => (inside[dimension] ?? 0) > 1);
  const column = long.at(-1) ?? all.at(-1);
  const others = (list: readonly number[]) => list.filter((dimension) => dimension !== column);
  const row = others(long).at(-1) ?? others(all).at(-1);
  if (row === undefined || column === undefined) return { row: undefined, column, cursor: inside.map(() => 0) };
  return { row: Math.min(row, column), column: Math.max(row, column), cursor: inside.map(() => 0) };
}

/** The same dimensions and cursor in a chunk of another size; afresh where the rank differs. */
export function fitShown(shown: ShownDimensions | undefined, inside: readonly number[]): ShownDimensions {
  if (shown?.cursor.length !== inside.length) return firstShown(inside);
  const cursor = shown.cursor.map((at, dimension) => Math.max(0, Math.min(at, (inside[dimension] ?? 1) - 1)));
  return { ...shown, cursor };
}

/** Shows `dimension` down the rows; where it ran along the columns, the two change places. */
export function withRow(shown: ShownDimensions, dimension: number): ShownDimensions {
  return { ...shown, row: dimension, column: dimension === shown.column ? shown.row : shown.column };
}

export function withColumn(shown: ShownDimensions, dimension: number): ShownDimensions {
  return { ...shown, column: dimension, row: dimension === shown.row ? shown.column : shown.row };
}

export function withCursor(shown: ShownDimensions, dimension: number | undefined, index: number): ShownDimensions {
  return { ...shown, cursor: shown.cursor.map((at, place) => (place === dimension ? index : at)) };
}

/** Where the shown dimensions do not stand still, their place is 0: moving the cursor must not ask for a new slice. */
function fixedOf({ cursor }: ShownDimensions, moving: readonly (number | undefined)[]): readonly number[] {
  return cursor.map((at, dimension) => (moving.includes(dimension) ? 0 : at));
}

export function mapSpec(reading: number, shown: ShownDimensions, scaled: boolean): SliceSpec {
  const { row, column } = shown;
  return { reading, rowDimension: row, columnDimension: column, fixed: fixedOf(shown, [row, column]), scaled };
}

/** One row along the column dimension, through the cursor. */
export function lineSpec(reading: number, shown: ShownDimensions, scaled: boolean): SliceSpec {
  const { column } = shown;
  return { reading, rowDimension: undefined, columnDimension: column, fixed: fixedOf(shown, [column]), scaled };
}

/** As the map; a chunk of one dimension runs down the rows, where there is room for any number. */
export function tableSpec(reading: number, shown: ShownDimensions, scaled: boolean): SliceSpec {
  if (shown.row !== undefined) return mapSpec(reading, shown, scaled);
  const { column } = shown;
  return { reading, rowDimension: column, columnDimension: undefined, fixed: fixedOf(shown, [column]), scaled };
}

/** Dimensions that are not shown and have a choice of place. */
export function slidDimensions(shown: readonly (number | undefined)[], inside: readonly number[]): readonly number[] {
  return inside.flatMap((length, dimension) => (length > 1 && !shown.includes(dimension) ? [dimension] : []));
}
