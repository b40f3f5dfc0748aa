/** The cells of the grid, from what the engine says of them. */
import { STATES } from "#core/table/reference.ts";
import { CHANGES } from "#core/repository.ts";
import type { CellPlace, CellWindow } from "#widgets/cell-map/camera.ts";
import type { CellPicture } from "#widgets/cell-map/draw-map.ts";
import { type Sign, STATE_SIGNS, TICK } from "#widgets/cell-map/signs.ts";
import { type MapColour, pixelColours } from "../cell-colours.ts";
import { CHANGE_SIGNS } from "./change-words.ts";
import { useMemo } from "react";
import type { Raster, RasterSpec } from "#core/open-set.ts";
import { type Answer, comparedText, useAppState, useEngine } from "#store/react.tsx";

export function gridPicture(
  colour: MapColour,
  layer: Layer | undefined,
  states: Layer | undefined,
  failed: readonly CellPlace[],
): CellPicture {
  const signs = [
    // The signs of states would look like those of a change.
    ...(states === undefined || colour === "change" ? [] : [signsOf(states, (code) => stateSign(colour, code))]),
    ...(layer === undefined ? [] : [signsOf(layer, (code) => codeSign(colour, code))]),
  ];
  const tiles =
    layer === undefined
      ? []
      : [{ ...layer, pixels: (palette: Parameters<typeof pixelColours>[2]) => pixelColours(layer, colour, palette) }];
  return { tiles, gaps: true, signs, failed };
}

const signsOf = (raster: Layer, signOf: (code: number) => Sign | undefined) => ({
  raster,
  signAt: (pixel: number) => signOf(raster.codes[pixel] ?? 0),
});

export function stateSign(colour: MapColour, code: number): Sign | undefined {
  const state = STATES[code];
  // Beside ticks and crosses of readings, a reference's own shape would look like one.
  const hides = colour === "reading" && state !== "missing" && state !== "unknown";
  return state === undefined || hides ? undefined : STATE_SIGNS[state];
}

const READ_OK = 1;
/** Code in a raster of `reading`. */
export const READ_FAILED = 2;

export function codeSign(colour: MapColour, code: number): Sign | undefined {
  if (colour === "reading") return code === READ_OK ? TICK : undefined;
  const change = colour === "change" ? CHANGES[code - 1] : undefined;
  return change && { kind: "lines", path: CHANGE_SIGNS[change] };
}

// The picture of a window of the grid; the last one stays, with the window that it shows, until the next is there.

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
