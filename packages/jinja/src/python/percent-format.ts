/** `format % args`, after the manual's "printf-style String Formatting" and what CPython 3.11 does beyond it. */
import { type Budget, TemplateError, typeError, valueError } from "../template-error.ts";
import {
  type Integer,
  PyDict,
  PyFloat,
  PyList,
  PyRange,
  PyTuple,
  refuseUndefined,
  typeName,
  Undefined,
  type Value,
} from "../value.ts";
import { ascii, codePointLength, repr, str, textStart } from "./text.ts";
import { type FloatStyle, styledFloat } from "./float-text.ts";
import { digitsOf } from "./integer-digits.ts";
import { getItem } from "./items.ts";
import { asInteger, asText, sizeOf, toFloat, truncated } from "./numbers.ts";
import { quote } from "./repr-text.ts";
import { padding } from "./sequences.ts";

// One directive of `format % args`, applied to its argument.

interface Directive {
  readonly letter: string;
  readonly flags: string;
  readonly isLeft: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  /** Where the letter is in the format. */
  readonly index: number;
}

/** The parts of a converted number: zeros of the width go between `prefix` and `body`. */
interface Converted {
  readonly prefix: string;
  readonly body: string;
}

function convertArgument(directive: Directive, value: Value, budget: Budget): string {
  const { letter } = directive;
  if ("sra".includes(letter))
    return aligned(directive, { prefix: "", body: formatted(directive, value, budget) }, " ", budget);
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

function formatted({ letter, precision }: Directive, value: Value, budget: Budget): string {
  const write = letter === "s" ? str : letter === "r" ? repr : ascii;
  const text = write(value, budget);
  return precision === undefined ? text : textStart(text, precision, budget);
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

/** ValueError for a directive that cannot be read, TypeError for arguments that do not fit. */
export function percentFormat(format: string, args: Value, budget: Budget): string {
  const source = argumentsOf(args);
  let result = "";
  let at = 0;
  for (;;) {
    const next = format.indexOf("%", at);
    if (next < 0) break;
    budget.characters(next - at);
    result += format.slice(at, next);
    budget.spend(1);
    if (format[next + 1] === "%") {
      result += "%";
      at = next + 2;
      continue;
    }
    const read = readDirective(format, next + 1, source, budget);
    at = read.end;
    const text = convertArgument(read.directive, source.take(), budget);
    budget.characters(text.length);
    result += text;
  }
  if (!source.isUsedUp()) throw typeError("not all arguments converted during string formatting");
  budget.characters(format.length - at);
  return result + format.slice(at);
}

type ArgumentSource = ReturnType<typeof argumentsOf>;

/** A tuple gives one argument after the other; all else is one argument, and what has items is a mapping as well. */
function argumentsOf(args: Value) {
  let items = args instanceof PyTuple ? args.items : [args];
  const isMapping =
    args instanceof PyDict || args instanceof PyList || args instanceof PyRange || args instanceof Undefined;
  let next = 0;
  return {
    take: (): Value => {
      const item = items[next];
      if (item === undefined) throw typeError("not enough arguments for format string");
      next += 1;
      return item;
    },
    /** From here on, what this key gave is the one argument. */
    useKey: (key: string, budget: Budget): void => {
      if (!isMapping) throw typeError("format requires a mapping");
      items = [itemByKey(args, key, budget)];
      next = 0;
    },
    isUsedUp: () => isMapping || next >= items.length,
  };
}

function itemByKey(mapping: Value, key: string, budget: Budget): Value {
  refuseUndefined(mapping);
  if (!(mapping instanceof PyDict)) throw typeError(`${typeName(mapping)} indices must be integers or slices, not str`);
  const item = getItem(mapping, key, budget);
  if (item === undefined) throw new TemplateError("KeyError", quote(key));
  return item;
}

/** Flags, width, precision, and a length that means nothing; `*` is the next argument. */
const DIRECTIVE = /([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?/y;

/** `at`: after the percent sign. */
function readDirective(format: string, at: number, source: ArgumentSource, budget: Budget) {
  const start = format[at] === "(" ? endOfKey(format, at) : at;
  if (start > at) source.useKey(format.slice(at + 1, start - 1), budget);
  DIRECTIVE.lastIndex = start;
  const [, flags = "", width = "", digits] = DIRECTIVE.exec(format) ?? [];
  const index = DIRECTIVE.lastIndex;
  const asked = numberOf(width, "width", source);
  const precision = digits === undefined ? undefined : Math.max(numberOf(digits, "precision", source), 0);
  const code = format.codePointAt(index);
  if (code === undefined) throw valueError("incomplete format");
  const letter = String.fromCodePoint(code);
  const isLeft = flags.includes("-") || asked < 0;
  const directive = { letter, flags, isLeft, width: Math.abs(asked), precision, index };
  return { directive, end: index + letter.length };
}

/** After `(key)`; parentheses in it may nest. */
function endOfKey(format: string, at: number): number {
  let depth = 0;
  for (let i = at; i < format.length; i += 1) {
    if (format[i] === "(") depth += 1;
    else if (format[i] === ")") depth -= 1;
    if (depth === 0) return i + 1;
  }
  throw valueError("incomplete format key");
}

function numberOf(written: string, what: "width" | "precision", source: ArgumentSource): number {
  if (written === "*") return starred(source.take(), what);
  if (Number(written) > 0x7fff_ffff) throw valueError(`${what} too big`);
  return Number(written);
}

function starred(value: Value, what: "width" | "precision"): number {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean")
    throw typeError("* wants int");
  const size = sizeOf(value);
  if (what === "precision" && Math.abs(size) > 0x7fff_ffff) {
    throw new TemplateError("OverflowError", "Python int too large to convert to C int");
  }
  return size;
}
