/** The range of a coordinate and the steps in it, in the user's terms: dates, degrees, or whatever it holds. */
import { type Axis, axisNumberText, type AxisRole, dateText } from "#core/cf/axis.ts";
import { isoDate } from "#core/cf/cf-time.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { shortNumber } from "#core/values/number-text.ts";
import { plainDate, unitsText } from "#core/values/value-text.ts";

/** Significant digits. */
const DIGITS = 4;

export interface AxisRange {
  /** "2026-01-01 … 2026-01-24" */
  readonly range: string;
  /** "every day, 24 steps" */
  readonly steps: string;
}

type Known = Pick<Axis, "role" | "units" | "values">;

/** `undefined` where the values are not there. */
export function axisRange({ role, units, values }: Known): AxisRange | undefined {
  if (values === undefined) return undefined;
  if (values.kind === "texts") return textRange(values.texts, role);
  if (values.kind === "dates") return dateRange(values.nanoseconds);
  return numberRange(values.numbers, role, units);
}

/** Texts are also dates of calendars that no clock has, such as 360 days a year. */
function textRange(texts: readonly string[], role: AxisRole): AxisRange {
  const isTime = role === "time";
  const [first = "", last = first] = [texts[0], texts.at(-1)].map((text = "") => (isTime ? plainDate(text) : text));
  const range = texts.length < 2 ? first : `${first} … ${last}`;
  return { range, steps: countOf(texts.length, isTime ? "step" : "text") };
}

function dateRange(all: BigInt64Array): AxisRange {
  const dates = all.filter((one) => one !== NOT_A_TIME);
  const [first] = dates;
  if (first === undefined) return { range: all.length === 0 ? "empty" : "no date", steps: "" };
  const ends = endsOf(dates);
  const absent = absentText(all.length - dates.length, "date");
  if (dates.length === 1) return { range: dateText(first), steps: `one date${absent}` };
  const range = `${dateText(ends.first)} … ${dateText(ends.last)}`;
  const count = `${formatCount(all.length)} steps`;
  const step = absent === "" ? dateStep(dates) : undefined;
  if (step !== undefined) return { range, steps: `${step}, ${count}` };
  return { range, steps: `${ends.order === undefined ? "in no order" : "uneven"}, ${count}${absent}` };
}

const absentText = (count: number, what: string): string => (count === 0 ? "" : `, ${countOf(count, what)} missing`);

