/** A slice as the small picture that stands beside the array's name. */
import { useEffect } from "react";
import { keepPixels, THUMBNAIL } from "../../widgets/thumbnails.ts";
import { COLORMAP_SIZE, colormapTable, type Colormap } from "../../widgets/colormap.ts";
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
  const pixels = new Uint8ClampedArray(width * height * 4);
  const table = colormapTable(colormap);
  for (let y = 0; y < height; y += 1) {
    const seen = Math.floor(((y + 0.5) / height) * rows);
    const row = isTurned ? rows - 1 - seen : seen;
    for (let x = 0; x < width; x += 1) {
      const value = values[row * columns + Math.floor(((x + 0.5) / width) * columns)] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      const colour = Math.round(shareOf(range, value) * (COLORMAP_SIZE - 1)) * 3;
      pixels.set([...table.subarray(colour, colour + 3), 255], (y * width + x) * 4);
    }
  }
  return pixels;
}

/** Kept once all of the slice was read. */
export function useSliceThumbnail(set: number, path: string, look: PlaneLook, progress: PlaneProgress): void {
  const { plane, range, colormap, turned } = look;
  const isWhole = !progress.isOld && progress.wanted > 0 && progress.done === progress.wanted;
  useEffect(() => {
    if (!isWhole || range === undefined || plane.values.length === 0) return;
    keepPixels(set, path, thumbnailOf(plane, range, colormap, turned.rows));
  }, [isWhole, set, path, plane, range, colormap, turned]);
}
