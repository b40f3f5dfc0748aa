/** A coordinate as numbers that can be compared: dates in milliseconds. */
import type { Axis } from "../../../core/cf/axis.ts";
import { NOT_A_TIME } from "../../../core/cf/time-text.ts";

export interface CoordinateSteps {
  /** In the coordinate's units, or milliseconds since 1970. */
  readonly values: Float64Array;
  /** Between neighbours; one fewer. */
  readonly steps: Float64Array;
  readonly least: number;
  readonly most: number;
  readonly isDate: boolean;
}

/** `undefined` where its values are not known, or neither numbers nor dates. */
export function coordinateSteps({ values }: Axis): CoordinateSteps | undefined {
  if (values === undefined || values.kind === "texts") return undefined;
  const isDate = values.kind === "dates";
  const numbers = isDate
    ? Float64Array.from(values.nanoseconds, (time) => (time === NOT_A_TIME ? NaN : Number(time / 1_000_000n)))
    : values.numbers;
  const known = numbers.filter((number) => !Number.isNaN(number));
  if (known.length === 0) return undefined;
  const steps = numbers.slice(1).map((value, at) => value - (numbers[at] ?? NaN));
  const ends = known.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
    Infinity,
    -Infinity,
  ] as readonly [number, number]);
  return { values: numbers, steps, least: ends[0], most: ends[1], isDate };
}
