/** Lengths of chunks as rectangles of a small map. Pure. */
import type { Raster } from "../../core/open-set.ts";
import type { SideSpacing } from "../../widgets/cell-map/camera.ts";
import type { Spacing } from "../../widgets/cell-map/spacing.ts";

/** In pixels of the picture; on the page it is half as wide and high. */
export const MAP = { width: 192, height: 96 } as const;

export interface LengthCell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From the shortest, 0, to the longest, 1. */
  readonly share: number;
}

/** Cells so large have a gap between them. */
const LEAST_WITH_GAP = 10;

type Pixels = Pick<Raster, "width" | "height" | "values" | "minimum" | "maximum" | "cellsDown" | "cellsAlong">;

/** Of one side of the map: where each pixel of the raster begins, the last one ends. */
function edgesOf(pixels: number, cellsEach: number, room: number, spacing: Spacing | undefined): readonly number[] {
  return Array.from({ length: pixels + 1 }, (_, at) => {
    if (spacing === undefined) return (at * room) / Math.max(1, pixels);
    const cell = at === pixels ? spacing.count : Math.min(spacing.count, at * cellsEach);
    return (spacing.placeOf(cell) / spacing.count) * room;
  });
}

/** What has no reference is left out. Unequal chunks are to scale. */
export function lengthCells(raster: Pixels, isTurned: boolean, spacing?: SideSpacing): readonly LengthCell[] {
  const { width, height, values, minimum = 0, maximum = 0, cellsDown, cellsAlong } = raster;
  const xs = edgesOf(width, cellsAlong, MAP.width, spacing?.columns);
  const ys = edgesOf(height, cellsDown, MAP.height, spacing?.rows);
  const isFine = Math.min(MAP.width / Math.max(1, width), MAP.height / Math.max(1, height)) >= LEAST_WITH_GAP;
  const cells: LengthCell[] = [];
  for (const [pixel, length] of values.entries()) {
    if (length < 0) continue;
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const [left = 0, right = 0, top = 0, bottom = 0] = [xs[column], xs[column + 1], ys[row], ys[row + 1]];
    const [across, down] = [right - left, bottom - top];
    const gap = isFine && Math.min(across, down) >= LEAST_WITH_GAP / 2 ? 2 : 0;
    // Most chunks are short, a few very long; where all are the same, none is either.
    const share = maximum > minimum ? Math.sqrt((length - minimum) / (maximum - minimum)) : 0.5;
    const y = isTurned ? MAP.height - bottom : top;
    cells.push({ x: left, y, width: across - gap, height: down - gap, share });
  }
  return cells;
}
