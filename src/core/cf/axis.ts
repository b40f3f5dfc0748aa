/** Coordinates along a dimension of an array. */
import { isoDate, timeText, type TimeView } from "./cf-time.ts";
import type { Finding } from "../findings/finding.ts";
import { shortNumber } from "../values/number-text.ts";
import { NOT_A_TIME } from "./time-text.ts";

export type AxisRole = "latitude" | "longitude" | "time" | "other";

export type AxisValues =
  | { readonly kind: "numbers"; readonly numbers: Float64Array<ArrayBuffer> }
  /** Nanoseconds since 1970-01-01. */
  | { readonly kind: "dates"; readonly nanoseconds: BigInt64Array<ArrayBuffer> }
  | { readonly kind: "texts"; readonly texts: readonly string[] };

/** Value of a coordinate with several dimensions at one element. */
export interface BesideValue {
  readonly name: string;
  readonly role: AxisRole;
  readonly units: string | undefined;
  readonly value: number;
  /** View of the values as times, if it counts time. */
  readonly time?: TimeView;
}

export interface Axis {
  /** Path of the coordinate array. */
  readonly array: string;
  readonly role: AxisRole;
  readonly units: string | undefined;
  /** Absent where some of it could not be read, is too long, or would cost more than is read unasked. */
  readonly values?: AxisValues;
  readonly failed?: Finding;
}

/** Rows that count up from the south: drawn from the last to the first, north is up. */
export function isNorthLast(axis: Axis | undefined): boolean {
  if (axis?.role !== "latitude" || axis.values?.kind !== "numbers") return false;
  const { numbers } = axis.values;
  return (numbers[0] ?? 0) < (numbers.at(-1) ?? 0);
}

// Places along a dimension in the user's terms: degrees, dates, or whatever its coordinate array holds.

/** Text of the value at a position; `undefined` where there is none. */
export function placeText({ values, ...axis }: Axis, position: number): string | undefined {
  if (values === undefined) return undefined;
  if (values.kind === "dates") {
    const nanoseconds = values.nanoseconds[position];
    return nanoseconds === undefined || nanoseconds === NOT_A_TIME ? undefined : dateText(nanoseconds);
  }
  if (values.kind === "texts") return values.texts[position];
  return axisNumberText(axis, values.numbers[position]);
}

/** `2026-01-01 – 01-04`, `89°S – 11°S`: from one position to another, both included. */
export function placeRange(axis: Axis, from: number, to: number): string | undefined {
  const first = placeText(axis, from);
  const last = placeText(axis, to);
  if (first === undefined || last === undefined || first === last) return first;
  return `${first} – ${axis.values?.kind === "dates" ? withoutShared(first, last) : last}`;
}

/** The last date without the day or year that the first one says already. */
function withoutShared(first: string, last: string): string {
  const [firstDay = ""] = first.split(" ");
  const [lastDay = "", time] = last.split(" ");
  if (firstDay === lastDay && time !== undefined) return time;
  const year = firstDay.slice(0, firstDay.indexOf("-", 1) + 1);
  return year !== "" && last.startsWith(year) ? last.slice(year.length) : last;
}

/** Without a clock that says midnight. */
export function dateText(nanoseconds: bigint): string {
  return isoDate(nanoseconds)
    .replace("T", " ")
    .replace(/ 00:00:00$/, "")
    .replace(/:00$/, "");
}

/** A value of such an axis, whether it occurs or not, in so many significant `digits`; whole numbers in full. */
export function axisNumberText({ role, units }: Pick<Axis, "role" | "units">, value: number | undefined, digits = 6) {
  if (value === undefined || Number.isNaN(value)) return undefined;
  if (role === "latitude") return degrees(value, "N", "S", digits);
  if (role === "longitude") return degrees(value > 180 ? value - 360 : value, "E", "W", digits);
  const text = shortNumber(value, digits);
  // CF §3.1: "1" says that a quantity has no unit.
  return units === undefined || units.trim() === "1" ? text : `${text} ${units}`;
}

/** `31.5°S`; what is not a place on the globe, with its name. */
export function besideText({ name, role, units, value, time }: BesideValue): string {
  const isPlace = role === "latitude" || role === "longitude";
  const text = (time === undefined ? undefined : timeText(value, time)) ?? axisNumberText({ role, units }, value) ?? "";
  return isPlace ? text : `${name} ${text}`;
}

/** `31.5°S`; zero and 180 are of neither side. */
function degrees(value: number, above: string, below: string, digits: number): string {
  const size = Number(Math.abs(value).toFixed(digits - 3));
  return `${size}°${size === 0 || size === 180 ? "" : value > 0 ? above : below}`;
}
