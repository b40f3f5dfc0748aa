/** A box of chunks in the user's terms: in dates and degrees where they are known, else in positions. */
import { type Axis, placeRange } from "../cf/axis.ts";
import { type ChunkEdges, startAlong } from "../metadata/chunk-grid.ts";
import { count } from "../words.ts";

/** Chunk coordinates, both ends included. */
export interface ChunkBox {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export interface BoxGrid {
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkEdges[];
  readonly dimensionNames?: readonly (string | undefined)[] | undefined;
}

/** Elements from the first of the box to its last, in each dimension; cut at the array's edge. */
export function elementsOfBox(
  { from, to }: ChunkBox,
  { shape, chunks }: BoxGrid,
): readonly (readonly [first: number, last: number])[] {
  return from.map((first, axis) => {
    const edges = chunks[axis] ?? 1;
    const last = Math.min(shape[axis] ?? Infinity, startAlong(edges, (to[axis] ?? first) + 1)) - 1;
    return [Math.min(startAlong(edges, first), last), last] as const;
  });
}

/** Names of dimensions that netCDF-C makes up where an HDF5 file has none. */
const PHONY = /^phony_dim_\d+$/;

/** Sentences call a dimension so; `undefined` where nobody named it. */
export function spokenName(names: BoxGrid["dimensionNames"], dimension: number): string | undefined {
  const name = names?.[dimension];
  return name === undefined || PHONY.test(name) ? undefined : name;
}

/** Dates, degrees and names say which dimension they are of; numbers alone do not. */
const SAYS_WHAT = /^\d{4}-\d{2}|°|^[^-\d]/;

/** `2026-01-01 – 01-06`, `lat 80 – 89`: a text a dimension. `tellsWhole`: also where the box has all of a dimension. */
export function boxSpans(box: ChunkBox, grid: BoxGrid, axes: readonly (Axis | undefined)[], tellsWhole = false) {
  return elementsOfBox(box, grid).flatMap(([first, last], dimension) => {
    if (!tellsWhole && first === 0 && last >= (grid.shape[dimension] ?? 0) - 1) return [];
    const axis = axes[dimension];
    const place = axis === undefined ? undefined : placeRange(axis, first, last);
    const name = spokenName(grid.dimensionNames, dimension) ?? `dimension ${dimension}:`;
    if (place !== undefined) return [SAYS_WHAT.test(place) ? place : `${name} ${place}`];
    return [`${name} ${first === last ? count(first) : `${count(first)} – ${count(last)}`}`];
  });
}
