/** Filters of numbers. */
import { bound, isOneOf, positionalOnly } from "../compile/bind-arguments.ts";
import {
  add,
  asInteger,
  compare,
  divide,
  floatFromText,
  halfEven,
  formatValue,
  indexOf,
  intFromText,
  iterate,
  multiply,
  negate,
  power,
  str,
  timesPowerOfTen,
  toFloat,
  toInt,
  truth,
  typeName,
} from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { type Budget, TemplateError, typeError, valueError } from "../template-error.ts";
import { integer, type Integer, Markup, PyFloat, Undefined, type Value } from "../value.ts";
import { attributeGetter } from "./attribute.ts";

export const abs: Filter = (run, value, given) => {
  positionalOnly("abs", 0, 0, given);
  if (value instanceof Undefined) throw typeError("bad operand type for abs(): 'Undefined'");
  if (value instanceof PyFloat) return new PyFloat(Math.abs(value.value));
  const number = asInteger(value);
  if (number === undefined) throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
  return number < 0 ? negate(number, run.budget) : number;
};

/** What cannot be read as an int gives `default`. */
export const int: Filter = bound("do_int(default?, base?)", (_run, value, [fallback = 0, base = 10]) => {
  const text = value instanceof Markup ? value.text : value;
  try {
    return typeof text === "string" ? intFromText(text, baseOf(base)) : toInt(text);
  } catch (error) {
    if (!isOneOf(error, "TypeError", "ValueError")) throw error;
  }
  try {
    return toInt(new PyFloat(toFloat(text)));
  } catch (error) {
    if (isOneOf(error, "TypeError", "ValueError")) return fallback;
    throw error;
  }
});

function baseOf(base: Value): number {
  const number = indexOf(base);
  if (number !== 0 && (number < 2 || number > 36)) throw valueError("int() base must be >= 2 and <= 36, or 0");
  return Number(number);
}

export const float: Filter = bound("do_float(default?)", (_run, value, [fallback = new PyFloat(0)]) => {
  try {
    return new PyFloat(value instanceof Markup ? floatFromText(value.text) : toFloat(value));
  } catch (error) {
    if (isOneOf(error, "TypeError", "ValueError")) return fallback;
    throw error;
  }
});

export const round: Filter = bound(
  "do_round(precision?, method?)",
  (run, value, [precision = 0, method = "common"]) => {
    const how = method instanceof Markup ? method.text : method;
    if (how !== "common" && how !== "ceil" && how !== "floor") {
      throw new TemplateError("FilterArgumentError", "method must be common, ceil or floor");
    }
    if (how === "common") return commonRound(run, value, precision);
    const scale = power(10, precision, run.budget);
    const whole = wholeOf(multiply(value, scale, run.budget), Math[how]);
    return divide(whole, scale, run.budget);
  },
);

function commonRound(run: Run, value: Value, precision: Value): Value {
  if (value instanceof Undefined) throw typeError("type Undefined doesn't define __round__ method");
  const number = asInteger(value);
  if (number === undefined && !(value instanceof PyFloat)) {
    throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  }
  if (precision === null) return value instanceof PyFloat ? roundToInteger(value.value) : (number ?? 0);
  const digits = indexOf(precision);
  if (value instanceof PyFloat) return new PyFloat(roundFloat(value.value, digits));
  return roundInteger(number ?? 0, digits, run.budget);
}

function roundToInteger(value: number): Integer {
  return Number.isFinite(value) ? toInt(new PyFloat(roundFloat(value, 0))) : toInt(new PyFloat(value));
}

function wholeOf(value: Value, round: (value: number) => number): Integer {
  if (value instanceof PyFloat) return toInt(new PyFloat(round(value.value)));
  const number = asInteger(value);
  if (number === undefined) throw typeError(`must be real number, not ${typeName(value)}`);
  return number;
}

export const filesizeformat: Filter = bound("do_filesizeformat(binary?)", (run, value, [binary = false]) => {
  const bytes = new PyFloat(value instanceof Markup ? floatFromText(value.text) : toFloat(value));
  const base = truth(binary) ? 1024 : 1000;
  if (bytes.value === 1) return "1 Byte";
  if (bytes.value < base) return `${str(toInt(bytes), run.budget)} Bytes`;
  const names = "kMGTPEZY".split("").map((letter) => (base === 1024 ? `${letter.toUpperCase()}iB` : `${letter}B`));
  let text = "";
  for (const [index, name] of names.entries()) {
    const unit = integer(BigInt(base) ** BigInt(index + 2));
    const size = divide(multiply(base, bytes, run.budget), unit, run.budget);
    text = `${formatValue(size, ".1f", run.budget)} ${name}`;
    if (compare("<", bytes, unit, run.budget)) break;
  }
  return text;
});

export const sum: Filter = bound("do_sum(attribute?, start?)", (run, value, [attribute = null, start = 0]) => {
  const get = attributeGetter(run, attribute);
  if (typeof start === "string" || start instanceof Markup)
    throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  let total: Value = start;
  for (const item of iterate(value, run.budget)) total = add(total, get(item), run.budget);
  return total;
});

// Python's `round(number, digits)`: exact, halves to the even neighbour.

/** Beyond these many digits a double does not change, or vanishes. */
const MAX_DIGITS = 323;
const LEAST_DIGITS = -308;

/** @throws TemplateError OverflowError where the rounded value is not a finite double */
function roundFloat(value: number, digits: Integer): number {
  if (!Number.isFinite(value) || digits > MAX_DIGITS) return value;
  if (digits < LEAST_DIGITS) return value < 0 ? -0 : 0;
  const places = Number(digits);
  const rounded = Number(`${timesPowerOfTen(Math.abs(value), places)}e${-places}`);
  if (!Number.isFinite(rounded)) throw new TemplateError("OverflowError", "rounded value too large to represent");
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

function roundInteger(value: Integer, digits: Integer, budget: Budget): Integer {
  if (digits >= 0) return value;
  const length = `${value}`.length;
  if (-digits > length + 1) return 0;
  budget.bits(4 * length);
  const unit = 10n ** BigInt(-digits);
  const exact = BigInt(value);
  const rounded = halfEven(exact < 0n ? -exact : exact, unit) * unit;
  return integer(exact < 0n ? -rounded : rounded);
}
