/** From which value to which the colours of the map run. */
import type { Slice } from "../../core/open-set.ts";
import type { Statistics } from "../../core/reading.ts";
import { percentileRange, type ValueRange } from "../../widgets/cell-map/paint-values.ts";

export const RANGE_MODES = ["slice", "chunk", "percentile", "typed"] as const;
export type RangeMode = (typeof RANGE_MODES)[number];

export const RANGE_WORDS: Readonly<Record<RangeMode, string>> = {
  slice: "this slice",
  chunk: "whole chunk",
  percentile: "2–98% of slice",
  typed: "from … to …",
};

export interface RangeChoice {
  readonly mode: RangeMode;
  /** As typed. */
  readonly from: string;
  readonly to: string;
}

/** `undefined` where there is no value to take a range from. What cannot be used falls back to the slice's own range. */
export function rangeFor(choice: RangeChoice, slice: Slice, statistics: Statistics): ValueRange | undefined {
  const own = orderedRange(slice.minimum, slice.maximum);
  if (choice.mode === "chunk") return orderedRange(numberOf(statistics.minimum), numberOf(statistics.maximum)) ?? own;
  if (choice.mode === "percentile") return percentileRange(slice.values, 2, 98) ?? own;
  if (choice.mode === "typed") return orderedRange(numberOf(choice.from), numberOf(choice.to)) ?? own;
  return own;
}

/** What is wrong with a typed range; `undefined` where nothing is. */
export function rangeProblem({ mode, from, to }: RangeChoice): string | undefined {
  if (mode !== "typed") return undefined;
  const minimum = numberOf(from);
  const maximum = numberOf(to);
  if (minimum === undefined || maximum === undefined) return "Enter two numbers.";
  return minimum > maximum ? "The first number must not exceed the second." : undefined;
}

function orderedRange(minimum: number | undefined, maximum: number | undefined): ValueRange | undefined {
  return minimum === undefined || maximum === undefined || minimum > maximum ? undefined : { minimum, maximum };
}

function numberOf(text: string | undefined): number | undefined {
  const plain = text?.trim().replace("−", "-") ?? "";
  const value = Number(plain);
  return plain === "" || !Number.isFinite(value) ? undefined : value;
}

/** A number for a legend: six significant digits, no grouping. */
export function shortNumber(value: number): string {
  const text = String(Number(value.toPrecision(6)));
  return text.replace("e+", "e");
}
