/** Pictures of windows of cells, and the canvases that they are kept on. */
import type { CellWindow } from "./camera.ts";
import type { Palette } from "./palette.ts";
import type { Raster } from "#core/open-set.ts";

/** A raster of a window of cells: where there is no room for all, several share a pixel. */
export interface CellRaster extends Pick<Raster, "width" | "height" | "cellsDown" | "cellsAlong"> {
  readonly window: CellWindow;
}

export interface Tile extends CellRaster {
  /** A packed colour or four bytes a pixel. Painted once for each palette: another picture is another tile. */
  readonly pixels: (palette: Palette) => Uint32Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  /** True to blend neighbouring pixels where one takes several of the screen. */
  readonly smooth?: boolean;
  /** True to average several pixels that fall on one of the screen, instead of taking one of them. */
  readonly averaged?: boolean;
}

interface Painted {
  readonly palette: Palette;
  readonly canvas: HTMLCanvasElement;
}

/** Canvases of the tiles still in use. */
const painted = new WeakMap<Tile, Painted>();

export function canvasOf(tile: Tile, palette: Palette): HTMLCanvasElement {
  const known = painted.get(tile);
  if (known?.palette === palette) return known.canvas;
  const canvas = known?.canvas ?? document.createElement("canvas");
  putPixels(canvas, tile, tile.pixels(palette));
  painted.set(tile, { palette, canvas });
  return canvas;
}

export function putPixels(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  pixels: Uint32Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>,
): void {
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  if (width * height === 0) return;
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  canvas.getContext("2d")?.putImageData(new ImageData(bytes, width, height), 0, 0);
}

export const isFine = ({ cellsDown, cellsAlong }: CellRaster): boolean => cellsDown === 1 && cellsAlong === 1;
