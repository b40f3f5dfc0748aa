/**
 * Parses places in an array as people type them: a date, degrees, both, a value with its unit, the key of a chunk, a
 * step.
 */
import { chunkOf } from "../metadata/chunk-of-key.ts";
import { chunkStart, startAlong } from "../metadata/chunk-grid.ts";
import type { NodeSummary } from "../open-set.ts";
import { type Axis, type AxisRole, placeText } from "./axis.ts";
import { NOT_A_TIME } from "./time-text.ts";
import { timeOf } from "./time-step.ts";

/** Coordinates along each dimension; `undefined` if there are none, or if they are unknown. */
export type PlaceAxes = readonly (Axis | undefined)[];

export type TypedPlace =
  /** Positions along some of the dimensions. */
  | { readonly kind: "at"; readonly positions: ReadonlyMap<number, number> }
  /** It is a place, but none of this array's. */
  | { readonly kind: "none"; readonly why: string };

interface Sought {
  readonly role: AxisRole;
  readonly text: string;
  /** From the first to before the second; equal for a value. Dates in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Units of a coordinate that is neither date nor degrees. */
  readonly units?: string;
}

/** True if a text is written as a place, rather than as part of a key. */
export const isPlaceText = (typed: string): boolean =>
  /^\s*\d{4}-(?:\d\d?(?:-[\d\sT:.Z]*)?)?\s*$/.test(typed) || soughtIn(typed) !== undefined;

/** `undefined` where it is no place at all. */
export function typedPlace(typed: string, node: NodeSummary, axes: PlaceAxes): TypedPlace | undefined {
  const text = typed.trim();
  const chunk = chunkOf(node, text.replace(/^c[./]/, ""));
  if (chunk !== undefined) return { kind: "at", positions: new Map(chunkStart(chunk, node.chunks ?? []).entries()) };
  const sought = soughtIn(text);
  if (sought === undefined) return undefined;
  const positions = new Map<number, number>();
  for (const one of sought) {
    const dimension = axes.findIndex((axis) => axis !== undefined && isAlong(one, axis));
    const axis = axes[dimension];
    if (axis === undefined) return one.units === undefined ? { kind: "none", why: noSuchAxis(one) } : undefined;
    const at = positionOn(axis, one);
    if (typeof at === "string") return { kind: "none", why: at };
    positions.set(dimension, at);
  }
  return { kind: "at", positions };
}

interface Along {
  readonly node: NodeSummary;
  readonly axes: PlaceAxes;
  readonly dimension: number;
  /** Meaning of a number alone: steps from 1, chunks from 0. */
  readonly unit: "step" | "chunk";
}

/** Finds a place like `typedPlace`, in a field for one dimension. */
export function typedStep(typed: string, { node, axes, dimension, unit }: Along): TypedPlace {
  const text = typed.trim().replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  const first = unit === "step" ? 1 : 0;
  const last = first + ((unit === "step" ? node.shape : node.grid)?.[dimension] ?? 1) - 1;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= first && number <= last) {
    const at = unit === "step" ? number - 1 : startAlong(node.chunks?.[dimension] ?? 1, number);
    return { kind: "at", positions: new Map([[dimension, at]]) };
  }
  const place = typedPlace(text, node, axes);
  if (place !== undefined) return place;
  const axis = axes[dimension];
  const here = axis && placeText(axis, 0);
  const such = here === undefined ? "" : `, or a place such as ${here}`;
  return { kind: "none", why: `Type a ${unit} from ${first} to ${last.toLocaleString("en")}${such}.` };
}

const DATE = /^(\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?)?)(?:[\s,;]+|$)/;

function soughtIn(typed: string): readonly Sought[] | undefined {
  const text = typed.trim();
  const [matched = "", date] = DATE.exec(text) ?? [];
  const rest = text.slice(matched.length);
  const time = date === undefined ? undefined : period(date);
  if (date !== undefined && time === undefined) return undefined;
  const others = rest === "" ? [] : (degreesIn(rest) ?? valueIn(rest));
  const all = [...(time === undefined ? [] : [time]), ...(others ?? [])];
  return others === undefined || all.length === 0 ? undefined : all;
}

/** All that a date names: the month of `2015-07`. */
function period(text: string): Sought | undefined {
  const from = timeOf(text);
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

/** `500 hPa` */
function valueIn(text: string): readonly Sought[] | undefined {
  const [, number, units] = /^([+\-−]?\d+(?:\.\d+)?)\s*([^\d\s.,/].*)$/.exec(text) ?? [];
  if (number === undefined || units === undefined) return undefined;
  const value = Number(number.replace("−", "-"));
  return [{ role: "other", text, from: value, to: value, units: units.trim() }];
}

const isAlong = ({ role, units }: Sought, axis: Axis): boolean =>
  axis.role === role && (units === undefined || units.toLowerCase() === axis.units?.toLowerCase());

function noSuchAxis({ role, text }: Sought): string {
  const what = role === "time" ? "dates" : `${role}s`;
  return `${text} cannot be found: this array has no ${what} along a dimension.`;
}

/** The first position inside, else the nearest one; why there is none. */
function positionOn(axis: Axis, { role, text, from, to }: Sought): number | string {
  const name = axis.array.slice(axis.array.lastIndexOf("/") + 1);
  const places = numbersOn(axis);
  if (places === undefined) return `${text} cannot be found: the values of ${name} have not been read.`;
  const distance = (value: number) => {
    if (role === "longitude") return Math.abs(((((value - from + 540) % 360) + 360) % 360) - 180);
    return value < from ? from - value : value >= to ? value - from : 0;
  };
  let [best, lowest, highest] = [0, 0, 0];
  const at = (position: number) => places[position] ?? Number.NaN;
  for (const [position, value] of places.entries()) {
    if (Number.isNaN(at(best)) || distance(value) < distance(at(best))) best = position;
    if (Number.isNaN(at(lowest)) || value < at(lowest)) lowest = position;
    if (Number.isNaN(at(highest)) || value > at(highest)) highest = position;
  }
  const step = (at(highest) - at(lowest)) / Math.max(1, places.length - 1);
  const within = places.length > 1 || role === "time" ? step / 2 : 0.5;
  const isInside = role !== "longitude" && from <= at(highest) && to >= at(lowest);
  if (isInside || distance(at(best)) <= within * (1 + 1e-9)) return best;
  const ends = [lowest, highest].map((position) => placeText(axis, position) ?? "no value");
  return `${text} is outside the data: ${name} goes from ${ends.join(" to ")}.`;
}

function numbersOn({ values }: Axis): Float64Array | undefined {
  if (values === undefined || values.kind === "numbers") return values?.numbers;
  if (values.kind === "texts") return Float64Array.from(values.texts, (text) => timeOf(text) ?? Number.NaN);
  return Float64Array.from(values.nanoseconds, (one) => (one === NOT_A_TIME ? Number.NaN : Number(one) / 1e6));
}
