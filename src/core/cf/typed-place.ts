/**
 * The grammar of places, for every field and option in which one is typed: `2015-07-04`, `45N 10E`, `500 hPa`, in any
 * order; `time=2015-07,lat=30N..60N,band=B04` by name, with ranges; `x[10:20]` for positions, as NumPy has them; the
 * key of a chunk; a step.
 */
import { chunkOf } from "../metadata/chunk-of-key.ts";
import { chunkStart, startAlong } from "../metadata/chunk-grid.ts";
import type { NodeSummary } from "../open-set.ts";
import { type Axis, type AxisRole, placeText } from "./axis.ts";
import { meantName } from "../words/near-name.ts";
import { parseSelection, type SelectedDimension } from "../plane/selection.ts";
import { listed } from "../words.ts";
import { type Conversion, conversionBetween } from "./quantity.ts";
import { NOT_A_TIME } from "./time-text.ts";
import { timeOf } from "./time-step.ts";

/** Coordinates along each dimension; `undefined` if there are none, or if they are unknown. */
export type PlaceAxes = readonly (Axis | undefined)[];

type Dimensions = Pick<NodeSummary, "name" | "shape" | "dimensionNames">;

export type TypedPlace =
  /** Positions along some of the dimensions. */
  | { readonly kind: "at"; readonly positions: ReadonlyMap<number, number> }
  /** It is a place, but none of this array's. */
  | { readonly kind: "none"; readonly why: string };

/** One term of a place. Dates are in milliseconds since 1970. */
interface Sought {
  /** Name of a dimension or its coordinate; absent if the value alone says which is meant. */
  readonly name?: string;
  readonly role: AxisRole;
  readonly text: string;
  /** Includes `from`. A date ends before `to`, everything else includes it; they are equal for a single value. */
  readonly from: number;
  readonly to: number;
  /** True for `A..B`. */
  readonly isRange?: true;
  /** Units of a value that is neither date nor degrees. */
  readonly units?: string;
  /** Text between the brackets of `NAME[…]`: positions, as NumPy indexes them. */
  readonly index?: string;
}

/** True if a text is written as a place, rather than as part of a key. */
export const isPlaceText = (typed: string): boolean =>
  /^\s*\d{4}-(?:\d\d?(?:-[\d\sT:.Z]*)?)?\s*$/.test(typed) || (!COMPACT.test(typed) && soughtIn(typed) !== undefined);

/** `undefined` where it is no place at all. */
export function typedPlace(typed: string, node: NodeSummary, axes: PlaceAxes): TypedPlace | undefined {
  const text = typed.trim();
  const chunk = chunkOf(node, text.replace(/^c[./]/, ""));
  if (chunk !== undefined) return { kind: "at", positions: new Map(chunkStart(chunk, node.chunks ?? []).entries()) };
  const spans = typedSpans(text, node, axes);
  if (spans === undefined) return undefined;
  if (typeof spans === "string") return { kind: "none", why: spans };
  return { kind: "at", positions: new Map([...spans].map(([dimension, { start }]) => [dimension, start])) };
}

/**
 * Parts of dimensions that a text names; why it names none; `undefined` if it is not written as a place. A date names
 * all steps in it, as in pandas; any other single value names the nearest position.
 */
export function typedSpans(
  typed: string,
  node: Dimensions,
  axes: PlaceAxes,
): ReadonlyMap<number, SelectedDimension> | string | undefined {
  const sought = soughtIn(typed);
  if (sought === undefined) return undefined;
  const spans = new Map<number, SelectedDimension>();
  for (const one of sought) {
    const dimension = dimensionOf(one, node, axes);
    if (dimension < 0 && one.name === undefined && one.units !== undefined) return undefined;
    if (dimension < 0) return COMPACT.test(typed) ? undefined : noSuchAxis(one, node, axes);
    if (spans.has(dimension)) return `${one.text} names a dimension again.`;
    const span = spanAlong(one, node.shape?.[dimension] ?? 0, axes[dimension]);
    if (typeof span === "string") return span;
    spans.set(dimension, span);
  }
  return spans;
}

interface Along {
  readonly node: NodeSummary;
  readonly axes: PlaceAxes;
  readonly dimension: number;
  /** Meaning of a number alone. Both count from 0, as in Python. */
  readonly unit: "index" | "chunk";
}

