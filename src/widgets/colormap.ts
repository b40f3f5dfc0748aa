/** Perceptual colour maps: equal steps of the value look like equal steps, in colour, in grey and to the colour-blind. */
import { CIVIDIS, MAGMA, VIRIDIS } from "./colormap-anchors.ts";

export const COLORMAPS = ["viridis", "cividis", "magma", "greys"] as const;
export type Colormap = (typeof COLORMAPS)[number];

export const COLORMAP_SIZE = 256;

export function isColormap(name: unknown): name is Colormap {
  return (COLORMAPS as readonly unknown[]).includes(name);
}

const tables = new Map<Colormap, Uint8Array>();

/** 256 colours from low to high, three bytes (sRGB) each. */
export function colormapTable(name: Colormap): Uint8Array {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const table = name === "greys" ? greys() : interpolate(anchorsOf(name));
  tables.set(name, table);
  return table;
}

/** For a legend: a CSS gradient from low (left) to high. */
export function colormapGradient(name: Colormap): string {
  const table = colormapTable(name);
  const stops = Array.from({ length: 18 }, (_, stop) => {
    const at = stop * 15 * 3;
    return `rgb(${table[at] ?? 0} ${table[at + 1] ?? 0} ${table[at + 2] ?? 0})`;
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

function anchorsOf(name: Exclude<Colormap, "greys">): readonly number[] {
  const text = { viridis: VIRIDIS, cividis: CIVIDIS, magma: MAGMA }[name];
  return text.split(" ").flatMap((colour) => [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
}

function interpolate(anchors: readonly number[]): Uint8Array {
  const table = new Uint8Array(COLORMAP_SIZE * 3);
  const last = anchors.length / 3 - 1;
  for (let index = 0; index < COLORMAP_SIZE; index += 1) {
    const place = (index / (COLORMAP_SIZE - 1)) * last;
    const before = Math.min(Math.floor(place), last - 1);
    for (let channel = 0; channel < 3; channel += 1) {
      const low = anchors[before * 3 + channel] ?? 0;
      const high = anchors[(before + 1) * 3 + channel] ?? 0;
      table[index * 3 + channel] = Math.round(low + (high - low) * (place - before));
    }
  }
  return table;
}

/** Greys of evenly rising lightness, CIE L* from 8 to 96, so that both ends differ from a black or white page. */
function greys(): Uint8Array {
  const table = new Uint8Array(COLORMAP_SIZE * 3);
  for (let index = 0; index < COLORMAP_SIZE; index += 1) {
    const lightness = 8 + (88 * index) / (COLORMAP_SIZE - 1);
    const luminance = lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / 903.3;
    table.fill(Math.round(255 * encodeSrgb(luminance)), index * 3, index * 3 + 3);
  }
  return table;
}

/** IEC 61966-2-1: from linear light to the stored value, both 0 to 1. */
function encodeSrgb(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}
