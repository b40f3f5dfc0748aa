import type { Raster, RasterColour } from "../../../core/open-set.ts";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import type { CellWindow, GridExtent, Span } from "../../../widgets/cell-map/camera.ts";

/** Which of several chunks gives a pixel its colour. */
const CHOSEN: Readonly<Record<RasterColour, string>> = {
  state: "the worst is shown",
  target: "the first target is shown",
  length: "the longest is shown",
  reading: "a failed one is shown first",
  change: "a removed one is shown first, then changed, then added",
};

/** Says so where a pixel stands for several chunks; empty where each has its own. */
export function scaleSentence(raster: Raster | undefined, colour: RasterColour): string {
  if (raster === undefined || raster.cellsDown * raster.cellsAlong <= 1) return "";
  return `1 pixel = ${formatCount(raster.cellsDown)} × ${formatCount(raster.cellsAlong)} chunks, ${CHOSEN[colour]}`;
}

/** How many of the array's `cells` chunks are in sight: the slice, or which rows and columns of it. */
export function windowSentence({ rows, columns }: CellWindow, extent: GridExtent, cells: number): string {
  const all = rows.to - rows.from >= extent.rows && columns.to - columns.from >= extent.columns;
  const inSlice = extent.rows * extent.columns;
  if (all && inSlice === cells) return `${countOf(cells, "chunk")}, all in sight`;
  if (all) return `${formatCount(inSlice)} of ${countOf(cells, "chunk")} in this slice`;
  return `rows ${span(rows)} of ${formatCount(extent.rows)}, columns ${span(columns)} of ${formatCount(extent.columns)}`;
}

const span = ({ from, to }: Span) => `${formatCount(from)}–${formatCount(to - 1)}`;
