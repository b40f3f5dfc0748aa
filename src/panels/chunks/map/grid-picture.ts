/** The cells of the grid, from what the engine says of them. */
import { STATES } from "#core/table/reference.ts";
import { CHANGES } from "#core/repository.ts";
import type { CellPlace } from "#widgets/cell-map/camera.ts";
import type { CellPicture } from "#widgets/cell-map/draw-map.ts";
import { STATE_SIGNS, TICK, type Sign } from "#widgets/cell-map/signs.ts";
import { type MapColour, pixelColours } from "../cell-colours.ts";
import { CHANGE_SIGNS } from "./change-words.ts";
import type { Layer } from "./use-raster.ts";

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
