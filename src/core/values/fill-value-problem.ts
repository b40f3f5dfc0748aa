/** Tells if a `fill_value` can mean an element of the array's type (Zarr v2 §"Fill value encoding"). */
import type { DataType, ScalarType } from "../metadata/data-type.ts";
import { fillBytes } from "./fill-bytes.ts";
import type { FactsOf } from "../findings/finding.ts";
import { writeJson } from "../json/parse-json.ts";
import type { JsonValue } from "../json/json.ts";
import { isNarrowInteger } from "./narrow-number.ts";

/** `undefined` where the value fits. `null` always does: it means that missing chunks have no defined values. */
export function fillValueProblem(value: JsonValue, type: DataType): FactsOf<"fill-value-odd"> | undefined {
  if (value === null || type.kind === "object") return undefined;
  const texts = fillTexts(value, type);
  const expected = type.kind === "structured" ? base64Problem(value, type.itemSize, true) : scalarProblem(value, type);
  if (expected !== undefined)
    return { problem: value === 0 ? zeroProblem(type) : "misfit", ...texts, expected, meant: ofOtherSign(value, type) };
  return hasInfiniteImaginary(value, type) ? { problem: "complex", ...texts, expected } : undefined;
}

/** The same bits as the type reads them: netCDF-3 has no unsigned bytes, so their fill value may be written as signed. */
function ofOtherSign(value: JsonValue, { kind, itemSize }: DataType): string | undefined {
  if ((kind !== "int" && kind !== "uint") || typeof value !== "number" || !Number.isSafeInteger(value))
    return undefined;
  const [bits, written] = [itemSize * 8, BigInt(value)];
  const [signed, unsigned] = [BigInt.asIntN(bits, written), BigInt.asUintN(bits, written)];
  const [own, other] = kind === "uint" ? [unsigned, signed] : [signed, unsigned];
  return other === written ? String(own) : undefined;
}

export const fillTexts = (
  value: JsonValue,
  { text }: DataType,
): { readonly written: string; readonly dtype: string } => ({
  written: writeJson(value).slice(0, 80),
  dtype: text.slice(0, 80),
});

/** Versions of zarr-python differ where 0 may be meant as text. */
const zeroProblem = ({ kind }: DataType) => (kind === "bytes" || kind === "unicode" ? "zero-text" : "zero");

/** zarr-python 2 adds the real part to 1j times the imaginary part, in which 0 times infinity is NaN. */
function hasInfiniteImaginary(value: JsonValue, { kind }: DataType): boolean {
  if (kind !== "complex" || !Array.isArray(value)) return false;
  const [real, imaginary] = value as readonly JsonValue[];
  return typeof imaginary === "string" && real !== "NaN";
}

type Problem = (value: JsonValue, type: ScalarType) => string | undefined;

/** Form that would fit instead, or `undefined` if the value fits. */
const scalarProblem: Problem = (value, type) => PROBLEMS[type.kind](value, type);

const PROBLEMS: Readonly<Record<ScalarType["kind"], Problem>> = {
  bool: (value) => (typeof value === "boolean" || value === 0 || value === 1 ? undefined : "true or false"),
  int: integerProblem,
  uint: integerProblem,
  datetime: integerProblem,
  timedelta: integerProblem,
  float: (value) => (isFloat(value) ? undefined : FLOAT),
  complex: (value) => (isComplex(value) ? undefined : "a pair of numbers [real, imaginary]"),
  unicode: (value, type) => textProblem(value, type.itemSize / 4),
  bytes: (value, type) => base64Problem(value, type.itemSize, false),
  narrow: (value, type) => (fillBytes(value, type) === undefined ? narrowNeeds(type) : undefined),
  void: (value, type) => base64Problem(value, type.itemSize, true),
};

const FLOAT = 'a number, "NaN", "Infinity" or "-Infinity"';
const NAMED_FLOATS: ReadonlySet<JsonValue> = new Set(["NaN", "Infinity", "-Infinity"]);

function narrowNeeds({ text, itemSize }: ScalarType): string {
  if (isNarrowInteger(text)) return `an integer that ${text} holds`;
  return `a number that ${text} has, or its bits as "0x${"00".repeat(itemSize)}"`;
}

function isFloat(value: JsonValue): boolean {
  // To Python, true and false are the numbers 1 and 0.
  return (
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || NAMED_FLOATS.has(value)
  );
}

function isComplex(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 2 && (value as readonly JsonValue[]).every(isFloat);
}

function integerProblem(value: JsonValue, type: ScalarType): string | undefined {
  if (fillBytes(value, type) !== undefined) return undefined;
  const bits = BigInt(type.itemSize * 8);
  return type.kind === "uint"
    ? `an integer from 0 to ${(1n << bits) - 1n}`
    : `an integer from ${-(1n << (bits - 1n))} to ${(1n << (bits - 1n)) - 1n}`;
}

function textProblem(value: JsonValue, characters: number): string | undefined {
  if (typeof value === "string" && codePoints(value, characters + 1) <= characters) return undefined;
  return `text of at most ${characters} characters`;
}

/** Counted up to `limit`. */
function codePoints(text: string, limit: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count < limit; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Bytes in base64; `exact` where none may be left out. The empty text means zero bytes. */
function base64Problem(value: JsonValue, itemSize: number, exact: boolean): string | undefined {
  const expected = `${exact ? "" : "at most "}${itemSize} bytes in base64`;
  if (value === "") return undefined;
  if (typeof value !== "string" || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return expected;
  const bytes = (value.length / 4) * 3 - (value.length - value.replace(/={1,2}$/, "").length);
  return bytes === itemSize || (!exact && bytes < itemSize) ? undefined : expected;
}
