/**
 * Contents that a set must have, as its owner wrote them down: arrays, their dimensions, and ranges and steps of
 * coordinates that must be covered. A set that has more is right, too.
 */
import { membersOf, readOwnerFile, wrongMember, type MemberPath } from "./owner-file.ts";
import { isLengthOfTime, timeOf } from "../cf/time-step.ts";

export interface ExpectedArray {
  readonly dimensions?: readonly string[];
  /** At least so long. */
  readonly shape?: readonly number[];
  readonly dtype?: string;
  /** Every chunk of its grid has a reference; a number: at least this share of them, 0.95. */
  readonly complete?: boolean | number;
  /** Attributes with these very values. */
  readonly attributes?: ReadonlyMap<string, unknown>;
}

/** Expected range and step of a coordinate array. Dates are texts as `2026-01-31` or `2026-01-31T06:00:00`. */
export interface ExpectedCoordinate {
  /** Both must be within what is there. */
  readonly first?: number | string;
  readonly last?: number | string;
  /** Between neighbours: in the coordinate's units, or for dates as `6 hours` or `1 month`. */
  readonly step?: number | string;
  /** Each must be there, in whatever order: levels, members, names. */
  readonly values?: readonly (number | string)[];
}

export interface Expectation {
  readonly arrays: ReadonlyMap<string, ExpectedArray>;
  readonly coordinates: ReadonlyMap<string, ExpectedCoordinate>;
}

export const EXPECTATION_KIND = "expectation";

/** Throws `expectation-invalid`. */
export const parseExpectation = (text: string): Expectation => readOwnerFile("expectation", text, expectationOf);

function expectationOf(given: unknown): Expectation {
  const root = membersOf(given, [], ["refscope", "arrays", "coordinates"]);
  if (root.get("refscope") !== EXPECTATION_KIND)
    throw wrongMember(["refscope"], `the text "${EXPECTATION_KIND}"`, root.get("refscope"));
  return {
    arrays: mapOf(root.get("arrays"), ["arrays"], arrayOf),
    coordinates: mapOf(root.get("coordinates"), ["coordinates"], coordinateOf),
  };
}

const OF_ARRAY = ["dimensions", "shape", "dtype", "complete", "attributes"] as const;

function arrayOf(given: unknown, path: MemberPath): ExpectedArray {
  const members = membersOf(given, path, OF_ARRAY);
  const checked = checker(members, path);
  checked("dimensions", "a list of names", (value) => isListOf(value, (one) => typeof one === "string"));
  checked("shape", "a list of lengths", (value) => isListOf(value, (one) => Number.isSafeInteger(one)));
  checked("dtype", "a text", (value) => typeof value === "string");
  checked("complete", "true, false, or a share from 0 to 1", (value) => typeof value === "boolean" || isShare(value));
  const attributes = members.get("attributes");
  return {
    ...(taken(members, ["dimensions", "shape", "dtype", "complete"]) as ExpectedArray),
    ...(attributes === undefined ? {} : { attributes: membersOf(attributes, [...path, "attributes"]) }),
  };
}

const isShare = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;

const OF_COORDINATE = ["first", "last", "step", "values"] as const;

function coordinateOf(given: unknown, path: MemberPath): ExpectedCoordinate {
  const members = membersOf(given, path, OF_COORDINATE);
  const checked = checker(members, path);
  for (const end of ["first", "last"]) checked(end, "a number, or a date as 2026-01-31T06:00", isNumberOrDate);
  checked("step", "a number other than 0, or a length of time as 6 hours", isStep);
  checked("values", "a list of numbers or texts", (value) => isListOf(value, isNumberOrText));
  return taken(members, OF_COORDINATE);
}

const isNumberOrText = (value: unknown): boolean => typeof value === "number" || typeof value === "string";

const isNumberOrDate = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && timeOf(value) !== undefined);

/** Numbers of coordinates that count down have steps below zero. */
const isStep = (value: unknown): boolean =>
  (typeof value === "number" && value !== 0) || (typeof value === "string" && isLengthOfTime(value));

/** Throws where a member is there and fails its test. */
const checker =
  (members: ReadonlyMap<string, unknown>, path: MemberPath) =>
  (name: string, expected: string, test: (value: unknown) => boolean): void => {
    const value = members.get(name);
    if (members.has(name) && !test(value)) throw wrongMember([...path, name], expected, value);
  };

/** Members that were checked, those that are there. */
const taken = (members: ReadonlyMap<string, unknown>, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (members.has(name) ? [[name, members.get(name)]] : [])));

const isListOf = (value: unknown, test: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);

function mapOf<Value>(
  given: unknown,
  path: MemberPath,
  of: (value: unknown, path: MemberPath) => Value,
): ReadonlyMap<string, Value> {
  if (given === undefined) return new Map();
  return new Map([...membersOf(given, path)].map(([name, value]) => [name, of(value, [...path, name])]));
}