/** Finds a place like `typedPlace`, in a field for one dimension. */
export function typedStep(typed: string, { node, axes, dimension, unit }: Along): TypedPlace {
  const text = typed.trim().replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  const last = ((unit === "index" ? node.shape : node.grid)?.[dimension] ?? 1) - 1;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number <= last) {
    const at = unit === "index" ? number : startAlong(node.chunks?.[dimension] ?? 1, number);
    return { kind: "at", positions: new Map([[dimension, at]]) };
  }
  const place = typedPlace(text, node, axes);
  if (place !== undefined) return place;
  const axis = axes[dimension];
  const here = axis && placeText(axis, 0);
  const such = here === undefined ? "" : `, or a place such as ${here}`;
  return {
    kind: "none",
    why: `Type ${unit === "index" ? "an index" : "a chunk"} from 0 to ${last.toLocaleString("en")}${such}.`,
  };
}

const DATE = /(?<![\d.-])\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?)?(?=[\s,;]|$)/;
/** A date as file names have it. */
const COMPACT = /^\s*(?:1[5-9]|2[0-4])\d\d(?:0[1-9]|1[0-2])(?:[0-3]\d)?\s*$/;
/** Begins a term with a name. */
const NAMED = /(?:^|[\s,;])\s*(\p{L}[\p{L}\p{N}_.-]*)\s*(?:=|(?=\[))/gu;

function soughtIn(typed: string): readonly Sought[] | undefined {
  const starts = [...typed.matchAll(NAMED)];
  const bare = trimmed(typed.slice(0, starts[0]?.index));
  const named = starts.map((start, at) =>
    namedIn(start[1] ?? "", trimmed(typed.slice(start.index + start[0].length, starts[at + 1]?.index))),
  );
  const all = [bare === "" ? [] : bareIn(bare), ...named.map((one) => one && [one])];
  const found = all.flatMap((terms) => terms ?? []);
  return all.includes(undefined) || found.length === 0 ? undefined : found;
}

const trimmed = (text: string): string => text.replaceAll(/^[\s,;]+|[\s,;]+$/g, "");

/** Terms without names: a date, degrees or a value with its unit, in any order. */
function bareIn(text: string): readonly Sought[] | undefined {
  const range = /(?:^|[\s,;])([^\s,;]+)\.\.([^\s,;]+)(?=[\s,;]|$)/.exec(text);
  const whole = range === null && COMPACT.test(text) ? period(text) : undefined;
  if (whole !== undefined) return [whole];
  const date = range === null ? DATE.exec(text) : null;
  const first = range === null ? date && period(date[0]) : rangeOf(single(range[1] ?? ""), single(range[2] ?? ""));
  const cut = range ?? date;
  if (cut !== null && !first) return undefined;
  const rest = cut === null ? text : trimmed(`${text.slice(0, cut.index)} ${text.slice(cut.index + cut[0].length)}`);
  const others = rest === "" ? [] : range === null ? (degreesIn(rest) ?? measureIn(rest)) : bareIn(rest);
  return others && [...(first ? [first] : []), ...others];
}

/** `time=2015-07`, `lat=30N..60N`, `level=500 hPa`, `band=B04`, `x[10:20]`. */
function namedIn(name: string, value: string): Sought | undefined {
  const index = /^\[([^\]]*)\]$/.exec(value)?.[1];
  if (index !== undefined) return { name, role: "other", text: `${name}[${index}]`, from: 0, to: 0, index };
  const one = single(value);
  if (one?.role === "time" || (one !== undefined && !/\.\.|:/.test(value))) return { ...one, name };
  for (const { index: at, 0: mark } of value.matchAll(/\.\.|:/g)) {
    const range = rangeOf(single(value.slice(0, at)), single(value.slice(at + mark.length)));
    if (range !== undefined) return { ...range, name };
  }
  return value === "" ? undefined : { name, role: "other", text: value, from: Number.NaN, to: Number.NaN };
}

/** A date, degrees with their letter, or a number with or without a unit. */
function single(typed: string): Sought | undefined {
  const text = typed.trim();
  const [one, other] = degreesIn(text) ?? [];
  return period(text) ?? (other === undefined ? one : undefined) ?? valueIn(text)?.[0];
}

