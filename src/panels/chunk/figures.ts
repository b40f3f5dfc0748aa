/** The figures of a chunk's values. */
import type { Statistics } from "#core/reading.ts";
import { readableNumber } from "#core/values/number-text.ts";
import { formatCount } from "#widgets/number-format.ts";
import { shownDate } from "./values/value-words.ts";

type Figure = readonly [term: string, value: number | string | undefined];

/** Figures of the values, in the order in which they are shown. */
export const figuresOf = ({ count, missing, minimum, maximum, mean }: Partial<Statistics>): readonly Figure[] => [
  ["Count", count],
  ["Missing", missing],
  ["Minimum", minimum],
  ["Maximum", maximum],
  ["Mean", mean],
];

/** Counts with grouping; what is defined is written as it came. */
export const exactFigure = (value: Figure[1]): string | undefined =>
  typeof value === "number" ? formatCount(value) : value;

/** The same as people read it, packed values with so many `decimals`. */
export const figureText = (value: Figure[1], decimals?: number): string | undefined =>
  typeof value === "string" ? shownDate(readableNumber(value, decimals)) : exactFigure(value);
