/** How the two codecs decode a GRIB message: loaded with the first message. */
import { messageCoordinates } from "./grid.ts";
import { gridSection, messageSections, messageValues, sectionOf } from "./message.ts";
import type { ReadOptions } from "./read-options.ts";
import { coordinatesOf, checkGrid, orient, type Orientation } from "./orientation.ts";
import { view } from "./numbers.ts";

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

/** Each grid template with rows and columns has its scanning mode at this place of section 3. */
const SCANS: ReadonlyMap<number, number> = new Map([
  ...[0, 1, 2, 3, 40, 41, 42, 43].map((template) => [template, 71] as const),
  ...[20, 30, 31, 140].map((template) => [template, 64] as const),
  [10, 59],
  [110, 56],
]);

const BY_COLUMNS = 32;
const ALTERNATING = 16;

/**
 * Lines of points that follow each other, and points in each; `undefined` where all go in one direction, or differ in
 * length.
 */
function alternation(section3: Uint8Array): { readonly lines: number; readonly length: number } | undefined {
  const data = view(section3);
  const scan = section3[SCANS.get(data.getUint16(12)) ?? Infinity] ?? 0;
  if ((scan & ALTERNATING) === 0) return undefined;
  const [columns, rows, points] = [data.getUint32(30), data.getUint32(34), data.getUint32(6)];
  if (columns * rows !== points) return undefined;
  return (scan & BY_COLUMNS) === 0 ? { lines: rows, length: columns } : { lines: columns, length: rows };
}

/** Turns them where they are. */
function inOneDirection(values: Float64Array<ArrayBuffer>, section3: Uint8Array): Float64Array<ArrayBuffer> {
  const found = alternation(section3);
  if (found === undefined || values.length !== found.lines * found.length) return values;
  for (let line = 1; line < found.lines; line += 2)
    values.subarray(line * found.length, (line + 1) * found.length).reverse();
  return values;
}
