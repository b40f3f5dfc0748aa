/** An element's place in coordinates. */
import { placeText } from "../../core/axis-text.ts";
import { firstIndex, type ChunkArray } from "./chunk-words.ts";
import type { Axes } from "../../store/use-cheap-axes.ts";

interface ElementPlace {
  readonly coordinates: readonly number[];
  /** Index in the chunk for every dimension. */
  readonly element: readonly number[];
  readonly axes: Axes;
}

/** `2026-01-03 · 31°S · 121°W`: the same place in coordinates; `undefined` where none are known. */
export function elementPlace(array: ChunkArray, { coordinates, element, axes }: ElementPlace): string | undefined {
  const places = axes.flatMap((axis, dimension) => {
    const at = firstIndex(array, coordinates, dimension) + (element[dimension] ?? 0);
    const place = axis === undefined ? undefined : placeText(axis, at);
    return place === undefined ? [] : [place];
  });
  return places.length === 0 ? undefined : places.join(" · ");
}
