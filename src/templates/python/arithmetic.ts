/**
 * Python's arithmetic operators on any values. Two safe integers take a short way, since offsets and keys of millions
 * of references are computed here.
 */
import type { Budget } from "../budget.ts";
import { TemplateError, typeError, unsupported } from "../template-error.ts";
import { integer, Markup, PyFloat, PyView, Undefined, type Integer, type Value } from "../value.ts";
import { floatPower } from "./double.ts";
import {
  addIntegers,
  divideIntegers,
  floorDivideIntegers,
  moduloIntegers,
  multiplyIntegers,
  powerIntegers,
  subtractIntegers,
} from "./integers.ts";
import { asInteger, doubleOf } from "./numbers.ts";
import { percentFormat } from "./percent-format.ts";
import { concatenate, repeat } from "./sequences.ts";
import { refuseUndefined, typeName, undefinedError } from "./type-name.ts";

export function add(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return (
    numeric(
      a,
      b,
      (x, y) => addIntegers(x, y, budget),
      (x, y) => x + y,
    ) ??
    refused(a, b) ??
    concatenate(a, b, budget) ??
    unfit("+", a, b)
  );
}

export function subtract(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  const result = numeric(
    a,
    b,
    (x, y) => subtractIntegers(x, y, budget),
    (x, y) => x - y,
  );
  if (result !== undefined) return result;
  refuseUndefined(a, b);
  if (isSetLike(a) || isSetLike(b)) throw unsupported("A set (the difference of a dictionary's keys or items)");
  return unfit("-", a, b);
}

const isSetLike = (value: Value): boolean => value instanceof PyView && value.what !== "values";

export function multiply(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return (
    numeric(
      a,
      b,
      (x, y) => multiplyIntegers(x, y, budget),
      (x, y) => x * y,
    ) ??
    refused(a, b) ??
    repeat(a, b, budget) ??
    unfit("*", a, b)
  );
}

export function divide(a: Value, b: Value, _budget: Budget): Value {
  return (
    numeric(a, b, divideIntegers, (x, y) => {
      if (y === 0) throw new TemplateError("ZeroDivisionError", "float division by zero");
      return x / y;
    }) ??
    refused(a, b) ??
    unfit("/", a, b)
  );
}

export function floorDivide(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) {
    const whole = a - safeModulo(a, b);
    if (Number.isSafeInteger(whole)) return whole / b + 0;
  }
  return (
    numeric(a, b, (x, y) => floorDivideIntegers(x, y, budget), floorDivideFloats) ?? refused(a, b) ?? unfit("//", a, b)
  );
}

export function modulo(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) return safeModulo(a, b) + 0;
  if (typeof a === "string") return percentFormat(a, b, budget);
  if (a instanceof Markup) throw unsupported("The operator % on text that is marked safe");
  return numeric(a, b, (x, y) => moduloIntegers(x, y, budget), moduloFloats) ?? refused(a, b) ?? unfit("%", a, b);
}

/** What a power that may end in a float is worth: it is computed in many digits. */
const FLOAT_POWER_STEPS = 100;

export function power(a: Value, b: Value, budget: Budget): Value {
  if (typeof a !== "number" || typeof b !== "number" || b < 0) budget.spend(FLOAT_POWER_STEPS);
  return (
    numeric(a, b, (x, y) => powerIntegers(x, y, budget), floatPower) ?? refused(a, b) ?? unfit("** or pow()", a, b)
  );
}

export function negate(a: Value, _budget: Budget): Value {
  if (typeof a === "number") return 0 - a;
  if (a instanceof PyFloat) return new PyFloat(-a.value);
  const whole = asInteger(a);
  return whole === undefined ? unfitUnary("-", a) : integer(-BigInt(whole));
}

export function positive(a: Value, _budget: Budget): Value {
  if (a instanceof PyFloat) return a;
  return asInteger(a) ?? unfitUnary("+", a);
}

function safeModulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** The rest has the sign of `b`, a zero too. */
function moduloFloats(a: number, b: number): number {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "float modulo");
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** The quotient whose rest `moduloFloats` gives: not always the floor of `a / b`. */
function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "float floor division by zero");
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** Two integers, or floats and integers; undefined where one is neither. */
function numeric(
  a: Value,
  b: Value,
  ofIntegers: (a: Integer, b: Integer) => Value,
  ofFloats: (a: number, b: number) => number,
): Value | undefined {
  const x = a instanceof PyFloat ? a : asInteger(a);
  const y = b instanceof PyFloat ? b : asInteger(b);
  if (x === undefined || y === undefined) return undefined;
  if (!(x instanceof PyFloat) && !(y instanceof PyFloat)) return ofIntegers(x, y);
  return new PyFloat(ofFloats(doubleFrom(x), doubleFrom(y)));
}

const doubleFrom = (value: PyFloat | Integer): number => (value instanceof PyFloat ? value.value : doubleOf(value));

function refused(a: Value, b: Value): undefined {
  refuseUndefined(a, b);
  return undefined;
}

function unfit(operator: string, a: Value, b: Value): never {
  throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
}

function unfitUnary(operator: string, a: Value): never {
  if (a instanceof Undefined) throw undefinedError(a);
  throw typeError(`bad operand type for unary ${operator}: '${typeName(a)}'`);
}
