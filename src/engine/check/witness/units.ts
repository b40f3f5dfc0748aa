/** Units of time, of coordinates and of durations. */
import { isTimeView, timeTotal, timeView, type TimeView } from "#core/cf/cf-time.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { JsonValue } from "#core/json/json.ts";
import { parsed } from "#core/json/parse-json.ts";
import type { SourceArray } from "#core/source-file.ts";

/** Time since a date, by units and a calendar; `undefined` for other units, and what cannot be decoded. */
export function timeFrom(units = "", calendar?: JsonValue): TimeView | undefined {
  const time = timeView(units, calendar);
  return isTimeView(time) ? time : undefined;
}

export const timeOf = ({ attributes }: Pick<ArrayNode, "attributes">): TimeView | undefined =>
  timeFrom(textAttribute(attributes, "units"), attribute(attributes, "calendar"));

/** Seconds since 1970-01-01 of the calendar; NaN for what is no time. */
export const secondsOf = (numbers: ArrayLike<number>, time: TimeView): Float64Array =>
  Float64Array.from(numbers, (value) => {
    const total = timeTotal(value, time);
    return total === undefined ? NaN : Number(total / 1_000_000n) / 1000;
  });

/** Numbers of a coordinate as seconds: `zero` + `unit` × number. */
export interface Scale {
  readonly zero: number;
  readonly unit: number;
}

export function scaleOf(time: TimeView): Scale {
  const [zero = NaN, one = NaN] = secondsOf([0, 1], time);
  return { zero, unit: one - zero };
}

/** The numbers that a coordinate has for seconds. */
export const countsOf = (seconds: Float64Array, { zero, unit }: Scale): Float64Array =>
  seconds.map((one) => (one - zero) / unit);

const IN_SECONDS: ReadonlyMap<string, number> = new Map(
  [
    ["nanosecond ns", 1e-9],
    ["microsecond us", 1e-6],
    ["millisecond ms msec", 1e-3],
    ["second s sec", 1],
    ["minute min", 60],
    ["hour h hr", 3600],
    ["day d", 86_400],
    ["week", 604_800],
  ].flatMap(([names, seconds]) =>
    String(names)
      .split(" ")
      .map((name) => [name, Number(seconds)] as const),
  ),
);

/** Length of a unit of time in seconds: of "hours", and of "hours since 1970-01-01". */
export function secondsIn(units: string | undefined): number | undefined {
  const [name = ""] = (units ?? "").trim().toLowerCase().split(/\s/);
  return IN_SECONDS.get(name) ?? IN_SECONDS.get(name.replace(/s$/, ""));
}

/** Units as an attribute or, of NumPy's durations, the type has them. */
export function unitOf({ attributes, metadata }: ArrayNode): string | undefined {
  const numpy =
    metadata.dataType.kind === "timedelta" ? /\[\d*([a-z]+)\]/.exec(metadata.dataType.text)?.[1] : undefined;
  return textAttribute(attributes, "units") ?? numpy;
}

const UNITS = ["seconds", "minutes", "hours", "days"] as const;

/** The unit that is said, and the one in which times are `factor` times shorter. */
export function unitsMeant(node: ArrayNode, factor: number): { readonly units?: readonly string[] } {
  const [said = ""] = (unitOf(node) ?? "").split(/\s/);
  const own = secondsIn(said);
  const meant = UNITS.find((unit) => own !== undefined && Math.abs(own / factor / (secondsIn(unit) ?? NaN) - 1) < 0.1);
  return meant === undefined ? {} : { units: [said, meant] };
}

/** The same as `timeOf`, of an array of a file. */
export function timeIn({ attributes }: SourceArray): TimeView | undefined {
  const [units, calendar] = ["units", "calendar"].map((name) => parsed(attributes.get(name) ?? "null"));
  return typeof units === "string" ? timeFrom(units, calendar ?? "standard") : undefined;
}

/** The two calendars that count alike since 1582 are one. */
export const plainCalendar = ({ calendar }: TimeView): string =>
  calendar === "proleptic_gregorian" ? "standard" : calendar;

/** Numbers of the file as the set would count them; `undefined` where one counts time and the other does not. */
export function inUnitsOf(
  node: Pick<ArrayNode, "attributes">,
  array: SourceArray,
  stored: Float64Array,
): Float64Array | undefined {
  const value = (name: string) => parsed(array.attributes.get(name) ?? "null");
  const [factor, offset] = [value("scale_factor"), value("add_offset")];
  const numbers = stored.map(
    (one) => one * (typeof factor === "number" ? factor : 1) + (typeof offset === "number" ? offset : 0),
  );
  const [own, theirs] = [timeOf(node), timeIn(array)];
  if (own === undefined || theirs === undefined) return own === theirs ? numbers : undefined;
  return countsOf(secondsOf(numbers, theirs), scaleOf(own));
}
