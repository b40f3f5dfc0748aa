/** Members of a codec's configuration, checked. All throw RefscopeError `codec-configuration`. */
import { RefscopeError } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json/json.ts";
import type { DataType } from "../core/metadata/data-type.ts";
import { parseDataTypeV2 } from "../core/metadata/parse-data-type.ts";
import { badConfiguration } from "./failure.ts";

export function integerMember(
  codec: string,
  configuration: JsonObject,
  member: string,
  range: { readonly minimum: number; readonly maximum: number; readonly otherwise: number },
): number {
  const value = configuration.get(member);
  if (value === undefined || value === null) return range.otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= range.minimum && value <= range.maximum)
    return value;
  throw badConfiguration(codec, member, `a whole number from ${range.minimum} to ${range.maximum}`, brief(value));
}

/** Numbers of 32 bits without sign, as many as a filter of HDF5 may have. */
export function wholeNumbers(codec: string, configuration: JsonObject, member: string): readonly number[] {
  const value = configuration.get(member);
  const list =
    Array.isArray(value) && value.length > 0 && value.length <= 4096 ? (value as readonly JsonValue[]) : [-1];
  if (list.every((one): one is number => typeof one === "number" && one >>> 0 === one)) return list;
  throw badConfiguration(codec, member, "at most 4096 whole numbers of 32 bits", brief(value));
}

/** A finite number; integers beyond 2^53 are rounded, as Python rounds them when it divides an array by them. */
export function numberMember(codec: string, configuration: JsonObject, member: string): number {
  const value = configuration.get(member);
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw badConfiguration(codec, member, "a finite number", brief(value));
}

export function stringMember(codec: string, configuration: JsonObject, member: string): string | undefined {
  const value = configuration.get(member);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw badConfiguration(codec, member, "a string", brief(value));
}

/** One of some words; the first of them where the member is absent or null. */
export function choiceMember<Choice extends string>(
  codec: string,
  configuration: JsonObject,
  member: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = configuration.get(member) ?? choices[0];
  const known = choices.find((one) => one === value);
  if (known !== undefined) return known;
  throw badConfiguration(codec, member, choices.map((one) => `"${one}"`).join(", "), brief(value));
}

/** Refuses members of other names: a registered codec of Zarr v3 ignores none. */
export function onlyMembers(codec: string, configuration: JsonObject, known: readonly string[]): void {
  const unknown = [...configuration.keys()].find((member) => !known.includes(member));
  if (unknown === undefined) return;
  throw badConfiguration(codec, unknown.slice(0, 80), `no members but ${known.join(", ")}`, "it");
}

/** A data type as NumPy writes it; `undefined` where it is none. */
export function numpyType(value: JsonValue | undefined): DataType | undefined {
  try {
    return parseDataTypeV2(value ?? null);
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

/** A value in an error message: short, whatever it is. */
export function brief(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return String(value);
}
