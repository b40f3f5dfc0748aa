/** Which two dimensions of a chunk grid are shown, and where the others stand. */
import type { CellPlace, GridExtent } from "./cell-camera.ts";

export interface GridPlane {
  /** Dimension down the rows and along the columns; `undefined` where the grid has too few. */
  readonly row: number | undefined;
  readonly column: number | undefined;
  /** A coordinate for every dimension; those of the two shown do not matter. */
  readonly fixed: readonly number[];
}

/**
 * The last two dimensions that have more than one chunk, in their order (maps mostly stand last), filled up with
 * others. A 1-d grid is one row.
 */
export function firstPlane(grid: readonly number[], chunk: readonly number[] | undefined): GridPlane {
  const all = grid.map((_, dimension) => dimension);
  const several = all.filter((dimension) => (grid[dimension] ?? 0) > 1);
  const others = all.filter((dimension) => !several.includes(dimension));
  const two = [...others, ...several].slice(-2).sort((a, b) => a - b);
  const fixed = chunk?.length === grid.length ? chunk : grid.map(() => 0);
  return two.length === 2 ? { row: two[0], column: two[1], fixed } : { row: undefined, column: two[0], fixed };
}

/** Shows a dimension down or along; where it is the other one already, the two change places. */
export function withDimension(plane: GridPlane, side: "row" | "column", dimension: number): GridPlane {
  const other = side === "row" ? "column" : "row";
  if (plane[other] === dimension) return { ...plane, [other]: plane[side], [side]: dimension };
  return { ...plane, [side]: dimension };
}

export function withFixed(plane: GridPlane, dimension: number, at: number): GridPlane {
  return { ...plane, fixed: plane.fixed.map((now, place) => (place === dimension ? at : now)) };
}

export function extentOf(grid: readonly number[], { row, column }: GridPlane): GridExtent {
  if (grid.includes(0)) return { rows: 0, columns: 0 };
  return {
    rows: row === undefined ? 1 : (grid[row] ?? 0),
    columns: column === undefined ? 1 : (grid[column] ?? 0),
  };
}

export function coordinatesAt(plane: GridPlane, cell: CellPlace): readonly number[] {
  return plane.fixed.map((at, dimension) =>
    dimension === plane.row ? cell.row : dimension === plane.column ? cell.column : at,
  );
}

/** Where a chunk stands in the picture, `undefined` where it lies in another slice. */
export function placeOf(plane: GridPlane, coordinates: readonly number[]): CellPlace | undefined {
  const { row, column, fixed } = plane;
  if (coordinates.length !== fixed.length) return undefined;
  const same = fixed.every(
    (at, dimension) => dimension === row || dimension === column || at === coordinates[dimension],
  );
  if (!same) return undefined;
  return {
    row: row === undefined ? 0 : (coordinates[row] ?? 0),
    column: column === undefined ? 0 : (coordinates[column] ?? 0),
  };
}

/** Dimensions with a slider: not shown, and more than one chunk long. */
export function slidDimensions(grid: readonly number[], { row, column }: GridPlane): readonly number[] {
  return grid.flatMap((count, dimension) =>
    dimension === row || dimension === column || count < 2 ? [] : [dimension],
  );
}

/** The elements that chunk `at` of a dimension holds: `8–11`. */
export function elementSpan(length: number, chunk: number, at: number): string {
  const first = at * chunk;
  const last = Math.min(length, first + chunk) - 1;
  return last <= first ? String(first) : `${first}–${last}`;
}

/** How keys move the cursor; `undefined` where they do not. */
export function movedPlace(
  { row, column }: CellPlace,
  press: { readonly key: string; readonly ctrl: boolean },
  extent: GridExtent,
  rowsShown: number,
): CellPlace | undefined {
  const page = Math.max(1, Math.floor(rowsShown) - 1);
  const to = (row: number, column: number): CellPlace => ({
    row: Math.max(0, Math.min(row, extent.rows - 1)),
    column: Math.max(0, Math.min(column, extent.columns - 1)),
  });
  switch (press.key) {
    case "ArrowUp":
      return to(row - 1, column);
    case "ArrowDown":
      return to(row + 1, column);
    case "ArrowLeft":
      return to(row, column - 1);
    case "ArrowRight":
      return to(row, column + 1);
    case "PageUp":
      return to(row - page, column);
    case "PageDown":
      return to(row + page, column);
    case "Home":
      return press.ctrl ? to(0, 0) : to(row, 0);
    case "End":
      return press.ctrl ? to(extent.rows - 1, extent.columns - 1) : to(row, extent.columns - 1);
    default:
      return undefined;
  }
}
