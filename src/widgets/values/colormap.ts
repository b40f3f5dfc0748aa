/**
 * Perceptual colour maps: equal steps of the value look like equal steps, in colour, in grey and to the colour-blind.
 */
import type { ColourHint } from "#core/cf/colour-hint.ts";

export const COLORMAPS = ["viridis", "cividis", "magma", "greys", "blues", "blue–red"] as const;
/** `classes-7`: a colour for each of seven classes; the first of eight is of what belongs to none. */
export type Colormap = (typeof COLORMAPS)[number] | `classes-${number}`;

/** Colour map that the attributes of an array suggest. */
export function hintedColormap(hint: ColourHint | undefined): Colormap {
  if (hint === undefined) return "viridis";
  if (hint.kind === "flags") return `classes-${hint.values.length}`;
  return hint.kind === "signed" ? "blue–red" : "blues";
}

/** The same for values from `minimum` to `maximum`; none for classes. */
export function hintedGradient(hint: ColourHint | undefined, minimum: number, maximum: number): string | undefined {
  if (hint?.kind === "flags") return undefined;
  const most = Math.max(-minimum, maximum);
  const shares = hint?.kind === "signed" ? [minimum, maximum].map((end) => 0.5 + end / most / 2) : [];
  return colormapGradient(hintedColormap(hint), ...shares);
}

/** Values as places among the classes, 1 for the first; 0 is none of them. */
export function classesOf(hint: ColourHint | undefined): ReadonlyMap<number, number> | undefined {
  return hint?.kind === "flags" ? new Map(hint.values.map((value, at) => [value, at + 1])) : undefined;
}

export const COLORMAP_SIZE = 256;

export const isColormap = (name: unknown): name is Colormap => (COLORMAPS as readonly unknown[]).includes(name);

const tables = new Map<Colormap, Uint8Array>();

/** 256 colours from low to high, three bytes (sRGB) each. */
export function colormapTable(name: Colormap): Uint8Array {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const table = madeTable(name);
  tables.set(name, table);
  return table;
}

function madeTable(name: Colormap): Uint8Array {
  switch (name) {
    case "greys":
      return greys();
    case "blues":
      return painted((share) => oklch(0.2 + 0.78 * share, 0.03 + 0.33 * share * (1 - share), 250));
    case "blue–red":
      return painted((share) => {
        const away = Math.abs(2 * share - 1);
        return oklch(
          0.97 - 0.6 * away ** 1.15,
          0.2 * Math.sin(away * 2.3) * (0.4 + 0.6 * away),
          share < 0.5 ? 255 : 25,
        );
      });
    case "viridis":
    case "cividis":
    case "magma":
      return interpolate(anchorsOf(name));
    default: {
      const count = Number(name.slice("classes-".length));
      return painted((share) => classColour(Math.round(share * count)));
    }
  }
}

/** Neighbours differ in hue and in lightness; grey for what is no class. */
function classColour(at: number): readonly number[] {
  const lightness = [0.62, 0.8, 0.46][at % 3] ?? 0.62;
  return at === 0 ? oklch(0.5, 0, 0) : oklch(lightness, 0.13, 250 + (at - 1) * 137.5);
}

const painted = (colour: (share: number) => readonly number[]): Uint8Array =>
  Uint8Array.from(Array.from({ length: COLORMAP_SIZE }, (_, at) => colour(at / (COLORMAP_SIZE - 1))).flat());

/** Björn Ottosson's OKLCH (public domain): lightness and chroma as they are seen, the hue in degrees. */
function oklch(lightness: number, chroma: number, hue: number): readonly number[] {
  const [a, b] = [Math.cos((hue * Math.PI) / 180) * chroma, Math.sin((hue * Math.PI) / 180) * chroma];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((one) => Math.round(255 * encodeSrgb(Math.max(0, Math.min(1, one)))));
}

/** `alpha`: " / 30%". */
export function colourAt(name: Colormap, share: number, alpha = ""): string {
  const at = Math.round(share * (COLORMAP_SIZE - 1)) * 3;
  return `rgb(${colormapTable(name)
    .subarray(at, at + 3)
    .join(" ")}${alpha})`;
}

