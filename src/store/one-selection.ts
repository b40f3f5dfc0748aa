/** Chunk, slice and element of the selected array are one selection: none shows a place where the others are not. */
import { type ChunkEdges, chunkOf, chunkStart, ordinalOf } from "../core/metadata/chunk-grid.ts";
import type { NodeSummary } from "../core/open-set.ts";
import { isThrough, planeAlone, type ShownSlice } from "../core/plane/plane.ts";
import type { AppState } from "./state.ts";

export type Place = Pick<AppState, "chunk" | "slice" | "point">;

/**
 * The others follow the element where there is one, else the chunk or the slice, whichever `leads`. No chunk is selected
 * that was not.
 */
export function oneSelection(
  { chunk, slice, point }: Place,
  array: Pick<NodeSummary, "shape" | "chunks" | "grid"> | undefined,
  leads: "chunk" | "slice",
): Place {
  const { shape = [], chunks = [], grid = [] } = array ?? {};
  const isInside = point?.length === shape.length && point.every((at, dimension) => at < (shape[dimension] ?? 0));
  if (point !== undefined && isInside) {
    const there = chunkOf(point, chunks);
    return { chunk: chunk && kept(chunk, there), slice: slice && standingAt(slice, point), point };
  }
  if (chunk === undefined || slice === undefined || ordinalOf(grid, chunk) === undefined)
    return { chunk, slice, point: undefined };
  if (leads === "slice") return { chunk: kept(chunk, chunkOnSlice(chunk, slice, chunks)), slice, point: undefined };
  const isThere = isThrough(slice.plane, chunk, chunks);
  return { chunk, slice: isThere ? slice : standingAt(slice, chunkStart(chunk, chunks)), point: undefined };
}

/** Position without an element: the beginning of the chunk, else of the array, on the slice. */
export function elementOn(slice: ShownSlice | undefined, start: readonly number[]): readonly number[] {
  if (slice?.plane.at.length !== start.length) return start;
  const { row, column, at } = slice.plane;
  return at.map((one, dimension) => (dimension === row || dimension === column ? (start[dimension] ?? 0) : one));
}

/** The same object where it is the same place. */
const kept = (before: readonly number[], now: readonly number[]) => (before.join() === now.join() ? before : now);

function standingAt(slice: ShownSlice, at: readonly number[]): ShownSlice {
  const plane = planeAlone({ ...slice.plane, at });
  return plane.at.join() === slice.plane.at.join() ? slice : { ...slice, plane };
}

/** The one beside it that the slice goes through. */
function chunkOnSlice(chunk: readonly number[], { plane }: ShownSlice, chunks: readonly ChunkEdges[]) {
  const there = chunkOf(plane.at, chunks);
  return chunk.map((at, dimension) =>
    dimension === plane.row || dimension === plane.column ? at : (there[dimension] ?? at),
  );
}

/**
 * The element, when another chunk is selected: along dimensions where that is another one it goes to where the chunk
 * begins. At the chunk's first element nothing was chosen.
 */
export function elementIn(
  chunk: readonly number[],
  point: readonly number[] | undefined,
  chunks: readonly ChunkEdges[],
): readonly number[] | undefined {
  if (point?.length !== chunk.length) return undefined;
  const before = chunkOf(point, chunks);
  if (before.join() === chunk.join()) return point;
  const start = chunkStart(chunk, chunks);
  const moved = point.map((at, dimension) => (before[dimension] === chunk[dimension] ? at : (start[dimension] ?? 0)));
  return moved.join() === start.join() ? undefined : moved;
}
