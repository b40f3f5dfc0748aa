/** The identity of dictionary keys. */
import { type Budget, typeError, unsupported } from "../template-error.ts";
import {
  Markup,
  PyCallable,
  PyDict,
  PyFloat,
  PyList,
  PyRange,
  PyView,
  refuseUndefined,
  typeName,
  Undefined,
  type Value,
} from "../value.ts";
import { spendOnText } from "./text.ts";
import { iterate, lengthOf, rangeIndex, rangeLength, refuseLoop } from "./iterate.ts";
import { asInteger, asText } from "./numbers.ts";
import { tupleItems } from "./sequences.ts";
import { isWalkable } from "./walkable.ts";

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

// Python's `==`, `<`, `in`, `bool()` and the identity of dictionary keys.

/** `a == b`. Nested containers spend a step for each item looked at. */
export function equal(a: Value, b: Value, budget: Budget): boolean {
  if (typeof a === "string" && typeof b === "string") return equalTexts(a, b, budget);
  if (typeof a === typeof b && typeof a !== "object") return a === b;
  const x = asNumber(a);
  const y = asNumber(b);
  if (x !== undefined || y !== undefined) return x !== undefined && y !== undefined && equalNumbers(x, y);
  const text = asText(a);
  if (text !== undefined) return equalTexts(text, asText(b), budget);
  if (a instanceof Undefined) return b instanceof Undefined;
  if (a === b) return true;
  return typeof a === "object" && typeof b === "object" && equalContainers(a, b, budget);
}

function equalTexts(a: string, b: string | undefined, budget: Budget): boolean {
  if (a.length !== b?.length) return false;
  spendOnText(a, budget);
  return a === b;
}

/** A number of any type: integers and floats compare by their exact values. */
function asNumber(value: Value): number | bigint | undefined {
  return value instanceof PyFloat ? value.value : asInteger(value);
}

function equalNumbers(x: number | bigint, y: number | bigint): boolean {
  if (typeof x === "bigint" && typeof y === "number") return Number.isInteger(y) && BigInt(y) === x;
  return typeof x === "number" && typeof y === "bigint" ? equalNumbers(y, x) : x === y;
}

function equalContainers(a: Value, b: Value, budget: Budget): boolean {
  if (a instanceof PyList) return b instanceof PyList && equalItems(a.items, b.items, budget);
  if (a instanceof PyDict) return b instanceof PyDict && deeper(budget, () => equalDicts(a, b, budget));
  if (a instanceof PyRange) return b instanceof PyRange && equalRanges(a, b);
  if (a instanceof PyView) return b instanceof PyView && deeper(budget, () => equalViews(a, b, budget));
  if (a instanceof PyCallable && b instanceof PyCallable && a.text.startsWith("<built-in ") && a.text === b.text) {
    throw unsupported("Comparing bound methods");
  }
  const first = tupleItems(a);
  const second = first && tupleItems(b);
  return first !== undefined && second !== undefined && equalItems(first, second, budget);
}

function deeper(budget: Budget, compareThem: () => boolean): boolean {
  budget.spend(2);
  return budget.within(compareThem);
}

function equalItems(a: readonly Value[], b: readonly Value[], budget: Budget): boolean {
  if (a.length !== b.length) return false;
  return deeper(budget, () => firstDifference(a, b, budget) === a.length);
}

/** Where two sequences begin to differ; what is the same object counts as equal, even nan. */
function firstDifference(a: readonly Value[], b: readonly Value[], budget: Budget): number {
  const count = Math.min(a.length, b.length);
  for (let i = 0; i < count; i += 1) {
    budget.spend(1);
    if (!same(a[i] ?? null, b[i] ?? null, budget)) return i;
  }
  return count;
}

/** Identical or equal: how containers look for an item. */
const same = (a: Value, b: Value, budget: Budget): boolean => identical(a, b) || equal(a, b, budget);

/** The same object (numbers and text: the same value of the same type). */
export const identical = (a: Value, b: Value): boolean => a === b;

function equalDicts(a: PyDict, b: PyDict, budget: Budget): boolean {
  if (a.size !== b.size) return false;
  for (const { key, value } of a.entries()) {
    budget.spend(1);
    const other = b.get(hashKey(key, budget));
    if (other === undefined || !same(value, other, budget)) return false;
  }
  return true;
}

