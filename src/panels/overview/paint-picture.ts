/** From the values of a plane to a small picture: what has no values keeps its place in it. */
import { type ChunkEdges, declaredExtent, startAlong } from "../../core/chunk-edges.ts";
import type { PlaneChunks, PlaneExtent } from "../../core/plane.ts";
import { paintValues } from "../../widgets/cell-map/paint-values.ts";
import { colormapTable } from "../../widgets/colormap.ts";
import { lineShape } from "../../widgets/line-plot.ts";
import { LINE_BOX, type Picture, type PictureGap } from "./variable-look.ts";

export type ChunkOutcome = "values" | "failed" | "missing" | "unread";

export interface PaintedPlane {
  /** Of the thinned plane. */
  readonly rows: number;
  readonly columns: number;
  /** Row-major; NaN where there is none. */
  readonly values: Float64Array<ArrayBuffer>;
  readonly minimum: number;
  readonly maximum: number;
  /** Of the plane itself. */
  readonly extent: PlaneExtent;
  readonly chunks: PlaneChunks;
  /** Edges of the chunks down and across. */
  readonly side: { readonly down: ChunkEdges; readonly across: ChunkEdges };
  /** Row by row. */
  readonly outcomes: readonly ChunkOutcome[];
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
}

export function pictureOf(plane: PaintedPlane): Picture {
  const { rows, columns, values, minimum, maximum, extent } = plane;
  const gaps = gapsOf(plane);
  if (extent.rows === 1) return { kind: "line", path: lineShape(values, LINE_BOX).line, gaps };
  const shown = plane.isTurned ? turned(values, rows, columns) : values;
  const { pixels } = paintValues(shown, { minimum, maximum }, colormapTable("viridis"));
  return { kind: "image", width: columns, height: rows, pixels, gaps };
}

function turned(values: Float64Array<ArrayBuffer>, rows: number, columns: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    to.set(values.subarray(row * columns, (row + 1) * columns), (rows - 1 - row) * columns);
  }
  return to;
}

function gapsOf({ outcomes, chunks, extent, side, isTurned }: PaintedPlane): readonly PictureGap[] {
  return outcomes.flatMap((kind, at): readonly PictureGap[] => {
    if (kind === "values") return [];
    const [row, column] = [Math.floor(at / chunks.columns), at % chunks.columns];
    const down = shareOf(row, side.down, extent.rows);
    const across = shareOf(column, side.across, extent.columns);
    const top = isTurned ? 1 - down.from - down.size : down.from;
    return [{ kind, top, height: down.size, left: across.from, width: across.size }];
  });
}

function shareOf(place: number, edges: ChunkEdges, end: number) {
  return { from: startAlong(edges, place) / end, size: declaredExtent(end, edges, place) / end };
}
