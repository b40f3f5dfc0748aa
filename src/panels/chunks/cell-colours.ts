/** From the codes of a raster to colours of pixels. Pure. */
import type { ChunkLengths, NodeSummary, Raster, RasterColour, SetSummary } from "#core/open-set.ts";
import { STATES } from "#core/table/reference.ts";
import { CHANGES } from "#core/repository.ts";
import { chunkOf, chunkStart, encodedShape, ordinalOf, shardsInChunks } from "#core/metadata/chunk-grid.ts";
import {
  ageShare,
  cssColour,
  distinctColour,
  isDark,
  missingColour,
  mixed,
  packed,
  stateColour,
  type Palette,
  type Rgb,
  type Token,
} from "#widgets/cell-map/palette.ts";
import { colormapTable } from "#widgets/values/colormap.ts";
import type { Box } from "#widgets/cell-map/camera.ts";
import type { Painter } from "#widgets/cell-map/signs.ts";
import { useMemo } from "react";
import { useEngine } from "#store/react.tsx";

const STEPS = 256;

/** Tints of one hue: what is long is what stands out. `share` from 0 to 1. */
export const lengthColour = (palette: Palette, share: number): Rgb =>
  mixed(palette["--ramp-low"], palette["--ramp-high"], share);

/** The same for a legend. */
export const LENGTH_GRADIENT = "linear-gradient(90deg, var(--ramp-low), var(--ramp-high))";

/** `order`: where a chunk lies in the grid of its shard. */
export type MapColour = RasterColour | "order";

/** 256 colours from low to high, as the map and the strip of a shard have them. */
export function ramp(colour: MapColour, palette: Palette): readonly Rgb[] {
  const steps = Array.from({ length: STEPS }, (_, step) => step / (STEPS - 1));
  return colour === "order" ? orderRamp(isDark(palette)) : steps.map((share) => lengthColour(palette, share));
}

function orderRamp(dark: boolean): readonly Rgb[] {
  const table = colormapTable("viridis");
  // The lowest colours of the map are nearly those of a dark page: there it begins a little higher.
  const start = dark ? 0.13 * (STEPS - 1) : 0;
  return Array.from({ length: STEPS }, (_, step) => {
    const at = Math.round(start + (step / (STEPS - 1)) * (STEPS - 1 - start)) * 3;
    return { r: table[at] ?? 0, g: table[at + 1] ?? 0, b: table[at + 2] ?? 0 };
  });
}

/** For a legend, in either theme. */
export function orderGradient(): string {
  const [light, dark] = [orderRamp(false), orderRamp(true)];
  const css = (colour: Rgb | undefined) => cssColour(colour ?? { r: 0, g: 0, b: 0 });
  const stops = Array.from(
    { length: 18 },
    (_, stop) => `light-dark(${css(light[stop * 15])}, ${css(dark[stop * 15])})`,
  );
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** A raster of lengths as one of places: what is there is numbered as its shard has it. */
export function orderRaster(
  { chunks = [], shardShape = [] }: NodeSummary,
  raster: Raster,
  coordinatesOf: (pixel: number) => readonly number[],
): Raster {
  const shards = shardsInChunks(shardShape, chunks);
  let maximum = 0;
  const values = raster.values.map((length, pixel) => {
    if (length < 0) return length;
    const at = coordinatesOf(pixel);
    const shard = chunkOf(at, shards);
    const first = chunkStart(shard, shards);
    const grid = encodedShape(shards, shard);
    maximum = Math.max(maximum, grid.reduce((all, count) => all * count, 1) - 1);
    return (
      ordinalOf(
        grid,
        at.map((one, dimension) => one - (first[dimension] ?? 0)),
      ) ?? 0
    );
  });
  return { ...raster, values, minimum: 0, maximum };
}

/** Seen on a tint whatever it is. */
export function contrasting(palette: Palette, { r, g, b }: Rgb, dark: Token): Rgb {
  const light = (rgb: Rgb) => 0.3 * rgb.r + 0.59 * rgb.g + 0.11 * rgb.b;
  const [ink, bg] = [palette[dark], palette["--bg"]];
  const tint = light({ r, g, b });
  return Math.abs(light(ink) - tint) > Math.abs(light(bg) - tint) ? ink : bg;
}

/** One packed colour a pixel. */
export function pixelColours(raster: Raster, colour: MapColour, palette: Palette): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(raster.width * raster.height);
  if (colour === "state" || colour === "reading" || colour === "change") {
    const table = TABLES[colour](palette);
    for (let at = 0; at < out.length; at += 1) out[at] = table[raster.codes[at] ?? 0] ?? 0;
  } else if (colour === "target") fillTargets(out, raster, palette);
  else fillShares(out, raster, palette, colour);
  return out;
}

