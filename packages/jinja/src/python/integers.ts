/** Arithmetic of Python's integers: exact, and asking the budget before a result grows large. */
import { type Budget, TemplateError } from "../template-error.ts";
import { integer, PyFloat, type Integer, type Value } from "../value.ts";
import { bitLength, floatPower, roundedQuotient } from "./double.ts";
import { doubleOf } from "./numbers.ts";

/** Below this, an operation costs nothing worth counting. */
const SMALL = 1n << 1024n;

const isSmall = (value: bigint): boolean => value < SMALL && value > -SMALL;

export const addIntegers = (a: Integer, b: Integer, budget: Budget): Integer => sum(BigInt(a), BigInt(b), budget);

export const subtractIntegers = (a: Integer, b: Integer, budget: Budget): Integer => sum(BigInt(a), -BigInt(b), budget);

function sum(a: bigint, b: bigint, budget: Budget): Integer {
  if (!isSmall(a) || !isSmall(b)) budget.bits(Math.max(bitLength(a), bitLength(b)));
  return integer(a + b);
}

export function multiplyIntegers(a: Integer, b: Integer, budget: Budget): Integer {
  const x = BigInt(a);
  const y = BigInt(b);
  if (!isSmall(x) || !isSmall(y)) budget.bits(bitLength(x) + bitLength(y));
  return integer(x * y);
}

/** `a / b`, the nearest float. */
export function divideIntegers(a: Integer, b: Integer): PyFloat {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "division by zero");
  if (typeof a === "number" && typeof b === "number") return new PyFloat(a / b);
  const quotient = roundedQuotient(BigInt(a), BigInt(b));
  if (!Number.isFinite(quotient)) {
    throw new TemplateError("OverflowError", "integer division result too large for a float");
  }
  return new PyFloat(a === 0 && b < 0 ? -0 : quotient);
}

/** `a // b`, towards minus infinity. */
export function floorDivideIntegers(a: Integer, b: Integer, budget: Budget): Integer {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "integer division or modulo by zero");
  const x = BigInt(a);
  const y = BigInt(b);
  const quotient = divided(x, y, budget);
  return integer(quotient * y !== x && x < 0n !== y < 0n ? quotient - 1n : quotient);
}

/** `a % b`, of the sign of `b`. */
export function moduloIntegers(a: Integer, b: Integer, budget: Budget): Integer {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "integer modulo by zero");
  const x = BigInt(a);
  const y = BigInt(b);
  const rest = x - divided(x, y, budget) * y;
  return integer(rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest);
}

function divided(x: bigint, y: bigint, budget: Budget): bigint {
  if (!isSmall(x)) budget.bits(bitLength(x));
  return x / y;
}

/** `base ** exponent`: a float where the exponent is negative. */
export function powerIntegers(base: Integer, exponent: Integer, budget: Budget): Value {
  if (exponent < 0) return new PyFloat(floatPower(doubleOf(base), doubleOf(exponent)));
  if (typeof base === "number" && Math.abs(base) <= 1) {
    return base === -1 ? (BigInt(exponent) % 2n === 0n ? 1 : -1) : exponent === 0 ? 1 : base;
  }
  const bits = bitLength(BigInt(base)) * Number(exponent);
  if (bits > 1000) budget.bits(bits);
  return integer(BigInt(base) ** BigInt(exponent));
}