/** Joins two ends; a year is a date if the other end is one. Dates may stand in either order. */
function rangeOf(one: Sought | undefined, other: Sought | undefined): Sought | undefined {
  if (one === undefined || other === undefined) return undefined;
  const isTime = one.role === "time" || other.role === "time";
  const [a, b] = [one, other].map((end) => (isTime && end.role === "other" ? yearsOf(end) : end));
  if (a === undefined || b === undefined) return undefined;
  if (a.role !== b.role && a.role !== "other" && b.role !== "other") return undefined;
  const [first, last] = isTime && b.from < a.from ? [b, a] : [a, b];
  const role = a.role === "other" ? b.role : a.role;
  const units = a.units ?? b.units;
  const text = `${one.text}..${other.text}`;
  return { role, text, from: first.from, to: last.to, isRange: true, ...(units === undefined ? {} : { units }) };
}

/** All that a date names: the month of `2015-07`, also as `201507`. */
function period(typed: string): Sought | undefined {
  const text = COMPACT.test(typed)
    ? typed
        .trim()
        .replace(/^(\d{4})(\d\d)(\d\d)?$/, (_, ...[year, month, day]) => [year, month, day].filter(Boolean).join("-"))
    : typed;
  const from = DATE.exec(text)?.[0] === text ? timeOf(text) : undefined;
  if (from === undefined) return undefined;
  const date = new Date(from);
  if (text.length === 7) date.setUTCMonth(date.getUTCMonth() + 1);
  const length = text.length === 10 ? 86_400_000 : text.length < 19 ? 60_000 : 1000;
  return { role: "time", text, from, to: text.length === 7 ? date.getTime() : from + length };
}

/** `45N 10E`, `45°N`, `-45 10`: two numbers without letters are a latitude and a longitude. */
function degreesIn(text: string): readonly Sought[] | undefined {
  const part = /\s*([+\-−]?\d+(?:\.\d+)?)\s*°?\s*([NSEW])?(?![\w.])\s*[,;]?/iy;
  const found: { value: number; letter: string }[] = [];
  while (part.lastIndex < text.length) {
    const [, number, letter = ""] = part.exec(text) ?? [];
    if (number === undefined || found.length === 2) return undefined;
    found.push({ value: Number(number.replace("−", "-")), letter: letter.toUpperCase() });
  }
  const [one, other] = found;
  if (one === undefined || (other === undefined && one.letter === "")) return undefined;
  const isLongitude = (letter: string) => letter === "E" || letter === "W";
  const isSwapped = isLongitude(one.letter) || (other !== undefined && /[NS]/.test(other.letter));
  const roles: readonly AxisRole[] = isSwapped ? ["longitude", "latitude"] : ["latitude", "longitude"];
  if (found.some(({ letter }, at) => letter !== "" && isLongitude(letter) !== (roles[at] === "longitude"))) {
    return undefined;
  }
  return found.map(({ value, letter }, at) => {
    const signed = letter === "S" || letter === "W" ? -value : value;
    const role = roles[at] ?? "latitude";
    const sides = role === "latitude" ? "NS" : "EW";
    const side = letter === "" ? (sides[signed < 0 ? 1 : 0] ?? "") : letter;
    return { role, text: `${Math.abs(value)}°${side}`, from: signed, to: signed };
  });
}