const TABLES = { state: stateTable, reading: readingTable, change: changeTable } as const;

function stateTable(palette: Palette): Uint32Array {
  return Uint32Array.from(STATES, (state) => packed(stateColour(palette, state)));
}

function readingTable(palette: Palette): Uint32Array {
  return Uint32Array.from([missingColour(palette), palette["--ok"], palette["--bad"]], packed);
}

/** Unchanged cells are faint, so that a few changed ones are seen. */
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

function fillShares(out: Uint32Array, raster: Raster, palette: Palette, colour: MapColour): void {
  const { values, minimum = 0, maximum = 0 } = raster;
  const colours = Uint32Array.from(ramp(colour, palette), packed);
  const none = packed(missingColour(palette));
  for (let at = 0; at < out.length; at += 1) {
    const length = values[at] ?? -1;
    const step = Math.round(shareOf(length, { minimum, maximum }, colour) * (STEPS - 1));
    out[at] = length < 0 || (colour === "blame" && length === 0) ? none : (colours[step] ?? none);
  }
}

function shareOf(value: number, scale: Pick<LengthScale, "minimum" | "maximum">, colour: MapColour): number {
  if (colour === "blame") return ageShare(value, scale.maximum);
  return colour === "order" ? value / Math.max(1, scale.maximum) : lengthShare(value, scale);
}

/** Draws a name in the middle of a box, if it fits. */
export function drawName({ context, palette }: Painter, box: Box, name: string, tint: Rgb): void {
  if (box.height < 14 || box.width < 24) return;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (context.measureText(name).width > box.width - 8) return;
  context.fillStyle = cssColour(contrasting(palette, tint, "--ink"));
  context.fillText(name, box.x + box.width / 2, box.y + box.height / 2);
}

// The scale that the map's colours, the table's bars and the strip of a shard share.

export interface LengthScale {
  readonly minimum: number;
  /** End of the scale: a few far longer chunks would make all others look alike. */
  readonly maximum: number;
  readonly longest: number;
}

/** `undefined` while no length is known. */
export function useLengthScale(set: SetSummary, node: NodeSummary): LengthScale | undefined {
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const lengths = overview?.path === node.path ? overview.lengths : undefined;
  const inline = overview?.states.inline ?? 0;
  // Inline values are not among the lengths, unless there are no others.
  return useMemo(() => lengths && lengthScale(inline > 0 ? { ...lengths, minimum: 0 } : lengths), [lengths, inline]);
}

export function lengthScale({ minimum, usual, maximum: longest }: ChunkLengths): LengthScale {
  return { minimum, maximum: Math.min(longest, Math.round(1.25 * usual)), longest };
}

/** Share from 0 to 1. Square root: most chunks are short, a few long. */
export function lengthShare(length: number, { minimum, maximum }: Pick<LengthScale, "minimum" | "maximum">): number {
  if (maximum <= minimum) return 1;
  return Math.sqrt(Math.max(0, Math.min(1, (length - minimum) / (maximum - minimum))));
}
