/** From which value to which the colours run, and how they are spread between. */
import type { PlaneNumbers } from "#core/plane/plane.ts";
import { percentileRange, type ValueRange } from "../cell-map/paint-values.ts";
import type { PlaneValues } from "#core/plane/plane-values.ts";
import type { Colormap } from "../values/colormap.ts";

export const RANGE_MODES = ["auto", "slice", "percentile", "symmetric", "fixed"] as const;
export type RangeMode = (typeof RANGE_MODES)[number];

export const RANGE_WORDS: Readonly<Record<Exclude<RangeMode, "auto">, string>> = {
  slice: "Full range",
  percentile: "2–98% of it",
  symmetric: "Around 0",
  fixed: "Custom",
};

export interface RangeChoice {
  readonly mode: RangeMode;
  /** For `fixed`. */
  readonly low?: number;
  readonly high?: number;
  readonly logarithmic: boolean;
}

export interface ColourRange extends ValueRange {
  readonly logarithmic: boolean;
  /** Values are classes, and their places the range. */
  readonly classes?: ReadonlyMap<number, number>;
}

/** Range that "auto" chooses; colours that part at zero have zero in their middle. */
export function chosenRange(choice: RangeChoice, colormap: Colormap): RangeChoice {
  return choice.mode === "auto" ? { ...choice, mode: colormap === "blue–red" ? "symmetric" : "slice" } : choice;
}

/** `undefined` where there is no value. What cannot be used falls back to the slice's own range. */
export function colourRange(
  choice: RangeChoice,
  plane: Pick<PlaneValues, "values" | "minimum" | "maximum">,
  classes?: ColourRange["classes"],
): ColourRange | undefined {
  const own = ownRange(choice, plane);
  if (own === undefined) return undefined;
  if (classes !== undefined) return { minimum: 0, maximum: classes.size, logarithmic: false, classes };
  // A logarithm has no place for what is not above 0.
  const isLogarithmic = choice.logarithmic && own.maximum > 0;
  const least = isLogarithmic && own.minimum <= 0 ? Math.min(own.maximum, leastPositive(plane.values)) : own.minimum;
  return { minimum: least, maximum: own.maximum, logarithmic: isLogarithmic };
}

function ownRange(
  { mode, low, high }: RangeChoice,
  { values, minimum, maximum }: Pick<PlaneValues, "values" | "minimum" | "maximum">,
): ValueRange | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  if (mode === "fixed" && low !== undefined && high !== undefined && low < high) return { minimum: low, maximum: high };
  if (mode === "percentile") return percentileRange(values, 2, 98) ?? { minimum, maximum };
  const most = Math.max(Math.abs(minimum), Math.abs(maximum));
  return mode === "symmetric" ? { minimum: -most, maximum: most } : { minimum, maximum };
}

function leastPositive(values: PlaneNumbers): number {
  let least = Infinity;
  for (const value of values) if (value > 0 && value < least) least = value;
  return least;
}

/** The value at a share (0 to 1) of the range. */
export function valueAtShare({ minimum, maximum, logarithmic }: ColourRange, share: number): number {
  if (!logarithmic) return minimum + share * (maximum - minimum);
  return Math.exp(Math.log(minimum) + share * (Math.log(maximum) - Math.log(minimum)));
}

/** Share of the range of a value, 0 to 1; what lies outside is at an end. */
export function shareOf({ minimum, maximum, logarithmic, classes }: ColourRange, value: number): number {
  if (classes !== undefined) return (classes.get(value) ?? 0) / classes.size;
  if (maximum <= minimum) return 0.5;
  const share = logarithmic
    ? (Math.log(Math.max(value, minimum)) - Math.log(minimum)) / (Math.log(maximum) - Math.log(minimum))
    : (value - minimum) / (maximum - minimum);
  return Math.max(0, Math.min(1, share));
}

const BINS = 48;

type Counted = Pick<PlaneValues, "values" | "minimum" | "maximum">;

/** The last of each slice: a slider comes back to them. */
const counted = new WeakMap<Counted, ValueRange & { readonly counts: readonly number[] }>();

/**
 * Counts of values in bins of equal width from one end of `scale` to the other; `undefined` where there is no value.
 */
export function histogram(slice: Counted, scale?: ValueRange) {
  const { values, minimum, maximum } = slice;
  if (minimum === undefined || maximum === undefined) return undefined;
  const { minimum: low, maximum: high } = scale ?? { minimum, maximum };
  const last = counted.get(slice);
  if (last?.minimum === low && last.maximum === high) return last;
  const counts = new Uint32Array(BINS);
  const perValue = high > low ? (BINS - 1e-9) / (high - low) : 0;
  // Values that are all alike stand in the middle, as their handles do.
  const first = perValue === 0 ? BINS >> 1 : 0;
  // Millions, again with every picture: without a call or an iterator for each. What is not finite fails both tests.
  for (let at = 0; at < values.length; at += 1) {
    const bin = first + ((values[at] as number) - low) * perValue;
    if (bin >= 0 && bin < BINS) counts[bin | 0] = (counts[bin | 0] as number) + 1;
  }
  const made = { counts: [...counts], minimum: low, maximum: high };
  counted.set(slice, made);
  return made;
}