function equalRanges(a: PyRange, b: PyRange): boolean {
  const count = rangeLength(a);
  if (!equalNumbers(count, rangeLength(b))) return false;
  return count === 0 || (a.start === b.start && (count === 1 || a.step === b.step));
}

/** Keys and items are sets; values are equal to themselves only. */
function equalViews(a: PyView, b: PyView, budget: Budget): boolean {
  if (a.what === "values" || b.what === "values" || a.dict.size !== b.dict.size) return false;
  for (const item of iterate(a, budget)) if (!contains(item, b, budget)) return false;
  return true;
}

export type Order = "<" | "<=" | ">" | ">=";

/** `a < b` and its kind: TypeError where Python knows no order. */
export function compare(op: Order, a: Value, b: Value, budget: Budget): boolean {
  if (typeof a === "number" && typeof b === "number") return ordered(op, a, b);
  const x = asNumber(a);
  const y = x === undefined ? undefined : asNumber(b);
  if (x !== undefined && y !== undefined) return ordered(op, x, y);
  const left = asText(a);
  const right = left === undefined ? undefined : asText(b);
  if (left !== undefined && right !== undefined) return ordered(op, textOrder(left, right, budget), 0);
  if (a instanceof PyList && b instanceof PyList) return compareItems(op, a.items, b.items, budget);
  const first = tupleItems(a);
  const second = tupleItems(b);
  if (first !== undefined && second !== undefined) return compareItems(op, first, second, budget);
  throw unordered(op, a, b);
}

function ordered(op: Order, x: number | bigint, y: number | bigint): boolean {
  switch (op) {
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
  }
}

function unordered(op: Order, a: Value, b: Value): Error {
  refuseUndefined(a, b);
  if (a instanceof PyView && b instanceof PyView && a.what !== "values" && b.what !== "values") {
    return unsupported(`Comparing a dictionary's keys or items by ${op}`);
  }
  return typeError(`'${op}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

/** Code units order as code points do, unless an astral character meets one of U+E000 to U+FFFF. */
const BEYOND = /[\ud800-\uffff]/;

/** By code points; negative, 0 or positive. */
function textOrder(a: string, b: string, budget: Budget): number {
  spendOnText(a, budget);
  spendOnText(b, budget);
  if (a === b) return 0;
  if (!BEYOND.test(a) || !BEYOND.test(b)) return a < b ? -1 : 1;
  let i = 0;
  while (i < a.length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  const inPair = /[\ud800-\udbff]/.test(a.charAt(i - 1)) && i > 0 ? 1 : 0;
  return (a.codePointAt(i - inPair) ?? -1) - (b.codePointAt(i - inPair) ?? -1);
}

function compareItems(op: Order, a: readonly Value[], b: readonly Value[], budget: Budget): boolean {
  return budget.within(() => {
    const at = firstDifference(a, b, budget);
    const [x, y] = [a[at], b[at]];
    return x === undefined || y === undefined ? ordered(op, a.length, b.length) : compare(op, x, y, budget);
  });
}

/** `item in container`: TypeError where it cannot be asked. */
export function contains(item: Value, container: Value, budget: Budget): boolean {
  const text = asText(container);
  if (text !== undefined) {
    const part = asText(item);
    spendOnText(text, budget);
    if (part !== undefined) return text.includes(part);
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof PyDict) return container.get(hashKey(item, budget)) !== undefined;
  if (container instanceof PyView && container.what !== "values") return isInView(item, container, budget);
  const whole = asInteger(item);
  if (container instanceof PyRange && whole !== undefined) return rangeIndex(container, whole, budget) !== undefined;
  if (isWalkable(container)) {
    for (const other of iterate(container, budget)) if (same(other, item, budget)) return true;
    return false;
  }
  refuseLoop(container);
  throw typeError(`argument of type '${typeName(container)}' is not iterable`);
}

function isInView(item: Value, { what, dict }: PyView, budget: Budget): boolean {
  if (what === "keys") return dict.get(hashKey(item, budget)) !== undefined;
  const [key, value, ...more] = tupleItems(item) ?? [];
  if (key === undefined || value === undefined || more.length > 0) return false;
  const known = dict.get(hashKey(key, budget));
  return known !== undefined && same(known, value, budget);
}

/** `bool(value)`. */
export function truth(value: Value): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  if (value instanceof PyFloat) return value.value !== 0;
  if (value instanceof Markup) return value.text !== "";
  const found = lengthOf(value);
  return found === undefined || found > 0;
}
