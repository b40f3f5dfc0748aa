/** One directive of `format % args`, applied to its argument. */
import type { Budget } from "../budget.ts";
import { TemplateError, typeError, valueError } from "../template-error.ts";
import { PyFloat, type Integer, type Value } from "../value.ts";
import { codePointLength, codePointSlice } from "./code-points.ts";
import { styledFloat, type FloatStyle } from "./float-text.ts";
import { digitsOf } from "./integer-digits.ts";
import { asInteger, asText, toFloat, truncated } from "./numbers.ts";
import { padding } from "./sequences.ts";
import { ascii, repr, str } from "./text.ts";
import { refuseUndefined, typeName } from "./type-name.ts";

export interface Directive {
  readonly letter: string;
  readonly flags: string;
  readonly isLeft: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  /** Where the letter stands in the format. */
  readonly index: number;
}

/** The parts of a converted number: zeros of the width go between `prefix` and `body`. */
interface Converted {
  readonly prefix: string;
  readonly body: string;
}

export function convertArgument(directive: Directive, value: Value, budget: Budget): string {
  const { letter } = directive;
  if ("sra".includes(letter))
    return aligned(directive, { prefix: "", body: textOf(directive, value, budget) }, " ", budget);
  if (letter === "c") return aligned(directive, { prefix: "", body: characterOf(value) }, " ", budget);
  const fill = directive.flags.includes("0") ? "0" : " ";
  if ("diuoxX".includes(letter)) return aligned(directive, integerOf(directive, value, budget), fill, budget);
  if ("eEfFgG".includes(letter)) return aligned(directive, floatOf(directive, value, budget), fill, budget);
  const code = letter.codePointAt(0) ?? 0;
  const shown = code > 31 && code < 127 ? letter : "?";
  throw valueError(`unsupported format character '${shown}' (0x${code.toString(16)}) at index ${directive.index}`);
}

function aligned({ isLeft, width }: Directive, { prefix, body }: Converted, fill: string, budget: Budget): string {
  const text = prefix + body;
  if (width === 0) return text;
  const pad = padding(text, width, isLeft ? " " : fill, budget);
  if (isLeft) return text + pad;
  return fill === "0" ? prefix + pad + body : pad + text;
}

function textOf({ letter, precision }: Directive, value: Value, budget: Budget): string {
  const write = letter === "s" ? str : letter === "r" ? repr : ascii;
  const text = write(value, budget);
  return precision === undefined || text.length <= precision
    ? text
    : codePointSlice(text, 0, Math.min(precision, codePointLength(text, budget)), budget);
}

function characterOf(value: Value): string {
  const text = asText(value);
  if (text !== undefined && text.length < 3 && codePointLength(text) === 1) return text;
  const code = asInteger(value);
  if (code === undefined) throw typeError("%c requires int or char");
  if (typeof code === "bigint" || code < 0 || code > 0x10ffff) {
    throw new TemplateError("OverflowError", "%c arg not in range(0x110000)");
  }
  return String.fromCodePoint(code);
}

const BASES: ReadonlyMap<string, 8 | 10 | 16> = new Map([
  ["o", 8],
  ["x", 16],
  ["X", 16],
]);

function integerOf({ letter, flags, precision }: Directive, value: Value, budget: Budget): Converted {
  const base = BASES.get(letter) ?? 10;
  const whole = wholeOf(letter, value, base);
  let digits = digitsOf(whole, base, budget);
  if (precision !== undefined && precision > digits.length) {
    budget.characters(precision);
    digits = digits.padStart(precision, "0");
  }
  const mark = flags.includes("#") && base !== 10 ? (base === 8 ? "0o" : "0x") : "";
  const prefix = signOf(whole < 0, flags) + mark;
  return letter === "X" ? { prefix: prefix.toUpperCase(), body: digits.toUpperCase() } : { prefix, body: digits };
}

function wholeOf(letter: string, value: Value, base: 8 | 10 | 16): Integer {
  const whole = asInteger(value);
  if (whole !== undefined) return whole;
  if (base !== 10) throw typeError(`%${letter} format: an integer is required, not ${typeName(value)}`);
  if (value instanceof PyFloat) return truncated(value.value);
  refuseUndefined(value);
  throw typeError(`%${letter} format: a real number is required, not ${typeName(value)}`);
}

const signOf = (isNegative: boolean, flags: string): string =>
  isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";

function floatOf({ letter, flags, precision }: Directive, value: Value, budget: Budget): Converted {
  if (asText(value) !== undefined) throw typeError(`must be real number, not ${typeName(value)}`);
  const number = toFloat(value);
  const digits = precision ?? 6;
  budget.characters(digits + 320);
  const style = letter.toLowerCase() as FloatStyle["letter"];
  const text = styledFloat(Math.abs(number), { letter: style, precision: digits, alternate: flags.includes("#") });
  const body = letter === style ? text : text.toUpperCase();
  return { prefix: signOf(number < 0 || Object.is(number, -0), flags), body };
}
