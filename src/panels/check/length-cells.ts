/** Lengths of chunks as rectangles of a small map. Pure. */
import type { Raster } from "../../core/open-set.ts";

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

/** What has no reference is left out. */
export function lengthCells(
  {
    width,
    height,
    values,
    minimum = 0,
    maximum = 0,
  }: Pick<Raster, "width" | "height" | "values" | "minimum" | "maximum">,
  isTurned: boolean,
): readonly LengthCell[] {
  const [across, down] = [MAP.width / Math.max(1, width), MAP.height / Math.max(1, height)];
  const gap = Math.min(across, down) < LEAST_WITH_GAP ? 0 : 2;
  const cells: LengthCell[] = [];
  for (const [pixel, length] of values.entries()) {
    if (length < 0) continue;
    const row = Math.floor(pixel / width);
    const seen = isTurned ? height - 1 - row : row;
    // Most chunks are short, a few very long; where all are the same, none is either.
    const share = maximum > minimum ? Math.sqrt((length - minimum) / (maximum - minimum)) : 0.5;
    cells.push({ x: (pixel % width) * across, y: seen * down, width: across - gap, height: down - gap, share });
  }
  return cells;
}
