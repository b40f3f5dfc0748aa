/** The picture of a window of the grid; the last one stays, with the window that it shows, until the next is there. */
import { useMemo } from "react";
import type { Raster, RasterSpec } from "#core/open-set.ts";
import { comparedText, useAppState, useEngine, type Answer } from "#store/react.tsx";
import type { CellWindow } from "#widgets/cell-map/camera.ts";

/** A raster with the window that it was asked for. */
export interface Layer extends Raster {
  readonly window: CellWindow;
}

export interface RasterAnswer extends Pick<Answer<Raster>, "stale" | "error" | "retry"> {
  readonly layer: Layer | undefined;
}

export function useRaster(set: number, spec: RasterSpec | undefined): RasterAnswer {
  const comparison = useAppState(comparedText);
  const request = spec === undefined ? undefined : { set, spec };
  const answer = useEngine("table.raster", request, spec === undefined ? "" : planeText(spec, comparison));
  const { stale, error, retry } = answer;
  const last = answer.data === undefined ? undefined : answer.last;
  const layer = useMemo(() => last && { ...last.data, window: last.request.spec }, [last]);
  return { layer, stale, error, retry };
}

/** Parts that must be equal for an old picture to be worth showing meanwhile. */
function planeText(spec: RasterSpec, comparison: string): string {
  const { array, rowDimension, columnDimension, colour } = spec;
  return JSON.stringify([array, rowDimension, columnDimension, colour, ...(colour === "change" ? [comparison] : [])]);
}
