/** Facts from the references of a slice's chunks: which target each has, or its length. */
import type { RasterColour } from "#core/open-set.ts";
import { useEngine } from "#store/react.tsx";
import { chunkOf } from "#core/metadata/chunk-grid.ts";
import type { PlaneRequest } from "./use-plane-values.ts";

/** Chunks of a picture in which they could be told apart. */
const MAX_CHUNKS = 1024 * 1024;

/** A number for each chunk of the plane, row by row; `undefined` while it is not wanted, or not known. */
export function useChunkRaster(
  { set, array, plane, chunks, chunkShape }: PlaneRequest,
  colour: Extract<RasterColour, "target" | "length">,
  wanted: boolean,
): Float64Array | undefined {
  const { rows, columns } = chunks;
  const isFit = rows * columns <= MAX_CHUNKS && Math.max(rows, columns) <= 4096;
  const spec = {
    array,
    rowDimension: plane.row,
    columnDimension: plane.column,
    fixed: chunkOf(plane.at, chunkShape),
    colour,
    rows: { from: 0, to: rows },
    columns: { from: 0, to: columns },
    width: columns,
    height: rows,
  };
  const answer = useEngine("table.raster", wanted && isFit ? { set, spec } : undefined, `${array} ${colour}`);
  return answer.stale || answer.data?.values.length !== rows * columns ? undefined : answer.data.values;
}
