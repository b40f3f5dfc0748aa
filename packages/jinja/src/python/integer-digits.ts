/** Digits of integers in the bases of the format languages. */
import type { Budget } from "../template-error.ts";
import type { Integer } from "../value.ts";
import { integerText } from "./numbers.ts";

/** The digits of the size of `value`; only base 10 has the limit of 4,300 digits. */
export function digitsOf(value: Integer, base: 2 | 8 | 10 | 16, budget: Budget): string {
  if (typeof value === "number") return Math.abs(value).toString(base);
  const size = value < 0n ? -value : value;
  if (base === 10) return integerText(size, budget);
  const text = size.toString(base);
  budget.characters(text.length);
  return text;
}
