/** How the two codecs decode a GRIB message: loaded with the first message. */
import { messageCoordinates } from "./grid.ts";
import { gridSection, messageValues } from "./message.ts";
import type { ReadOptions } from "./read-options.ts";
import { coordinatesOf, checkGrid, orient, type Orientation } from "./orientation.ts";

export type Wanted = "values" | "latitude" | "longitude";

/** As kerchunk's codec reads it, with eccodes; values that equal its missing value are its to hide. */
export async function asEccodes(input: Uint8Array, wanted: Wanted, options: ReadOptions) {
  return wanted === "values" ? messageValues(input, options) : messageCoordinates(input, wanted, options);
}

export async function asGribberish(input: Uint8Array, wanted: Wanted, flags: Orientation, options: ReadOptions) {
  const { codec } = options;
  if (wanted === "values" && !flags.adjustLongitudeRange && !flags.northUp) return messageValues(input, options);
  const grid = gridSection(codec, input, wanted === "values" ? "order" : `${wanted}s`);
  if (wanted !== "values") return coordinatesOf(grid, wanted, flags, options);
  checkGrid(codec, grid);
  return orient(codec, await messageValues(input, options), grid, flags);
}
