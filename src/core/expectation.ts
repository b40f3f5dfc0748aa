/**
 * What a set must have, as its owner wrote it down: arrays, their dimensions, and ranges and steps of coordinates that must
 * be covered. A set that has more is right, too.
 */
import { failure } from "./findings/failure.ts";
import { WHOLE_SET } from "./findings/place.ts";

export interface ExpectedArray {
  readonly dimensions?: readonly string[];
  /** At least so long. */
  readonly shape?: readonly number[];
  readonly dtype?: string;
  /** Every chunk of its grid has a reference. */
  readonly complete?: boolean;
  /** Attributes with these very values. */
  readonly attributes?: ReadonlyMap<string, unknown>;
}

/** Of a coordinate array. Dates are texts as `2026-01-31` or `2026-01-31T06:00:00`. */
export interface ExpectedCoordinate {
  /** Both must be within what is there. */
  readonly first?: number | string;
  readonly last?: number | string;
  /** Between neighbours: in the coordinate's units, or for dates as `6 hours`. */
  readonly step?: number | string;
}

export interface Expectation {
  readonly arrays: ReadonlyMap<string, ExpectedArray>;
  readonly coordinates: ReadonlyMap<string, ExpectedCoordinate>;
}

export const EXPECTATION_KIND = "expectation";

/** Throws `expectation-invalid`. */
export function parseExpectation(text: string): Expectation {
  const root = objectOf(parsed(text), "the file");
  if (root["refscope"] !== EXPECTATION_KIND)
    throw invalid("the file", `the member "refscope" with "${EXPECTATION_KIND}"`, root["refscope"]);
  return {
    arrays: mapOf(root["arrays"], "arrays", arrayOf),
    coordinates: mapOf(root["coordinates"], "coordinates", coordinateOf),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalid("the file", "JSON", error instanceof Error ? error.message : String(error));
  }
}

function arrayOf(given: unknown, where: string): ExpectedArray {
  const members = objectOf(given, where);
  const { dimensions, shape, dtype, complete, attributes } = members;
  if (dimensions !== undefined && !isListOf(dimensions, (one) => typeof one === "string"))
    throw invalid(`${where}.dimensions`, "a list of names", dimensions);
  if (shape !== undefined && !isListOf(shape, (one) => Number.isSafeInteger(one)))
    throw invalid(`${where}.shape`, "a list of lengths", shape);
  if (dtype !== undefined && typeof dtype !== "string") throw invalid(`${where}.dtype`, "a text", dtype);
  if (complete !== undefined && typeof complete !== "boolean")
    throw invalid(`${where}.complete`, "true or false", complete);
  return {
    ...(dimensions === undefined ? {} : { dimensions: dimensions as readonly string[] }),
    ...(shape === undefined ? {} : { shape: shape as readonly number[] }),
    ...(dtype === undefined ? {} : { dtype }),
    ...(complete === undefined ? {} : { complete }),
    ...(attributes === undefined
      ? {}
      : { attributes: new Map(Object.entries(objectOf(attributes, `${where}.attributes`))) }),
  };
}

function coordinateOf(given: unknown, where: string): ExpectedCoordinate {
  const members = objectOf(given, where);
  const { first, last, step } = members;
  for (const [name, value] of Object.entries({ first, last, step })) {
    if (value !== undefined && typeof value !== "number" && typeof value !== "string")
      throw invalid(`${where}.${name}`, "a number or a text", value);
  }
  return members;
}

const isListOf = (value: unknown, test: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);

function mapOf<Value>(
  given: unknown,
  where: string,
  of: (value: unknown, where: string) => Value,
): ReadonlyMap<string, Value> {
  if (given === undefined) return new Map();
  const entries = Object.entries(objectOf(given, where));
  return new Map(entries.map(([name, value]) => [name, of(value, `${where}.${name}`)]));
}

function objectOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(where, "an object", value);
}

const invalid = (where: string, expected: string, found: unknown) =>
  failure("expectation-invalid", WHOLE_SET, { file: "expectation", where, expected, found: cut(found) });

const MAX_SHOWN = 80;

function cut(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
