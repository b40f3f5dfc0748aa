/** From values to pixels. */
import type { PlaneNumbers } from "#core/plane/plane.ts";
import type { ColourHint } from "#core/cf/colour-hint.ts";
import { classesOf, COLORMAP_SIZE, colormapTable, hintedColormap } from "../values/colormap.ts";
import type { GridExtent } from "./camera.ts";

export interface ValueRange {
  readonly minimum: number;
  readonly maximum: number;
}

export interface Painting {
  /** RGBA, a pixel a value, row-major; missing values are transparent. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly missing: number;
  /** Values outside the range, drawn in its end colours. */
  readonly below: number;
  readonly above: number;
}

/** `table` has 256 RGB triples from low to high. NaN and infinite values are missing. */
export function paintValues(values: PlaneNumbers, range: ValueRange, table: Uint8Array): Painting {
  const pixels = new Uint8ClampedArray(values.length * 4);
  const { minimum, maximum } = range;
  const scale = maximum > minimum ? (COLORMAP_SIZE - 1) / (maximum - minimum) : 0;
  let missing = 0;
  let below = 0;
  let above = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) {
      missing += 1;
      continue;
    }
    if (value < minimum) below += 1;
    else if (value > maximum) above += 1;
    const colour = colourIndex(value, range, scale) * 3;
    pixels[index * 4] = table[colour] ?? 0;
    pixels[index * 4 + 1] = table[colour + 1] ?? 0;
    pixels[index * 4 + 2] = table[colour + 2] ?? 0;
    pixels[index * 4 + 3] = 255;
  }
  return { pixels, missing, below, above };
}

/** Paints as the attributes of an array suggest: its classes, around zero, or from the least value to the greatest. */
export function paintHinted(values: PlaneNumbers, range: ValueRange, hint: ColourHint | undefined): Painting {
  const table = colormapTable(hintedColormap(hint));
  const classes = classesOf(hint);
  if (classes !== undefined) {
    const places = values.map((value) => (Number.isFinite(value) ? (classes.get(value) ?? 0) : value));
    return paintValues(places, { minimum: 0, maximum: classes.size }, table);
  }
  const most = Math.max(-range.minimum, range.maximum);
  return paintValues(values, hint?.kind === "signed" ? { minimum: -most, maximum: most } : range, table);
}

/** Index of a value's colour: the middle one if all values are equal (scale 0), an end colour for values outside. */
function colourIndex(value: number, { minimum, maximum }: ValueRange, scale: number): number {
  if (value < minimum) return 0;
  if (value > maximum) return COLORMAP_SIZE - 1;
  return scale === 0 ? COLORMAP_SIZE >> 1 : Math.round((value - minimum) * scale);
}

/** Maximum of values sorted for percentiles; more are sampled evenly. */
const MAX_SORTED = 100_000;

/**
 * The range between two percentiles (0 to 100) of the values that are not missing; `undefined` where there are none.
 */
export function percentileRange(values: PlaneNumbers, low: number, high: number): ValueRange | undefined {
  const step = Math.max(1, Math.ceil(values.length / MAX_SORTED));
  const sample: number[] = [];
  for (let index = 0; index < values.length; index += step) {
    const value = values[index];
    if (value !== undefined && Number.isFinite(value)) sample.push(value);
  }
  const sorted = Float64Array.from(sample).sort();
  const at = (percent: number) => sorted[Math.round(((sorted.length - 1) * percent) / 100)];
  const minimum = at(low);
  const maximum = at(high);
  return minimum === undefined || maximum === undefined ? undefined : { minimum, maximum };
}

/** A painting, as far as it goes on a canvas. */
export interface Thinned extends GridExtent {
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Every n-th row and column of the painting is in it. */
  readonly stepDown: number;
  readonly stepAlong: number;
}

/** Longest side of a canvas that every browser draws. */
const MAX_CANVAS_SIDE = 8192;

/** A painting that fits on a canvas: every n-th row and column where there are too many. */
export function thinned(pixels: Uint8ClampedArray<ArrayBuffer>, size: GridExtent, longest = MAX_CANVAS_SIDE): Thinned {
  const stepDown = Math.max(1, Math.ceil(size.rows / longest));
  const stepAlong = Math.max(1, Math.ceil(size.columns / longest));
  if (stepDown === 1 && stepAlong === 1) return { ...size, pixels, stepDown, stepAlong };
  const rows = Math.ceil(size.rows / stepDown);
  const columns = Math.ceil(size.columns / stepAlong);
  const kept = new Uint8ClampedArray(rows * columns * 4);
  for (let row = 0, to = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, to += 4) {
      const from = (row * stepDown * size.columns + column * stepAlong) * 4;
      kept.set(pixels.subarray(from, from + 4), to);
    }
  }
  return { rows, columns, pixels: kept, stepDown, stepAlong };
}
