/** Colours of inner chunks. Pure. */
import { isDamaged, type ShardMap } from "../../../core/table/shard-map.ts";
import { cssColour, isDark, missingColour, packed, type Palette, type Rgb } from "../../../widgets/cell-map/palette.ts";
import { COLORMAP_SIZE, colormapTable } from "../../../widgets/values/colormap.ts";
import { stateOf, type FileOrder } from "./file-order.ts";
import type { ShardColour } from "./shard-props.ts";

/** 256 colours from low to high. */
export function ramp(dark: boolean): readonly Rgb[] {
  const table = colormapTable("viridis");
  // The lowest colours of the map are nearly those of a dark page: there it begins a little higher.
  const start = (dark ? 0.13 : 0) * (COLORMAP_SIZE - 1);
  return Array.from({ length: COLORMAP_SIZE }, (_, step) => {
    const at = Math.round(start + (step / (COLORMAP_SIZE - 1)) * (COLORMAP_SIZE - 1 - start)) * 3;
    return { r: table[at] ?? 0, g: table[at + 1] ?? 0, b: table[at + 2] ?? 0 };
  });
}

/** The ramp for a legend, in either theme. */
export function rampGradient(): string {
  const [light, dark] = [ramp(false), ramp(true)];
  const css = (colour: Rgb | undefined) => cssColour(colour ?? { r: 0, g: 0, b: 0 });
  const stops = Array.from(
    { length: 18 },
    (_, stop) => `light-dark(${css(light[stop * 15])}, ${css(dark[stop * 15])})`,
  );
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** By ordinal: steps of the ramp, 0 to 255. */
export function rampSteps(
  map: ShardMap,
  order: FileOrder,
  colour: ShardColour,
  lengths: { readonly smallest: number; readonly largest: number },
): Uint8Array<ArrayBuffer> {
  const steps = new Uint8Array(map.codes.length);
  const top = COLORMAP_SIZE - 1;
  const last = (colour === "file" ? order.ordinals.length : steps.length) - 1;
  const { smallest, largest } = lengths;
  for (let inner = 0; inner < steps.length; inner += 1) {
    if (colour === "size") {
      // Square root: most chunks are small, a few very large.
      const share = ((map.lengths[inner] ?? 0) - smallest) / (largest - smallest);
      steps[inner] = largest > smallest ? Math.round(Math.sqrt(Math.max(0, Math.min(1, share))) * top) : top / 2;
    } else {
      const at = colour === "file" ? Math.max(0, order.places[inner] ?? 0) : inner;
      steps[inner] = last > 0 ? Math.round((at / last) * top) : 0;
    }
  }
  return steps;
}

/** One packed colour a cell of the grid. */
export function cellPixels(
  owners: Int32Array,
  map: ShardMap,
  steps: Uint8Array,
  palette: Palette,
): Uint32Array<ArrayBuffer> {
  const colours = Uint32Array.from(ramp(isDark(palette)), packed);
  const empty = packed(missingColour(palette));
  const bad = packed(palette["--bad"]);
  const out = new Uint32Array(owners.length);
  for (let at = 0; at < owners.length; at += 1) {
    const inner = owners[at] ?? 0;
    const state = stateOf(map, inner);
    out[at] = state === "empty" ? empty : isDamaged(state) ? bad : (colours[steps[inner] ?? 0] ?? empty);
  }
  return out;
}
