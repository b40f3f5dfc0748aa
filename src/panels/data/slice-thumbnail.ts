/** A slice as the small picture that stands beside the array's name. */
import { paintValues } from "../../widgets/cell-map/paint-values.ts";
import { useDelayed } from "../../widgets/use-delayed.ts";
import { keepPixels, THUMBNAIL } from "../../widgets/thumbnails.ts";
import { colormapTable, type Colormap } from "../../widgets/colormap.ts";
import type { PlaneValues } from "../../core/plane-values.ts";
import { shareOf, type ColourRange } from "./colour-range.ts";
import type { PlaneLook } from "./plane-picture.ts";
import type { PlaneProgress } from "./use-plane-values.ts";

/** Four bytes a pixel, each the value nearest to it; transparent where there is none. */
export function thumbnailOf(
  { values, rows, columns }: PlaneValues,
  range: ColourRange,
  colormap: Colormap,
  isTurned: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const { width, height } = THUMBNAIL;
  const shares = Float64Array.from({ length: width * height }, (_, pixel) => {
    const seen = Math.floor(((Math.floor(pixel / width) + 0.5) / height) * rows);
    const row = isTurned ? rows - 1 - seen : seen;
    const value = values[row * columns + Math.floor((((pixel % width) + 0.5) / width) * columns)] ?? Number.NaN;
    return Number.isFinite(value) ? shareOf(range, value) : Number.NaN;
  });
  return paintValues(shares, { minimum: 0, maximum: 1 }, colormapTable(colormap)).pixels;
}

/** Milliseconds that a slice stays before it is kept: while the slider goes on none is. */
const REST = 300;

/** Kept once all of the slice was read, and it is looked at. */
export function useSliceThumbnail(set: number, path: string, look: PlaneLook, progress: PlaneProgress): void {
  const { plane, range, colormap, turned } = look;
  const isWhole = !progress.isOld && progress.wanted > 0 && progress.done === progress.wanted;
  useDelayed(look, isWhole && plane.values.length > 0 ? REST : undefined, () => {
    if (range !== undefined) keepPixels(set, path, thumbnailOf(plane, range, colormap, turned.rows));
  });
}
