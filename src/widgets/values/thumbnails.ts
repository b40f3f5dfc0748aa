/** Small pictures of arrays, kept as they become known: whoever names an array can show its picture beside the name. */
import { useSyncExternalStore } from "react";

/** In pixels of the picture; on the page it is half as wide and high. */
export const THUMBNAIL = { width: 52, height: 32 } as const;

/** A set may have thousands of arrays. */
const MOST = 400;

export interface Thumbnails {
  get(set: number, path: string): ImageData | undefined;
  keep(set: number, path: string, picture: ImageData): void;
  /** Returns what ends it. */
  readonly listen: (changed: () => void) => () => void;
}

/** The oldest go first. */
export function newThumbnails(most = MOST): Thumbnails {
  const kept = new Map<string, ImageData>();
  const listeners = new Set<() => void>();
  const keyOf = (set: number, path: string) => `${set} ${path}`;
  return {
    get: (set, path) => kept.get(keyOf(set, path)),
    keep(set, path, picture) {
      kept.delete(keyOf(set, path));
      kept.set(keyOf(set, path), picture);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
      for (const changed of listeners) changed();
    },
    listen(changed) {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
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

export const hasThumbnail = (set: number, path: string): boolean => ofPage.get(set, path) !== undefined;

export function useThumbnail(set: number | undefined, path: string): ImageData | undefined {
  return useSyncExternalStore(ofPage.listen, () => (set === undefined ? undefined : ofPage.get(set, path)));
}
