/** The operators, each as a function of values. */
import type { Budget } from "./template-error.ts";
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

export const BINARY: Readonly<Record<BinaryOperator, BinaryOperation>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "//": floorDivide,
  "%": modulo,
  "**": power,
};

export const UNARY: Readonly<Record<"-" | "+", (operand: Value, budget: Budget) => Value>> = {
  "-": negate,
  "+": positive,
};

export const COMPARISON: Readonly<Record<ComparisonOperator, ComparisonOperation>> = {
  "==": equal,
  "!=": (left, right, budget) => !equal(left, right, budget),
  "<": (left, right, budget) => compare("<", left, right, budget),
  "<=": (left, right, budget) => compare("<=", left, right, budget),
  ">": (left, right, budget) => compare(">", left, right, budget),
  ">=": (left, right, budget) => compare(">=", left, right, budget),
  in: contains,
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
