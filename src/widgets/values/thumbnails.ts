/** Small pictures of arrays, kept once known, to show next to an array's name. */
import { useSyncExternalStore } from "react";
import type { PlaneValues } from "#core/plane/plane-values.ts";

/** Pixels of the picture; on the page it is half as wide and high. */
export const THUMBNAIL = { width: 52, height: 32 } as const;

/** A plane's values at the pixels of a thumbnail, each the nearest to it; NaN where there is none. */
export function thumbnailValues(
  { values, rows, columns }: Pick<PlaneValues, "values" | "rows" | "columns">,
  isTurned: boolean,
  { width, height }: { readonly width: number; readonly height: number } = THUMBNAIL,
): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: width * height }, (_, pixel) => {
    const seen = Math.floor(((Math.floor(pixel / width) + 0.5) / height) * rows);
    const row = isTurned ? rows - 1 - seen : seen;
    return values[row * columns + Math.floor((((pixel % width) + 0.5) / width) * columns)] ?? Number.NaN;
  });
}

/** A set may have thousands of arrays. */
const MAX_PICTURES = 400;

/** The oldest go first. */
export function newThumbnails(most = MAX_PICTURES) {
  const kept = new Map<string, ImageData>();
  const listeners = new Set<() => void>();
  const keyOf = (set: number, path: string) => `${set} ${path}`;
  return {
    get: (set: number, path: string) => kept.get(keyOf(set, path)),
    keep(set: number, path: string, picture: ImageData) {
      kept.delete(keyOf(set, path));
      kept.set(keyOf(set, path), picture);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
      for (const changed of listeners) changed();
    },
    /** Keeps a set's pictures for another that took its place, until that has pictures of its own. */
    carry(from: number, to: number) {
      for (const [key, picture] of from === to ? [] : [...kept]) {
        if (!key.startsWith(`${from} `)) continue;
        const carried = keyOf(to, key.slice(String(from).length + 1));
        kept.delete(key);
        if (!kept.has(carried)) kept.set(carried, picture);
      }
      for (const changed of listeners) changed();
    },
    /** Returns what ends it. */
    listen: (changed: () => void) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

const ofPage = newThumbnails();

/** Keeps what is drawn on a canvas as the picture of an array. */
export function keepThumbnail(set: number, path: string, drawn: HTMLCanvasElement): void {
  const small = document.createElement("canvas");
  small.width = THUMBNAIL.width;
  small.height = THUMBNAIL.height;
  const context = small.getContext("2d");
  if (context === null || drawn.width * drawn.height === 0) return;
  context.drawImage(drawn, 0, 0, THUMBNAIL.width, THUMBNAIL.height);
  ofPage.keep(set, path, context.getImageData(0, 0, THUMBNAIL.width, THUMBNAIL.height));
}

/** `pixels`: four bytes each, of the size of a thumbnail. */
export function keepPixels(set: number, path: string, pixels: Uint8ClampedArray<ArrayBuffer>): void {
  ofPage.keep(set, path, new ImageData(pixels, THUMBNAIL.width, THUMBNAIL.height));
}

/** A rendering of an edited document takes the place of the one before. */
export const carryThumbnails = (from: number, to: number): void => ofPage.carry(from, to);

export const hasThumbnail = (set: number, path: string): boolean => ofPage.get(set, path) !== undefined;

export function useThumbnail(set: number | undefined, path: string): ImageData | undefined {
  return useSyncExternalStore(ofPage.listen, () => (set === undefined ? undefined : ofPage.get(set, path)));
}

/** The first of these arrays that has one. */
export function useFirstThumbnail(set: number, paths: readonly string[]): ImageData | undefined {
  const first = () => paths.map((path) => ofPage.get(set, path)).find((one) => one !== undefined);
  return useSyncExternalStore(ofPage.listen, first);
}

/** Picture as a `data:` URL. */
export function pictureUrl(picture: ImageData): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")?.putImageData(picture, 0, 0);
  return canvas.toDataURL("image/png");
}
