/** The figures of a chunk's values. */
import type { Statistics } from "../../core/reading.ts";
import { formatCount } from "../../widgets/number-format.ts";

type Figure = readonly [term: string, value: number | string | undefined];

/** What values amount to, in the order in which it is shown. */
export const figuresOf = ({ count, missing, minimum, maximum, mean }: Partial<Statistics>): readonly Figure[] => [
  ["Count", count],
  ["Missing", missing],
  ["Minimum", minimum],
  ["Maximum", maximum],
  ["Mean", mean],
];

/** Counts with grouping; what is defined is written as it came. */
export const figureText = (value: Figure[1]): string | undefined =>
  typeof value === "number" ? formatCount(value) : value;
