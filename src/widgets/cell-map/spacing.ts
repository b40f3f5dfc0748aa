/** Cells of unequal extents, drawn to scale: where each stands along its side of the map. Pure. */
import { chunkAlong, type ChunkEdges, declaredExtent, shortestAlong, startAlong } from "#core/metadata/chunk-grid.ts";

/** Places count in cells of the mean extent: the first begins at 0, the last ends at the number of cells. */
export interface Spacing {
  /** Start of a cell; for a place between two cells, as far into it: for 2.5, half of the third. */
  placeOf(cell: number): number;
  /** The cell at a place, fractions as above. */
  cellAt(place: number): number;
  /** The mean extent over the least. */
  readonly spread: number;
  /** Number of cells. */
  readonly count: number;
}

/** Spacing of a dimension of `length` elements; `undefined` if its cells are equal. */
export function spacingOf(length: number, edges: ChunkEdges): Spacing | undefined {
  if (typeof edges === "number" || length === 0) return undefined;
  const { count } = edges;
  const mean = length / count;
  return {
    count,
    placeOf(cell) {
      if (cell <= 0 || cell >= count) return cell;
      const whole = Math.floor(cell);
      return (startAlong(edges, whole) + (cell - whole) * declaredExtent(length, edges, whole)) / mean;
    },
    cellAt(place) {
      if (place <= 0 || place >= count) return place;
      const element = place * mean;
      const cell = Math.min(count - 1, chunkAlong(edges, element));
      return cell + (element - startAlong(edges, cell)) / declaredExtent(length, edges, cell);
    },
    spread: mean / Math.min(shortestAlong(edges), declaredExtent(length, edges, count - 1)),
  };
}
