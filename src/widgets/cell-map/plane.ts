/** Which two dimensions of a grid are shown, and where all of them stand. */
import { type ChunkEdges, declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import type { Plane } from "#core/plane/plane.ts";
import type { Press } from "../controls/roving.ts";
import type { CellPlace, GridExtent } from "./camera.ts";

export type { Plane };

/** The last two dimensions longer than one, in their order (maps mostly stand last), filled up with others. */
export function firstPlane(grid: readonly number[], place?: readonly number[]): Plane {
  const all = grid.map((_, dimension) => dimension);
  const several = all.filter((dimension) => (grid[dimension] ?? 0) > 1);
  const others = all.filter((dimension) => !several.includes(dimension));
  const two = [...others, ...several].slice(-2).sort((a, b) => a - b);
  const at = place?.length === grid.length ? place : grid.map(() => 0);
  return two.length === 2 ? { row: two[0], column: two[1], at } : { row: undefined, column: two[0], at };
}

/** Shows a dimension down or along; where it is the other one already, the two change places. */
export function withDimension(plane: Plane, side: "row" | "column", dimension: number): Plane {
  const other = side === "row" ? "column" : "row";
  if (plane[other] === dimension) return { ...plane, [other]: plane[side], [side]: dimension };
  return { ...plane, [side]: dimension };
}

export function withIndex(plane: Plane, dimension: number | undefined, index: number): Plane {
  return { ...plane, at: plane.at.map((now, place) => (place === dimension ? index : now)) };
}

export function extentOf(grid: readonly number[], { row, column }: Plane): GridExtent {
  if (grid.includes(0)) return { rows: 0, columns: 0 };
  return {
    rows: row === undefined ? 1 : (grid[row] ?? 0),
    columns: column === undefined ? 1 : (grid[column] ?? 0),
  };
}

export function coordinatesAt(plane: Plane, cell: CellPlace): readonly number[] {
  return plane.at.map((at, dimension) =>
    dimension === plane.row ? cell.row : dimension === plane.column ? cell.column : at,
  );
}

/** Place of coordinates in the picture, `undefined` if they lie in another slice. */
export function placeOf(plane: Plane, coordinates: readonly number[]): CellPlace | undefined {
  const { row, column, at } = plane;
  if (coordinates.length !== at.length) return undefined;
  const same = at.every(
    (one, dimension) => dimension === row || dimension === column || one === coordinates[dimension],
  );
  return same ? sidesOf(plane, coordinates) : undefined;
}

/** Row and column of coordinates, whatever slice they lie in. */
export function sidesOf({ row, column }: Pick<Plane, "row" | "column">, coordinates: readonly number[]): CellPlace {
  return {
    row: row === undefined ? 0 : (coordinates[row] ?? 0),
    column: column === undefined ? 0 : (coordinates[column] ?? 0),
  };
}

/** Dimensions with a slider: not shown, and longer than one. */
export function slidDimensions(grid: readonly number[], shown: readonly (number | undefined)[]): readonly number[] {
  return grid.flatMap((count, dimension) => (shown.includes(dimension) || count < 2 ? [] : [dimension]));
}

/** The elements that chunk `at` of a dimension holds: `8–11`. */
export function elementSpan(length: number, edges: ChunkEdges, at: number): string {
  const first = startAlong(edges, at);
  const last = first + declaredExtent(length, edges, at) - 1;
  return last <= first ? String(first) : `${first}–${last}`;
}

/** How keys move the cursor; `undefined` where they do not. Page keys go `page` rows. */
export function movedPlace(
  { row, column }: CellPlace,
  { key, ctrl }: Press,
  { rows, columns }: GridExtent,
  page: number,
): CellPlace | undefined {
  const by = Math.max(1, page);
  const targets: ReadonlyMap<string, CellPlace> = new Map([
    ["ArrowUp", { row: ctrl ? 0 : row - 1, column }],
    ["ArrowDown", { row: ctrl ? rows - 1 : row + 1, column }],
    ["ArrowLeft", { row, column: ctrl ? 0 : column - 1 }],
    ["ArrowRight", { row, column: ctrl ? columns - 1 : column + 1 }],
    ["PageUp", { row: row - by, column }],
    ["PageDown", { row: row + by, column }],
    ["Home", { row: ctrl ? 0 : row, column: 0 }],
    ["End", { row: ctrl ? rows - 1 : row, column: columns - 1 }],
  ]);
  const target = targets.get(key);
  const within = (index: number, count: number) => Math.max(0, Math.min(index, count - 1));
  return target && { row: within(target.row, rows), column: within(target.column, columns) };
}
