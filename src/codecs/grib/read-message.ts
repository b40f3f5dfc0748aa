/** How the two codecs decode a GRIB message: loaded with the first message. */
import { messageCoordinates } from "./grid.ts";
import { gridSection, messageSections, messageValues, sectionOf } from "./message.ts";
import { alternation, inOneDirection } from "./alternating-rows.ts";
import type { ReadOptions } from "./read-options.ts";
import { coordinatesOf, checkGrid, orient, type Orientation } from "./orientation.ts";

export type Wanted = "values" | "latitude" | "longitude";

/** Reads as kerchunk's codec does, with eccodes; but all rows go in one direction, as eccodes' coordinates do, too. */
export async function asEccodes(input: Uint8Array, wanted: Wanted, options: ReadOptions) {
  if (wanted !== "values") return messageCoordinates(input, wanted, options);
  const values = await messageValues(input, options);
  const { edition, sections } = messageSections(options.codec, input);
  return edition === 1 ? values : inOneDirection(values, sectionOf(sections, 3));
}

/** The message must decode. */
export function areRowsTurned(codec: string, input: Uint8Array): boolean {
  const { edition, sections } = messageSections(codec, input);
  return edition === 2 && alternation(sectionOf(sections, 3)) !== undefined;
}

export async function asGribberish(input: Uint8Array, wanted: Wanted, flags: Orientation, options: ReadOptions) {
  const { codec } = options;
  if (wanted === "values" && !flags.adjustLongitudeRange && !flags.northUp) return messageValues(input, options);
  const grid = gridSection(codec, input, wanted === "values" ? "order" : `${wanted}s`);
  if (wanted !== "values") return coordinatesOf(grid, wanted, flags, options);
  checkGrid(codec, grid);
  return orient(codec, await messageValues(input, options), grid, flags);
}
