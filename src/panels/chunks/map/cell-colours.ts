/** From the codes of a raster to colours of pixels. Pure. */
import type { Raster, RasterColour } from "../../../core/open-set.ts";
import { STATES } from "../../../core/table/reference.ts";
import { CHANGES } from "../../../core/repository.ts";
import {
  distinctColour,
  missingColour,
  mixed,
  packed,
  stateColour,
  type Palette,
  type Rgb,
} from "../../../widgets/cell-map/palette.ts";

/** Share from 0 (shortest) to 1 (longest). Square root: most chunks are short, a few very long. */
export function lengthShare(length: number, minimum: number, maximum: number): number {
  return maximum > minimum ? Math.sqrt((length - minimum) / (maximum - minimum)) : 1;
}

const STEPS = 256;

/** Tints of one hue: what is long is what stands out. `share` from 0 to 1. */
export const lengthColour = (palette: Palette, share: number): Rgb =>
  mixed(palette["--ramp-low"], palette["--ramp-high"], share);

/** The same for a legend. */
export const LENGTH_GRADIENT = "linear-gradient(90deg, var(--ramp-low), var(--ramp-high))";

/** One packed colour a pixel. */
export function pixelColours(raster: Raster, colour: RasterColour, palette: Palette): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(raster.width * raster.height);
  if (colour === "state" || colour === "reading" || colour === "change") {
    const table = TABLES[colour](palette);
    for (let at = 0; at < out.length; at += 1) out[at] = table[raster.codes[at] ?? 0] ?? 0;
  } else if (colour === "target") fillTargets(out, raster, palette);
  else fillLengths(out, raster, palette);
  return out;
}

const TABLES = { state: stateTable, reading: readingTable, change: changeTable } as const;

function stateTable(palette: Palette): Uint32Array {
  return Uint32Array.from(STATES, (state) => packed(stateColour(palette, state)));
}

function readingTable(palette: Palette): Uint32Array {
  return Uint32Array.from([missingColour(palette), palette["--ok"], palette["--bad"]], packed);
}

/** What did not change is faint, so that little that did is seen. */
function changeTable(palette: Palette): Uint32Array {
  const unchanged = mixed(palette["--bg"], palette["--missing"], 0.2);
  return Uint32Array.from([unchanged, ...CHANGES.map((kind) => palette[`--${kind}`])], packed);
}

function fillTargets(out: Uint32Array, { values }: Raster, palette: Palette): void {
  const none = packed(missingColour(palette));
  const known = new Map<number, number>();
  for (let at = 0; at < out.length; at += 1) {
    const value = values[at] ?? 0;
    let colour = value === 0 ? none : known.get(value);
    if (colour === undefined) {
      colour = packed(distinctColour(palette, value - 1));
      known.set(value, colour);
    }
    out[at] = colour;
  }
}

function fillLengths(out: Uint32Array, { values, minimum = 0, maximum = 0 }: Raster, palette: Palette): void {
  const colours = Uint32Array.from({ length: STEPS }, (_, step) => packed(lengthColour(palette, step / (STEPS - 1))));
  const none = packed(missingColour(palette));
  for (let at = 0; at < out.length; at += 1) {
    const length = values[at] ?? -1;
    const step = Math.round(lengthShare(length, minimum, maximum) * (STEPS - 1));
    out[at] = length < 0 ? none : (colours[step] ?? none);
  }
}
