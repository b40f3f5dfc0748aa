/** Numbers as Jinja2's lexer reads them: the longest that fits, whatever follows. */
import { TemplateError, unsupported } from "./template-error.ts";
import type { Span } from "./tree.ts";

export interface NumberShape {
  readonly type: "int" | "float";
  readonly end: number;
}

/** The number that begins at `at`, or undefined. `1_000`, `0x1f`, `0b1`, `0o7`, `00`, `1e3`, `1.5e-3`; `007` is two. */
export function findNumber(text: string, at: number): NumberShape | undefined {
  const float = text.charAt(at - 1) === "." ? undefined : floatEnd(text, at);
  if (float !== undefined) return { type: "float", end: float };
  const end = integerEnd(text, at);
  return end === undefined ? undefined : { type: "int", end };
}

/** `\d` in Python's regular expressions: decimal digits of any script. */
const DECIMAL = /^\p{Nd}$/u;

function isDecimal(character: string): boolean {
  return character <= "\u007f" ? character >= "0" && character <= "9" : DECIMAL.test(character);
}

/** The end of `d(_?d)*`, or `at` where there is no digit. */
function digitsEnd(text: string, at: number, isDigit: (character: string) => boolean): number {
  let end = at;
  let next = at;
  while (next < text.length) {
    const character = String.fromCodePoint(text.codePointAt(next) ?? 0);
    if (!isDigit(character)) break;
    end = next + character.length;
    next = text.charAt(end) === "_" ? end + 1 : end;
  }
  return end;
}

/** Digits with a fraction, an exponent, or both. */
function floatEnd(text: string, at: number): number | undefined {
  const whole = digitsEnd(text, at, isDecimal);
  if (whole === at) return undefined;
  const fraction = text.charAt(whole) === "." ? digitsEnd(text, whole + 1, isDecimal) : whole;
  const mantissa = fraction > whole + 1 ? fraction : whole;
  const exponent = exponentEnd(text, mantissa);
  if (exponent !== undefined) return exponent;
  return mantissa > whole ? mantissa : undefined;
}

function exponentEnd(text: string, at: number): number | undefined {
  if (text.charAt(at) !== "e" && text.charAt(at) !== "E") return undefined;
  const sign = text.charAt(at + 1);
  const first = sign === "+" || sign === "-" ? at + 2 : at + 1;
  const end = digitsEnd(text, first, isDecimal);
  return end > first ? end : undefined;
}

function integerEnd(text: string, at: number): number | undefined {
  const first = text.charAt(at);
  if (first >= "1" && first <= "9") return digitsEnd(text, at, isDecimal);
  if (first !== "0") return undefined;
  const isDigit = DIGITS_OF_BASE.get(text.charAt(at + 1).toLowerCase());
  if (isDigit !== undefined) {
    const from = text.charAt(at + 2) === "_" ? at + 3 : at + 2;
    const end = digitsEnd(text, from, isDigit);
    if (end > from) return end;
  }
  return digitsEnd(text, at, (character) => character === "0");
}

const DIGITS_OF_BASE: ReadonlyMap<string, (character: string) => boolean> = new Map([
  ["b", (character: string) => character === "0" || character === "1"],
  ["o", (character: string) => character >= "0" && character <= "7"],
  ["x", (character: string) => isDecimal(character) || /^[a-f]$/i.test(character)],
]);

/** Digits of an `int` in decimal that Python reads at most (`sys.get_int_max_str_digits()`). */
const MAX_DIGITS = 4300;

/** The value of an `int` as written. ValueError for more than 4,300 decimal digits, as in Python. */
export function integerValue(written: string, span: Span): bigint {
  const digits = written.replaceAll("_", "");
  if (!isAscii(digits)) throw new TemplateError("Unsupported", unsupported(FOREIGN_DIGITS).message, span);
  if (digits.length > MAX_DIGITS && /^\d+$/.test(digits)) {
    throw new TemplateError(
      "ValueError",
      `An integer has ${digits.length.toLocaleString("en")} digits; Python reads at most 4,300.`,
      span,
    );
  }
  return BigInt(digits);
}

/** The double nearest to a `float` as written. */
export function floatValue(written: string, span: Span): number {
  if (!isAscii(written)) {
    throw new TemplateError(
      "TemplateSyntaxError",
      "A number with a fraction or exponent has digits other than 0 to 9.",
      span,
    );
  }
  return Number(written.replaceAll("_", ""));
}

const FOREIGN_DIGITS = "An integer with digits other than 0 to 9";

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
