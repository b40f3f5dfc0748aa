/** Colours of the style sheet as numbers for a canvas, which knows neither custom properties nor `light-dark()`. */
import { useSyncExternalStore } from "react";
import type { ChunkState } from "#core/table/reference.ts";

export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export const TOKENS = [
  "--bg",
  "--bg-2",
  "--bg-3",
  "--line-2",
  "--ink",
  "--ink-2",
  "--ink-3",
  "--focus",
  "--ok",
  "--range",
  "--whole",
  "--inline",
  "--native",
  "--virtual",
  "--missing",
  "--bad",
  "--bad-bg",
  "--warn",
  "--ramp-low",
  "--ramp-high",
  "--added",
  "--removed",
  "--changed",
  "--set",
] as const;
export type Token = (typeof TOKENS)[number];
export type Palette = Readonly<Record<Token, Rgb>>;

/** The computed colours of the tokens at an element. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement("span");
  probe.hidden = true;
  // Pictures keep their colours if the user forces few ones on texts: failed, missing and fill value differ by them.
  probe.style.setProperty("forced-color-adjust", "none");
  element.append(probe);
  const read = (name: Token): [Token, Rgb] => {
    probe.style.color = `var(${name})`;
    return [name, parseRgb(getComputedStyle(probe).color)];
  };
  const colours = Object.fromEntries(TOKENS.map(read));
  probe.remove();
  return colours as Palette;
}

/** `rgb(11, 98, 187)` or `rgb(11 98 187 / 50%)` as browsers serialise it; black where it is something else. */
export function parseRgb(text: string): Rgb {
  const [r = 0, g = 0, b = 0] = (/^rgba?\(([^)]*)\)/.exec(text)?.[1] ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
  return { r, g, b };
}

export const cssColour = ({ r, g, b }: Rgb, alpha = 1): string => `rgb(${r} ${g} ${b} / ${alpha})`;

/** Strength of the colour of one of `of` commits, 1 the newest: the newest stands out, the oldest is still seen. */
export const ageShare = (place: number, of: number): number => (of < 2 ? 1 : 1 - (0.88 * (place - 1)) / (of - 1));

/** The same as a colour of a legend. */
export const ageTint = (place: number, of: number): string =>
  `color-mix(in srgb, var(--ramp-high) ${Math.round(100 * ageShare(place, of))}%, var(--ramp-low))`;

/** `share` of `b` in `a`, in sRGB. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const mix = (x: number, y: number) => Math.round(x + (y - x) * share);
  return { r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b) };
}

/** A pixel of ImageData seen as 32 bits on a little-endian machine, as all that run browsers are. */
export function packed({ r, g, b }: Rgb): number {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

export const isDark = ({ "--bg": { r, g, b } }: Palette): boolean => r + g + b < 384;

/**
 * Hues and lightness that differ for the colour-blind, too; neither the red of what failed nor the green of what is
 * right.
 */
const DISTINCT = [
  [212, 0.46],
  [38, 0.56],
  [285, 0.56],
  [188, 0.42],
  [52, 0.4],
  [318, 0.66],
  [238, 0.68],
  [26, 0.36],
  [200, 0.7],
] as const;

/** Colours for numbered things; later rounds change the lightness. */
export function distinctColour(palette: Palette, id: number): Rgb {
  const [hue, lightness] = DISTINCT[id % DISTINCT.length] ?? DISTINCT[0];
  const round = [0, 0.12, -0.12][Math.floor(id / DISTINCT.length) % 3] ?? 0;
  return fromHsl(hue, 0.58, lightness + round + (isDark(palette) ? 0.06 : 0));
}

/** Hue in degrees, saturation and lightness from 0 to 1 (CSS Color 4, section 7.1). */
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const channel = (shift: number) => {
    const place = (shift + hue / 30) % 12;
    const value =
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(255 * value);
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

/** Near the background, so that gaps look like gaps: for what is missing, and what has no value of what is shown. */
export const missingColour = (palette: Palette): Rgb => mixed(palette["--bg"], palette["--missing"], 0.34);

export function stateColour(palette: Palette, state: ChunkState): Rgb {
  if (state === "missing") return missingColour(palette);
  // Nearly the background: nothing is known there.
  return state === "unknown" ? mixed(palette["--bg"], palette["--missing"], 0.12) : palette[`--${state}`];
}

/** A text that changes with the theme: for effects that draw. */
export const useThemeName = (): string => useSyncExternalStore(watchTheme, themeName);

const DARK = "(prefers-color-scheme: dark)";

function themeName(): string {
  return `${document.documentElement.dataset.theme ?? ""} ${matchMedia(DARK).matches ? "dark" : "light"}`;
}

function watchTheme(changed: () => void): () => void {
  const system = matchMedia(DARK);
  const chosen = new MutationObserver(changed);
  system.addEventListener("change", changed);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", changed);
    chosen.disconnect();
  };
}
