/** Colours of the style sheet as numbers for a canvas, which knows neither custom properties nor `light-dark()`. */
import { useSyncExternalStore } from "react";

export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** The computed colours of custom properties (`--range`) at an element. */
export function readColours<T extends string>(element: HTMLElement, names: readonly T[]): Readonly<Record<T, Rgb>> {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const read = (name: T): [T, Rgb] => {
    probe.style.color = `var(${name})`;
    return [name, parseRgb(getComputedStyle(probe).color)];
  };
  const colours = Object.fromEntries(names.map(read));
  probe.remove();
  return colours as Record<T, Rgb>;
}

/** `rgb(11, 98, 187)` or `rgb(11 98 187 / 50%)` as browsers serialise it; black where it is something else. */
export function parseRgb(text: string): Rgb {
  const [r = 0, g = 0, b = 0] = (/^rgba?\(([^)]*)\)/.exec(text)?.[1] ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
  return { r, g, b };
}

export function cssColour({ r, g, b }: Rgb, alpha = 1): string {
  return `rgb(${r} ${g} ${b} / ${alpha})`;
}

/** `share` of `b` in `a`, in sRGB. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const mix = (x: number, y: number) => Math.round(x + (y - x) * share);
  return { r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b) };
}

/** A pixel of ImageData seen as 32 bits on a little-endian machine, as all that run browsers are. */
export function packed({ r, g, b }: Rgb): number {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

/** A text that changes with the theme: for effects that draw. */
export function useThemeName(): string {
  return useSyncExternalStore(watchTheme, themeName);
}

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