/** `500 hPa`, `500`; `0°`, which is of neither side. */
function valueIn(text: string): readonly Sought[] | undefined {
  const [, number, units] = /^([+\-−]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(?:°|([^\d\s.,/].*))?$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  const value = Number(number.replace("−", "-"));
  return [{ role: "other", text, from: value, to: value, ...(units === undefined ? {} : { units: units.trim() }) }];
}

/** A value that says its unit. */
const measureIn = (text: string) => {
  const found = valueIn(text);
  return found?.[0]?.units === undefined ? undefined : found;
};

const shortName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const ALIASES = new Map<string, AxisRole>([
  ["lat", "latitude"],
  ["lon", "longitude"],
  ["latitude", "latitude"],
  ["longitude", "longitude"],
  ["time", "time"],
]);

/** -1 where the array has none. */
function dimensionOf({ name, role, units }: Sought, { dimensionNames = [] }: Dimensions, axes: PlaceAxes): number {
  if (name === undefined) {
    const isAlong = (axis: Axis | undefined) =>
      axis?.role === role && (units === undefined || conversionTo(axis, units) !== undefined);
    return role === "other" && units === undefined ? -1 : axes.findIndex(isAlong);
  }
  const wanted = name.toLowerCase();
  const named = [
    dimensionNames.findIndex((one) => one?.toLowerCase() === wanted),
    axes.findIndex((axis) => axis !== undefined && shortName(axis.array).toLowerCase() === wanted),
    axes.findIndex((axis) => axis !== undefined && axis.role === ALIASES.get(wanted)),
  ];
  return named.find((at) => at >= 0) ?? -1;
}

const AS_IT_IS: Conversion = { scale: 1, shift: 0 };

/** From `units` to those of the axis; units that nobody knows fit where they are written alike. */
const conversionTo = ({ units: own = "" }: Axis, units: string): Conversion | undefined =>
  own.trim().toLowerCase() === units.toLowerCase() ? AS_IT_IS : conversionBetween(units, own);

function noSuchAxis({ name, role, text }: Sought, { dimensionNames = [], name: array }: Dimensions, axes: PlaceAxes) {
  if (name !== undefined) {
    const names = [...dimensionNames, ...axes.map((axis) => axis && shortName(axis.array))];
    const known = [...new Set(names.filter((one) => one !== undefined))];
    const has = known.length === 0 ? "its dimensions have no names" : `it has ${listed(known)}`;
    return `${array} has no dimension “${name}”: ${has}.${meantName(name, known)}`;
  }
  const what = role === "time" ? "dates" : role === "other" ? "such coordinate" : `${role}s`;
  return `${text} cannot be found: this array has no ${what} along a dimension.`;
}

/** Positions that a term names along its dimension; why there are none. */
function spanAlong(sought: Sought, length: number, axis: Axis | undefined): SelectedDimension | string {
  if (sought.index !== undefined) return indexed(sought.index, length, sought.text);
  if (axis === undefined) {
    return `${sought.text} cannot be found: ${sought.name} has no coordinate values. Type ${sought.name}[5] for an index.`;
  }
  const isWords = axis.role === "other" && axis.values?.kind === "texts";
  const named = Number.isNaN(sought.from) || isWords ? wordOn(axis, sought.text) : undefined;
  if (named !== undefined) return typeof named === "string" ? named : onePosition(named);
  const one = onAxis(sought, axis);
  if (typeof one === "string") return one;
  const inside = one.isRange === true || one.role === "time" ? positionsInside(axis, one) : [];
  if (inside.length > 1) return evenSpan(inside, one.text, axis);
  if (inside.length === 0 && one.isRange === true) {
    const near = positionOn(axis, one);
    return typeof near === "string"
      ? near
      : `No value of ${shortName(axis.array)} is in ${one.text}; ${placeText(axis, near) ?? near} is the nearest.`;
  }
  const at = inside[0] ?? positionOn(axis, one);
  return typeof at === "string" ? at : onePosition(at);
}

const onePosition = (start: number): SelectedDimension => ({ start, step: 1, count: 1, dropped: true });

function indexed(index: string, length: number, text: string): SelectedDimension | string {
  try {
    const [span] = parseSelection(index, [length]);
    if (span !== undefined && span.count > 0) return span;
  } catch {}
  return `${text} is not in this array: indices go from 0 to ${length - 1}.`;
}

/** Position of a text along a coordinate of texts, such as names of bands. */
function wordOn(axis: Axis, text: string): number | string {
  const words = axis.values?.kind === "texts" ? axis.values.texts : [];
  const at = words.indexOf(text);
  if (at >= 0) return at;
  return `“${text}” is not a value of ${shortName(axis.array)}.${meantName(text, words)}`;
}

/** The term in the kind and the unit of the axis; why it has none. */
function onAxis(sought: Sought, axis: Axis): Sought | string {
  const { role, units, text } = sought;
  const name = shortName(axis.array);
  if (role === axis.role && role !== "other") return sought;
  const isDates = axis.values !== undefined && axis.values.kind !== "numbers" && axis.role === "time";
  const years = isDates ? yearsOf(sought) : undefined;
  if (years !== undefined) return years;
  if (isDates) return `${text} is not a date. Type ${name}=2015-07-04, or ${name}[5] for an index.`;
  if (role !== "other") return `${text} cannot be found: ${name} has no ${role === "time" ? "dates" : `${role}s`}.`;
  const conversion = units === undefined ? AS_IT_IS : conversionTo(axis, units);
  if (conversion === undefined)
    return `${text} cannot be found: the units of ${name} are ${axis.units ?? "not given"}.`;
  const converted = (value: number) => value * conversion.scale + conversion.shift;
  return { ...sought, role: axis.role, from: converted(sought.from), to: converted(sought.to) };
}

/** `2015`, `2015..2017` along dates. */
function yearsOf(sought: Sought): Sought | undefined {
  const [, from, to = from] = /^(\d{4})(?:\.\.(\d{4}))?$/.exec(sought.text) ?? [];
  if (from === undefined) return undefined;
  return { ...sought, role: "time", from: Date.UTC(Number(from), 0), to: Date.UTC(Number(to) + 1, 0) };
}

/** Positions whose values lie in a date or between two values, whichever way the coordinate runs. */
function positionsInside(axis: Axis, { role, from, to }: Sought): readonly number[] {
  const [least, most] = [Math.min(from, to), Math.max(from, to)];
  const isIn = (value: number) => {
    if (role === "time") return value >= least && value < most;
    if (role !== "longitude") return value >= least && value <= most;
    return to - from >= 360 || (((value - from) % 360) + 360) % 360 <= (((to - from) % 360) + 360) % 360;
  };
  return [...(numbersOn(axis) ?? [])].flatMap((value, at) => (isIn(value) ? [at] : []));
}

function evenSpan(positions: readonly number[], text: string, axis: Axis): SelectedDimension | string {
  const [start = 0] = positions;
  const isWhole = positions.every((at, place) => at === start + place);
  if (isWhole) return { start, step: 1, count: positions.length, dropped: false };
  return `${text} is in several parts of ${shortName(axis.array)}: read one after another.`;
}

/** The nearest position; why there is none. */
function positionOn(axis: Axis, { role, text, from, to }: Sought): number | string {
  const places = numbersOn(axis);
  if (places === undefined)
    return `${text} cannot be found: the values of ${shortName(axis.array)} have not been read.`;
  const distance = (value: number) => {
    if (role === "longitude") return Math.abs(((((value - from + 540) % 360) + 360) % 360) - 180);
    return value < from ? from - value : value >= to ? value - from : 0;
  };
  const best = bestOf(places, distance);
  const { lowest, highest } = endsOf(places);
  const at = (position: number) => places[position] ?? Number.NaN;
  const step = (at(highest) - at(lowest)) / Math.max(1, places.length - 1);
  const within = places.length > 1 || role === "time" ? step / 2 : 0.5;
  const isInside = role !== "longitude" && from <= at(highest) && to >= at(lowest);
  return isInside || distance(at(best)) <= within * (1 + 1e-9) ? best : outside(axis, text);
}

/** Position of the least number by a measure. */
function bestOf(numbers: Float64Array, measure: (value: number) => number): number {
  let [best, least] = [0, Number.NaN];
  for (const [position, value] of numbers.entries()) {
    const size = measure(value);
    if (Number.isNaN(least) || size < least) [best, least] = [position, size];
  }
  return best;
}

const endsOf = (numbers: Float64Array) => ({
  lowest: bestOf(numbers, (value) => value),
  highest: bestOf(numbers, (value) => -value),
});

function outside(axis: Axis, text: string): string {
  const { lowest, highest } = endsOf(numbersOn(axis) ?? new Float64Array());
  const ends = [lowest, highest].map((position) => placeText(axis, position) ?? "no value");
  return `${text} is outside the data: ${shortName(axis.array)} goes from ${ends.join(" to ")}.`;
}

function numbersOn({ values }: Axis): Float64Array | undefined {
  if (values === undefined || values.kind === "numbers") return values?.numbers;
  if (values.kind === "texts") return Float64Array.from(values.texts, (text) => timeOf(text) ?? Number.NaN);
  return Float64Array.from(values.nanoseconds, (one) => (one === NOT_A_TIME ? Number.NaN : Number(one) / 1e6));
}
