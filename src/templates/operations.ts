/** The operators, each as a function of values; small integers are done here, the rest as Python does it. */
import type { Budget } from "./budget.ts";
import {
  add,
  compare,
  contains,
  divide,
  equal,
  floorDivide,
  modulo,
  multiply,
  negate,
  positive,
  power,
  subtract,
} from "./python/index.ts";
import type { BinaryOperator, ComparisonOperator } from "./tree.ts";
import { PyFloat, type Value } from "./value.ts";

export type BinaryOperation = (left: Value, right: Value, budget: Budget) => Value;
export type ComparisonOperation = (left: Value, right: Value, budget: Budget) => boolean;

const MAX_EXACT = Number.MAX_SAFE_INTEGER;

export const BINARY: Readonly<Record<BinaryOperator, BinaryOperation>> = {
  "+": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number") {
      const sum = left + right;
      if (sum <= MAX_EXACT && sum >= -MAX_EXACT) return sum;
    }
    return add(left, right, budget);
  },
  "-": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number") {
      const difference = left - right;
      if (difference <= MAX_EXACT && difference >= -MAX_EXACT) return difference;
    }
    return subtract(left, right, budget);
  },
  "*": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number") {
      const product = left * right;
      // Adding 0 makes 0 of -0, which is not an integer.
      if (product <= MAX_EXACT && product >= -MAX_EXACT) return product + 0;
    }
    return multiply(left, right, budget);
  },
  "/": divide,
  "//": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number" && right !== 0) {
      const rest = left % right;
      const quotient = (left - rest) / right;
      return (rest !== 0 && rest < 0 !== right < 0 ? quotient - 1 : quotient) + 0;
    }
    return floorDivide(left, right, budget);
  },
  "%": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number" && right !== 0) {
      const rest = left % right;
      return (rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest) + 0;
    }
    return modulo(left, right, budget);
  },
  "**": power,
};

export const UNARY: Readonly<Record<"-" | "+", (operand: Value, budget: Budget) => Value>> = {
  "-": (operand, budget) => (typeof operand === "number" ? 0 - operand : negate(operand, budget)),
  "+": (operand, budget) => (typeof operand === "number" ? operand : positive(operand, budget)),
};

export const COMPARISON: Readonly<Record<ComparisonOperator, ComparisonOperation>> = {
  "==": (left, right, budget) => equal(left, right, budget),
  "!=": (left, right, budget) => !equal(left, right, budget),
  "<": (left, right, budget) => compare("<", left, right, budget),
  "<=": (left, right, budget) => compare("<=", left, right, budget),
  ">": (left, right, budget) => compare(">", left, right, budget),
  ">=": (left, right, budget) => compare(">=", left, right, budget),
  in: (left, right, budget) => contains(left, right, budget),
  "not in": (left, right, budget) => !contains(left, right, budget),
};

/** Whether Python writes a constant with a minus sign. */
export function isNegative(value: Value | undefined): boolean {
  if (value instanceof PyFloat) return value.value < 0 || Object.is(value.value, -0);
  return (typeof value === "number" || typeof value === "bigint") && value < 0;
}

/** `-2 ** n`: Jinja2 writes the constant -2 into Python source without brackets, where `**` comes before the sign. */
export const negativePower: BinaryOperation = (left, right, budget) =>
  negate(power(negate(left, budget), right, budget), budget);
