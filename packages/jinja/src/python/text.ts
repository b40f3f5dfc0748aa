/** Values as text: Python's `str`, `repr` and `ascii`. */
import type { Budget } from "../template-error.ts";
import {
  Markup,
  PyCallable,
  PyDict,
  PyFloat,
  PyIterator,
  PyList,
  PyRange,
  PyTuple,
  PyView,
  Undefined,
  type Value,
} from "../value.ts";
import { floatText } from "./float-text.ts";
import { integerText } from "./numbers.ts";
import { asciiOnly, quote } from "./repr-text.ts";

/** `str(value)`: ValueError for integers of over 4,300 digits. */
export function str(value: Value, budget: Budget): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (value instanceof Undefined) return "";
  return value instanceof Markup ? value.text : repr(value, budget);
}

/** `repr(value)`: as `str`, with quotes around text. */
export const repr = (value: Value, budget: Budget): string => written(value, new Set(), budget);

/** `ascii(value)`. */
export function ascii(value: Value, budget: Budget): string {
  const text = repr(value, budget);
  budget.characters(text.length);
  return asciiOnly(text);
}

/** `open`: the containers being written, to stop where one holds itself. */
function written(value: Value, open: Set<object>, budget: Budget): string {
  if (typeof value === "string") {
    budget.characters(value.length + 2);
    return quote(value);
  }
  if (typeof value === "number" || typeof value === "bigint") return integerText(value, budget);
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : writtenObject(value, open, budget);
}

function writtenObject(
  value: Exclude<Value, null | boolean | number | bigint | string>,
  open: Set<object>,
  budget: Budget,
): string {
  budget.spend(1);
  if (value instanceof PyFloat) return floatText(value.value);
  if (value instanceof PyList)
    return nested(value, open, "[...]", budget, () => `[${list(value.items, open, budget)}]`);
  if (value instanceof PyTuple) return nested(value, open, "(...)", budget, () => tuple(value.items, open, budget));
  if (value instanceof PyDict) return nested(value, open, "{...}", budget, () => `{${pairs(value, open, budget)}}`);
  if (value instanceof PyView) return nested(value, open, "...", budget, () => viewText(value, open, budget));
  if (value instanceof PyRange) return rangeText(value, budget);
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof Markup) {
    budget.characters(value.text.length + 10);
    return `Markup(${quote(value.text)})`;
  }
  const text = value instanceof PyIterator || value instanceof PyCallable ? value.text : value.text();
  budget.characters(text.length);
  return text;
}

function nested(value: object, open: Set<object>, again: string, budget: Budget, write: () => string): string {
  if (open.has(value)) return again;
  open.add(value);
  budget.spend(3);
  try {
    return budget.within(write);
  } finally {
    open.delete(value);
  }
}

function list(items: readonly Value[], open: Set<object>, budget: Budget): string {
  const texts: string[] = [];
  for (const item of items) {
    budget.characters(2);
    texts.push(written(item, open, budget));
  }
  return texts.join(", ");
}

function tuple(items: readonly Value[], open: Set<object>, budget: Budget): string {
  return items.length === 1 ? `(${list(items, open, budget)},)` : `(${list(items, open, budget)})`;
}

function pairs(dict: PyDict, open: Set<object>, budget: Budget): string {
  const texts: string[] = [];
  for (const { key, value } of dict.entries()) {
    budget.characters(4);
    texts.push(`${written(key, open, budget)}: ${written(value, open, budget)}`);
  }
  return texts.join(", ");
}

function viewText({ what, dict }: PyView, open: Set<object>, budget: Budget): string {
  const items: Value[] = [];
  for (const { key, value } of dict.entries()) {
    budget.spend(1);
    items.push(what === "keys" ? key : what === "values" ? value : new PyTuple([key, value]));
  }
  return `dict_${what}([${list(items, open, budget)}])`;
}

function rangeText({ start, stop, step }: PyRange, budget: Budget): string {
  const bounds = `${integerText(start, budget)}, ${integerText(stop, budget)}`;
  return step === 1 ? `range(${bounds})` : `range(${bounds}, ${integerText(step, budget)})`;
}

// Text made safe for HTML, as MarkupSafe writes it.

const SAFE: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["'", "&#39;"],
  ['"', "&#34;"],
]);

export function escapeText(text: string, budget: Budget): string {
  const escaped = text.replaceAll(/[&<>'"]/g, (character) => SAFE.get(character) ?? character);
  budget.characters(escaped.length);
  return escaped;
}

// Text by code points, as Python counts it. Text without astral characters takes the short way. Long texts cost steps
// of the budget, where one is given: a loop could look at the same text over and over.

/** Characters of text that cost one step to look through. */
const CHARACTERS_A_STEP = 64;

/** Before looking through all of a text. Short ones are free. */
export function spendOnText(text: string, budget: Budget | undefined): void {
  if (text.length > 256) budget?.spend(Math.ceil(text.length / CHARACTERS_A_STEP));
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** Whether code units and code points are the same thing in a text. */
export function isPlain(text: string, budget?: Budget): boolean {
  spendOnText(text, budget);
  return !PAIR.test(text);
}

export function codePointLength(text: string, budget?: Budget): number {
  if (isPlain(text, budget)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** `text[from:to]` for 0 ≤ from ≤ to ≤ length, in code points. */
export function codePointSlice(text: string, from: number, to: number, budget?: Budget): string {
  if (isPlain(text, budget)) return text.slice(from, to);
  const start = unitOffset(text, from, 0);
  return text.slice(start, unitOffset(text, to - from, start));
}

/** The first `count` code points; all of a shorter text. */
export function textStart(text: string, count: number, budget: Budget): string {
  if (text.length <= count) return text;
  return codePointSlice(text, 0, Math.min(count, codePointLength(text, budget)), budget);
}

/** Where, in code units, the code point `count` after the one at `start` begins. */
function unitOffset(text: string, count: number, start: number): number {
  let offset = start;
  for (let i = 0; i < count && offset < text.length; i += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
