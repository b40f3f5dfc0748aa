/** Numbers from text and from other values, as Python's `int()` and `float()` make them. */
import { type Budget, TemplateError, typeError, valueError } from "../template-error.ts";
import { integer, type Integer, Markup, PyFloat, refuseUndefined, typeName, type Value } from "../value.ts";
import { quote } from "./repr-text.ts";

/** CPython 3.11 turns no longer integer into text, nor text into an integer (`sys.set_int_max_str_digits`). */
export const MAX_DIGITS = 4300;

/** Bits from which on an integer surely has more than `MAX_DIGITS` digits. */
const MAX_DIGITS_BITS = 14_288;

/** What Python strips and splits at: `str.isspace`. Inside a regular expression's brackets. */
export const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** Where an int (or bool) is needed (`__index__`); undefined for other values. */
export function asInteger(value: Value): Integer | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return typeof value === "boolean" ? Number(value) : undefined;
}

/** The text of a `str`, be it marked safe or not. */
export function asText(value: Value): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof Markup ? value.text : undefined;
}

/** An index or a count: TypeError where it is not an integer. */
export function indexOf(value: Value): Integer {
  const index = asInteger(value);
  if (index !== undefined) return index;
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** The same, where an undefined value says what it is. */
export function definedIndex(value: Value): Integer {
  refuseUndefined(value);
  return indexOf(value);
}

/** A width or count that CPython keeps in a C `ssize_t`: OverflowError beyond. */
export function sizeOf(value: Value): number {
  const size = indexOf(value);
  if (typeof size === "number") return size;
  if (BigInt.asIntN(64, size) === size) return Number(size);
  throw new TemplateError("OverflowError", "Python int too large to convert to C ssize_t");
}

/** `float(int)`: OverflowError where no double is that large. */
export function doubleOf(value: Integer): number {
  if (typeof value === "number") return value;
  const double = Number(value);
  if (Number.isFinite(double)) return double;
  throw new TemplateError("OverflowError", "int too large to convert to float");
}

/** `int(float)`, towards zero: ValueError for nan, OverflowError for infinity. */
export function truncated(value: number): Integer {
  if (Number.isNaN(value)) throw valueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new TemplateError("OverflowError", "cannot convert float infinity to integer");
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : integer(BigInt(whole));
}

/** `int(value)`. */
export function toInt(value: Value): Integer {
  const known = asInteger(value);
  if (known !== undefined) return known;
  if (value instanceof PyFloat) return truncated(value.value);
  const text = asText(value);
  if (text !== undefined) return intFromText(text);
  refuseUndefined(value);
  throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
}

/** `float(value)`. */
export function toFloat(value: Value): number {
  if (value instanceof PyFloat) return value.value;
  const known = asInteger(value);
  if (known !== undefined) return doubleOf(known);
  const text = asText(value);
  if (text !== undefined) return floatFromText(text);
  refuseUndefined(value);
  throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
}

/** Whether `str(value)` would raise for its length. */
function isTooLongForText(value: bigint): boolean {
  const size = value < 0n ? -value : value;
  if (size < 1n << 14_000n) return false;
  return size >> BigInt(MAX_DIGITS_BITS) !== 0n || size >= 10n ** BigInt(MAX_DIGITS);
}

/** `str(int)`: ValueError over 4,300 digits. */
export function integerText(value: Integer, budget: Budget): string {
  if (typeof value === "number") return String(value);
  if (isTooLongForText(value)) throw tooManyDigits();
  const text = String(value);
  budget.characters(text.length);
  return text;
}

const tooManyDigits = (): TemplateError =>
  valueError(
    `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
  );

/** Around numbers U+001C to U+001F are not spaces, though `str.isspace` takes them for spaces. */
const NUMBER_SPACE = new RegExp(`^(?![\\x1c-\\x1f])[${SPACES}]$`);
const SHORT_INTEGER = /^-?\d{1,15}$/;
const PREFIXES: ReadonlyMap<string, number> = new Map([
  ["0b", 2],
  ["0o", 8],
  ["0x", 16],
]);

/**
 * `int(text, base)`: spaces around, one sign, underscores between digits, decimal digits of any script, prefixes as
 * the base allows. ValueError for all else, and over 4,300 digits unless the base is a power of two.
 */
export function intFromText(text: string, base = 10): Integer {
  if (base === 10 && SHORT_INTEGER.test(text)) return Number(text) + 0;
  const plain = asciiNumber(text);
  const sign = /^[+-]/.exec(plain)?.[0] ?? "";
  let digits = plain.slice(sign.length).toLowerCase();
  const prefixed = PREFIXES.get(digits.slice(0, 2));
  const hasPrefix = prefixed !== undefined && (base === 0 || base === prefixed);
  const radix = base === 0 ? (prefixed ?? 10) : base;
  if (hasPrefix) digits = digits.slice(2).replace(/^_/, "");
  if (!isNumeral(digits, radix) || (base === 0 && !hasPrefix && /^0[0_]*[1-9]/.test(digits))) {
    throw valueError(`invalid literal for int() with base ${base}: ${quote(text)}`);
  }
  const size = parseDigits(digits.replaceAll("_", ""), radix);
  return integer(sign === "-" ? -size : size);
}

function isNumeral(digits: string, radix: number): boolean {
  if (/[^0-9a-z_]|__|^_|_$|^$/.test(digits)) return false;
  for (let i = 0; i < digits.length; i += 1) {
    if (digits[i] !== "_" && !(digitOf(digits, i) < radix)) return false;
  }
  return true;
}

function digitOf(digits: string, at: number): number {
  const unit = digits.charCodeAt(at);
  return unit < 58 ? unit - 48 : unit - 87;
}

function parseDigits(digits: string, radix: number): bigint {
  const bits = Math.log2(radix);
  if (Number.isInteger(bits)) {
    return BigInt(`0b${Array.from(digits, (_, i) => digitOf(digits, i).toString(2).padStart(bits, "0")).join("")}`);
  }
  if (digits.length > MAX_DIGITS) throw tooManyDigits();
  if (radix === 10) return BigInt(digits);
  let value = 0n;
  for (let i = 0; i < digits.length; i += 1) value = value * BigInt(radix) + BigInt(digitOf(digits, i));
  return value;
}

/** Text without the spaces around it, decimal digits of every script made ASCII. */
function asciiNumber(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && NUMBER_SPACE.test(text.charAt(from))) from += 1;
  while (to > from && NUMBER_SPACE.test(text.charAt(to - 1))) to -= 1;
  const inner = text.slice(from, to);
  if (!/[^\0-\x7f]/.test(inner)) return inner;
  return inner.replaceAll(/\p{Nd}/gu, (digit) => String(decimalValue(digit.codePointAt(0) ?? 0)));
}

/** Decimal digits are in runs of ten, sometimes several runs in a row (U+1D7CE). */
export function decimalValue(codePoint: number): number {
  if (codePoint < 0x80) return codePoint - 48;
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}

const FLOAT = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)$/;

/** `float(text)`: ValueError where it is not a number. */
export function floatFromText(text: string): number {
  const plain = asciiNumber(text).toLowerCase();
  const number = plain.replaceAll(/(?<=\d)_(?=\d)/g, "");
  if (!FLOAT.test(number)) throw valueError(`could not convert string to float: ${quote(text)}`);
  const unsigned = number.replace(/^[+-]/, "");
  const size = unsigned === "nan" ? NaN : unsigned.startsWith("inf") ? Infinity : Number(unsigned);
  return number.startsWith("-") ? -size : size;
}