/** For a legend: a CSS gradient from low (left) to high; `from`: the share of the colours where it begins. */
export function colormapGradient(name: Colormap, from = 0, to = 1): string {
  const stops = Array.from({ length: 18 }, (_, stop) => colourAt(name, from + (stop / 17) * (to - from)));
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

function anchorsOf(name: "viridis" | "cividis" | "magma"): readonly number[] {
  const text = { viridis: VIRIDIS, cividis: CIVIDIS, magma: MAGMA }[name];
  return text.split(" ").flatMap((colour) => [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
}

function interpolate(anchors: readonly number[]): Uint8Array {
  const last = anchors.length / 3 - 1;
  return painted((share) => {
    const place = share * last;
    const before = Math.min(Math.floor(place), last - 1);
    return [0, 1, 2].map((channel) => {
      const [low = 0, high = 0] = [anchors[before * 3 + channel], anchors[(before + 1) * 3 + channel]];
      return Math.round(low + (high - low) * (place - before));
    });
  });
}

/** Greys of evenly rising lightness, CIE L* from 8 to 96, so that both ends differ from a black or white page. */
const greys = (): Uint8Array =>
  painted((share) => {
    const lightness = 8 + 88 * share;
    const luminance = lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / 903.3;
    return Array.from({ length: 3 }, () => Math.round(255 * encodeSrgb(luminance)));
  });

/** IEC 61966-2-1: from linear light to the stored value, both 0 to 1. */
function encodeSrgb(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/**
 * Anchor colours of the perceptual colour maps, 52 of each, evenly spaced (every fifth of 256; between them linear
 * interpolation stays within 4/255 of the original). Six hexadecimal digits a colour, sRGB.
 *
 * viridis and magma: Nathaniel J. Smith, Stéfan van der Walt and Eric Firing, for matplotlib, CC0.
 * cividis: J. R. Nuñez, C. R. Anderton, R. S. Renslow, "Optimizing colormaps with consideration for color vision
 * deficiency", PLoS ONE 13(7) e0199239 (2018), CC0, as matplotlib samples it.
 */
const VIRIDIS =
  "440154 46085c 471063 481769 481d6f 482475 472a7a 46307e 453781 433d84 414287 3f4889 3d4e8a 3a538b 38598c 355e8d " +
  "33638d 31688e 2e6d8e 2c718e 2a768e 297b8e 27808e 25848e 23898e 218e8d 20928c 1f978b 1e9c89 1fa188 21a585 24aa83 " +
  "28ae80 2eb37c 35b779 3dbc74 46c06f 50c46a 5ac864 65cb5e 70cf57 7cd250 89d548 95d840 a2da37 b0dd2f bddf26 cae11f " +
  "d8e219 e5e419 f1e51d fde725";

const CIVIDIS =
  "00224e 002656 002a5f 002d68 003070 083370 163770 203a6f 273e6e 2e416d 34456c 3a486c 3f4c6c 444f6c 49536c 4e566c " +
  "535a6d 575d6d 5c616e 60646f 656870 696b71 6d6f72 727274 767676 7a7a78 7e7d78 838179 888578 8d8878 928c78 969077 " +
  "9b9476 a09875 a59c74 aaa073 afa471 b5a86f baac6d bfb06b c4b468 c9b965 cfbd62 d4c15f dac65b dfca57 e5cf52 ead34c " +
  "f0d846 f6dd3f fce236 fee838";

const MAGMA =
  "000004 02020b 050416 090720 0e0b2b 140e36 1a1042 21114e 29115a 311165 390f6e 420f75 4a1079 52137c 5a167e 621980 " +
  "6a1c81 721f81 792282 812581 892881 912b81 992d80 a1307e aa337d b2357b ba3878 c23b75 ca3e72 d2426f d9466b e04c67 " +
  "e75263 ec5860 f1605d f4695c f7725c f97b5d fb8560 fc8e64 fd9869 fea16e feaa74 feb47b febd82 fec68a fecf92 fed89a " +
  "fde2a3 fdebac fcf4b6 fcfdbf";
