/** `+` and `*` of text, lists and tuples. */
import { type Budget, TemplateError, typeError } from "../template-error.ts";
import { Markup, PyList, type PyObject, PyTuple, typeName, type Value } from "../value.ts";
import { codePointLength, escapeText } from "./text.ts";
import { asInteger, asText } from "./numbers.ts";

/** The items of a tuple, or of an object that is one to Python (a group of `groupby`). */
export function tupleItems(value: Value): readonly Value[] | undefined {
  if (value instanceof PyTuple) return value.items;
  return isObject(value) ? value.items?.() : undefined;
}

export function isObject(value: Value): value is PyObject {
  return typeof value === "object" && value !== null && "kind" in value;
}

/** `a + b` where one is a sequence: undefined where neither is. */
export function concatenate(a: Value, b: Value, budget: Budget): Value | undefined {
  const left = asText(a);
  const right = asText(b);
  if (left !== undefined && right !== undefined) {
    budget.characters(left.length + right.length);
    if (typeof a === "string" && typeof b === "string") return left + right;
    return new Markup(safeText(a, left, budget) + safeText(b, right, budget));
  }
  if (a instanceof PyList && b instanceof PyList) return new PyList(joined(a.items, b.items, budget));
  const first = tupleItems(a);
  const second = tupleItems(b);
  if (first !== undefined && second !== undefined) return new PyTuple(joined(first, second, budget));
  const what = left === undefined ? (a instanceof PyList ? "list" : first && "tuple") : "str";
  if (what === undefined || a instanceof Markup) return undefined;
  throw typeError(`can only concatenate ${what} (not "${typeName(b)}") to ${what}`);
}

const safeText = (value: Value, text: string, budget: Budget): string =>
  value instanceof Markup ? text : escapeText(text, budget);

function joined(a: readonly Value[], b: readonly Value[], budget: Budget): Value[] {
  budget.spend(a.length + b.length);
  return [...a, ...b];
}

/** `a * b` where one is a sequence: undefined where neither is. */
export function repeat(a: Value, b: Value, budget: Budget): Value | undefined {
  if (isSequence(a)) return repeated(a, b, budget);
  return isSequence(b) ? repeated(b, a, budget) : undefined;
}

const isSequence = (value: Value): boolean =>
  asText(value) !== undefined || value instanceof PyList || tupleItems(value) !== undefined;

function repeated(sequence: Value, times: Value, budget: Budget): Value {
  const asked = asInteger(times);
  if (asked === undefined) throw typeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
  if (typeof asked === "bigint" && BigInt.asIntN(64, asked) !== asked) {
    throw new TemplateError("OverflowError", "cannot fit 'int' into an index-sized integer");
  }
  const count = Math.max(Number(asked), 0);
  const text = asText(sequence);
  if (text !== undefined) {
    budget.characters(text.length * count);
    const made = text === "" ? "" : text.repeat(count);
    return sequence instanceof Markup ? new Markup(made) : made;
  }
  if (sequence instanceof PyList) return new PyList(repeatedItems(sequence.items, count, budget));
  return new PyTuple(repeatedItems(tupleItems(sequence) ?? [], count, budget));
}

function repeatedItems(items: readonly Value[], count: number, budget: Budget): Value[] {
  budget.spend(items.length * count);
  const made: Value[] = [];
  if (items.length === 0) return made;
  for (let i = 0; i < count; i += 1) for (const item of items) made.push(item);
  return made;
}

/** Pads with one character to a width, both in code points. */
export function padding(text: string, width: number, fill: string, budget: Budget): string {
  const missing = width - codePointLength(text, budget);
  if (missing <= 0) return "";
  budget.characters(missing * fill.length);
  return fill.repeat(missing);
}
