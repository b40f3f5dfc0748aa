/** The identity of dictionary keys. */
import type { Budget } from "../budget.ts";
import { typeError } from "../template-error.ts";
import { Markup, PyDict, PyFloat, PyList, PyRange, PyView, Undefined, type Value } from "../value.ts";
import { spendOnText } from "./code-points.ts";
import { rangeLength } from "./iterate.ts";
import { tupleItems } from "./sequences.ts";
import { typeName } from "./type-name.ts";

/** The same text for keys that are equal (`1`, `1.0`, `True`): TypeError for values that cannot be keys. */
export function hashKey(value: Value, budget: Budget): string {
  if (typeof value === "string") return textKey(value, budget);
  if (typeof value === "number") return String(value);
  if (typeof value === "bigint") return wholeKey(value, budget);
  if (typeof value === "boolean") return value ? "1" : "0";
  return value === null ? "n" : objectKey(value, budget);
}

function textKey(text: string, budget: Budget): string {
  spendOnText(text, budget);
  return `s${text}`;
}

/** In base 16: base 10 takes time that grows with the square of the length. */
function wholeKey(value: bigint, budget: Budget): string {
  const key = `x${value.toString(16)}`;
  budget.characters(key.length);
  return key;
}

function objectKey(value: Exclude<Value, null | boolean | number | bigint | string>, budget: Budget): string {
  if (value instanceof PyFloat) return floatKey(value, budget);
  if (value instanceof Markup) return textKey(value.text, budget);
  if (value instanceof Undefined) return "u";
  if (value instanceof PyList || value instanceof PyDict || (value instanceof PyView && value.what !== "values")) {
    throw typeError(`unhashable type: '${typeName(value)}'`);
  }
  if (value instanceof PyRange) {
    const count = rangeLength(value);
    return `r${count}${count === 0 ? "" : ` ${value.start}`}${count > 1 ? ` ${value.step}` : ""}`;
  }
  const items = tupleItems(value);
  return items === undefined ? identity(value) : tupleKey(items, budget);
}

function floatKey(value: PyFloat, budget: Budget): string {
  const number = value.value;
  if (Number.isSafeInteger(number)) return String(number + 0);
  if (Number.isInteger(number)) return wholeKey(BigInt(number), budget);
  return Number.isNaN(number) ? identity(value) : `f${number}`;
}

/** Each part states its length, so that no two tuples share a text. */
function tupleKey(items: readonly Value[], budget: Budget): string {
  return budget.within(() => {
    let key = "t";
    for (const item of items) {
      const part = hashKey(item, budget);
      budget.characters(part.length + 1);
      key += `${part.length} ${part}`;
    }
    return key;
  });
}

const identities = new WeakMap<object, string>();
let known = 0;

/** What is equal to itself only: callables, iterators, objects, nan. */
function identity(value: PyFloat | Exclude<Value, null | boolean | number | bigint | string>): string {
  const found = identities.get(value);
  if (found !== undefined) return found;
  known += 1;
  const made = `i${known}`;
  identities.set(value, made);
  return made;
}
