/** A coordinate as numbers that can be compared: dates in milliseconds. */
import type { Axis } from "../../core/axis.ts";
import { NOT_A_TIME } from "../../core/time-text.ts";

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

const MILLISECONDS = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/**
 * A number as it is; of a coordinate of dates a date in milliseconds, or with `isStep` the length of `6 hours`.
 * `undefined` where the text is none.
 */
export function placeOf(given: number | string, isDate: boolean, isStep = false): number | undefined {
  if (typeof given === "number") return isDate ? undefined : given;
  if (!isDate) return undefined;
  if (!isStep) {
    const time = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(given.slice(10)) || given.length <= 10 ? given : `${given}Z`);
    return Number.isNaN(time) ? undefined : time;
  }
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+?)s?$/.exec(given) ?? [];
  const length = Object.hasOwn(MILLISECONDS, unit) ? MILLISECONDS[unit as keyof typeof MILLISECONDS] : undefined;
  return length === undefined ? undefined : Number(amount) * length;
}

/** "6 hours", "0.25" */
export function stepText(step: number, isDate: boolean): string {
  if (!isDate) return String(Number(step.toPrecision(6)));
  const sign = step < 0 ? "−" : "";
  const size = Math.abs(step);
  const units = Object.entries(MILLISECONDS).filter(([name]) => name !== "week");
  const [name, length] = units.findLast(([, one]) => size >= one && size % one === 0) ?? ["millisecond", 1];
  const count = size / length;
  return `${sign}${count} ${name}${count === 1 ? "" : "s"}`;
}
