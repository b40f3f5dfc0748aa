/** The window of a chunk grid that a picture shows, and which pixel a cell falls on. */
import { failure } from "../../core/findings/failure.ts";
import type { FactsOf } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/place.ts";
import type { RasterSpec } from "../../core/open-set.ts";

/** No screen has more pixels along one side; a picture is at most 64 MB of them. */
const MAX_PIXELS = 4096;

/** One direction of the picture. Without a dimension it is one cell wide. */
export interface PlaneAxis {
  readonly dimension: number | undefined;
  /** First cell of the window, and cells in it. */
  readonly from: number;
  readonly cells: number;
  /** From a cell to the next: in ordinals. */
  readonly stride: number;
  readonly cellsPerPixel: number;
  readonly pixels: number;
  /** From a pixel to the next: in positions of the picture. */
  readonly pixelStride: number;
}

export interface Plane {
  readonly down: PlaneAxis;
  readonly along: PlaneAxis;
  /** Ordinal of the cell at the fixed coordinates and at 0 of the two dimensions shown. */
  readonly base: number;
  /** The fixed coordinate of each dimension, `undefined` for the two shown. */
  readonly fixed: readonly (number | undefined)[];
}

/** Throws `plane-invalid` where dimensions or fixed coordinates do not belong to the grid. No grid: an empty plane. */
export function planeOf(grid: readonly number[] | undefined, spec: RasterSpec): Plane {
  if (grid !== undefined) checkDimensions(grid, spec);
  // A dimension without chunks leaves nothing to show, also where it is one of the fixed ones.
  if (grid === undefined || grid.includes(0)) return { down: NO_CELLS, along: NO_CELLS, base: 0, fixed: [] };
  const strides = stridesOf(grid);
  const { rowDimension: row, columnDimension: column } = spec;
  const axis = (
    dimension: number | undefined,
    window: RasterSpec["rows"],
    limit: number,
  ): Omit<PlaneAxis, "pixelStride"> =>
    axisOf(dimension, dimension === undefined ? 1 : (grid[dimension] ?? 0), strides, window, limit);
  const along = axis(column, spec.columns, spec.width);
  const down = axis(row, spec.rows, spec.height);
  const fixed = grid.map((_, at) => (at === row || at === column ? undefined : spec.fixed[at]));
  const base = fixed.reduce<number>((sum, at, dimension) => sum + (at ?? 0) * (strides[dimension] ?? 0), 0);
  return { along: { ...along, pixelStride: 1 }, down: { ...down, pixelStride: along.pixels }, base, fixed };
}

/** Position in the picture of the pixel that shows a cell, -1 where the cell lies outside the window. */
export function pixelOf({ down, along, fixed }: Plane, coordinates: readonly number[]): number {
  for (let dimension = 0; dimension < fixed.length; dimension += 1) {
    const at = fixed[dimension];
    if (at !== undefined && at !== coordinates[dimension]) return -1;
  }
  const i = cellOn(down, coordinates);
  const j = cellOn(along, coordinates);
  if (i < 0 || j < 0) return -1;
  const row = Math.floor(i / down.cellsPerPixel);
  return row * down.pixelStride + Math.floor(j / along.cellsPerPixel) * along.pixelStride;
}

function cellOn({ dimension, from, cells }: PlaneAxis, coordinates: readonly number[]): number {
  const at = dimension === undefined ? 0 : (coordinates[dimension] ?? 0) - from;
  return at < cells ? at : -1;
}

function axisOf(
  dimension: number | undefined,
  count: number,
  strides: readonly number[],
  window: RasterSpec["rows"],
  limit: number,
): Omit<PlaneAxis, "pixelStride"> {
  const from = Math.min(count, Math.max(0, Math.floor(window.from)));
  const cells = Math.max(0, Math.min(count, Math.ceil(window.to)) - from);
  const room = Math.min(MAX_PIXELS, Math.max(1, Math.floor(limit)));
  const cellsPerPixel = Math.max(1, Math.ceil(cells / room));
  const stride = dimension === undefined ? 0 : (strides[dimension] ?? 0);
  return { dimension, from, cells, stride, cellsPerPixel, pixels: Math.ceil(cells / cellsPerPixel) };
}

const NO_CELLS: PlaneAxis = {
  dimension: undefined,
  from: 0,
  cells: 0,
  stride: 0,
  cellsPerPixel: 1,
  pixels: 0,
  pixelStride: 1,
};

/** From a chunk to the next along each dimension, in ordinals (C order). */
function stridesOf(grid: readonly number[]): readonly number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const count of grid.toReversed()) {
    strides.unshift(stride);
    stride *= count;
  }
  return strides;
}

function checkDimensions(grid: readonly number[], spec: RasterSpec): void {
  const { rowDimension: row, columnDimension: column, fixed } = spec;
  const refuse = (problem: FactsOf<"plane-invalid">["problem"], dimension: number, coordinate?: number) =>
    failure("plane-invalid", nodeAt(spec.array), { grid, problem, dimension, coordinate });
  for (const dimension of [row, column]) {
    if (dimension !== undefined && !(dimension in grid)) throw refuse("dimension", dimension);
  }
  if (row !== undefined && row === column) throw refuse("same-dimension", row);
  for (const [dimension, count] of grid.entries()) {
    if (dimension === row || dimension === column || count === 0) continue;
    const at = fixed[dimension];
    if (at === undefined || !Number.isInteger(at) || at < 0 || at >= count) throw refuse("coordinate", dimension, at);
  }
}