/** The first and the last where values rise or fall throughout; else the least and the greatest. */
function endsOf<T extends number | bigint>(values: { readonly length: number; readonly [at: number]: T }) {
  let [rises, falls] = [true, true];
  let least = values[0] as T;
  let greatest = least;
  for (let at = 1; at < values.length; at += 1) {
    const [before, value] = [values[at - 1] as T, values[at] as T];
    if (value <= before) rises = false;
    if (value >= before) falls = false;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const order = rises ? ("ascending" as const) : falls ? ("descending" as const) : undefined;
  return order === "descending" ? { first: greatest, last: least, order } : { first: least, last: greatest, order };
}

/** "every 6 hours", "every month"; `undefined` where the steps are not alike. */
function dateStep(dates: BigInt64Array): string | undefined {
  const step = (dates[1] ?? 0n) - (dates[0] ?? 0n);
  if (step === 0n) return undefined;
  const isEven = dates.every((date, at) => at === 0 || date - (dates[at - 1] ?? 0n) === step);
  if (isEven) return `every ${durationText(step < 0n ? -step : step)}`;
  const months = monthStep(dates);
  if (months === undefined) return undefined;
  return `every ${months % 12 === 0 ? unitsOf(months / 12, "year") : unitsOf(months, "month")}`;
}

const UNITS: readonly (readonly [string, bigint])[] = [
  ["day", 86_400_000_000_000n],
  ["hour", 3_600_000_000_000n],
  ["minute", 60_000_000_000n],
  ["second", 1_000_000_000n],
  ["ms", 1_000_000n],
  ["µs", 1000n],
  ["ns", 1n],
];

/** Duration in the largest unit that divides it evenly. */
function durationText(nanoseconds: bigint): string {
  const [name, unit] = UNITS.find(([, unit]) => nanoseconds % unit === 0n) ?? ["ns", 1n];
  return unitsOf(Number(nanoseconds / unit), name);
}

/** "day", "6 hours" */
function unitsOf(count: number, unit: string): string {
  return count === 1 ? unit : `${formatCount(count)} ${unit}${unit.endsWith("s") ? "" : "s"}`;
}

/** Months between dates at the same day and time of a month. */
function monthStep(dates: BigInt64Array): number | undefined {
  const parts = Array.from(dates, (date) => /^(-?\d+)-(\d\d)-(.*)$/.exec(isoDate(date)));
  const rest = parts[0]?.[3];
  const months = parts.map((part) => Number(part?.[1]) * 12 + Number(part?.[2]));
  const step = (months[1] ?? 0) - (months[0] ?? 0);
  const isEven = months.every((month, at) => at === 0 || month - (months[at - 1] ?? 0) === step);
  return isEven && step !== 0 && parts.every((part) => part?.[3] === rest) ? Math.abs(step) : undefined;
}

function numberRange(all: Float64Array, role: AxisRole, units: string | undefined): AxisRange {
  const numbers = all.filter((one) => !Number.isNaN(one));
  const [first] = numbers;
  if (first === undefined) return { range: all.length === 0 ? "empty" : "no value", steps: "" };
  const absent = absentText(all.length - numbers.length, "value");
  const { first: from, last: to, order } = endsOf(numbers);
  if (numbers.length === 1) return { range: placeText(first, role, units), steps: `one value${absent}` };
  const step = absent === "" ? evenStep(numbers) : undefined;
  const range = rangeText(from, to, { role, units }, Math.abs(step ?? 0));
  const sign = role === "latitude" || role === "longitude" ? "°" : "";
  const spacing = step === undefined ? "uneven" : `every ${shortNumber(Math.abs(step), DIGITS)}${sign}`;
  return { range, steps: order === undefined ? `in no order${absent}` : `${spacing}, ${order}${absent}` };
}

function rangeText(from: number, to: number, { role, units }: Pick<Axis, "role" | "units">, step: number): string {
  if (role !== "latitude" && role !== "longitude") {
    const of = units === undefined ? "" : ` ${unitsText(units)}`;
    return `${shortNumber(from, DIGITS)} … ${shortNumber(to, DIGITS)}${of}`;
  }
  const turn = Math.abs(to - from) + step;
  const isRound = role === "longitude" && Math.abs(turn - 360) <= step / 2;
  return `${placeText(from, role, units)} … ${placeText(to, role, units)}${isRound ? ", full circle" : ""}`;
}

/** Degrees as everywhere else: 359 is 1°W. */
function placeText(value: number, role: AxisRole, units: string | undefined): string {
  if (role === "latitude" || role === "longitude") return axisNumberText({ role, units }, value) ?? "";
  return units === undefined ? shortNumber(value, DIGITS) : `${shortNumber(value, DIGITS)} ${unitsText(units)}`;
}

/** The step between values, where all are alike within what floats of 32 bits can say. */
function evenStep(numbers: Float64Array): number | undefined {
  const [first = 0] = numbers;
  const last = numbers.at(-1) ?? first;
  const step = (last - first) / (numbers.length - 1);
  if (step === 0 || !Number.isFinite(step)) return undefined;
  const most = Math.max(Math.abs(first), Math.abs(last)) * 2e-7 + Math.abs(step) * 1e-3;
  const isEven = numbers.every((value, at) => Math.abs(value - first - at * step) <= most);
  return isEven ? Number(step.toPrecision(4)) : undefined;
}
