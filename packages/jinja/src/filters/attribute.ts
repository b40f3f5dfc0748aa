/** What filters share: attribute paths as they take them (`"a.b"`, `"pairs.0"`, `1`), sorting, values as texts. */
import { callMethod, intFromText, itemOrAttribute, sortedBy, str, typeName, undefinedError } from "../python/index.ts";
import { Markup, PyDict, PyFloat, PyList, Undefined, type Value } from "../value.ts";
import type { Run } from "../run.ts";
import { type Budget, TemplateError, unsupported } from "../template-error.ts";

export type Getter = (item: Value) => Value;

/** `str.isdigit` for one part of a path. */
const DIGITS = /^\p{Nd}+$/u;

/** Follows a path; without one the item itself. `fallback` replaces what is undefined on the way. */
export function attributeGetter(run: Run, attribute: Value | undefined, fallback?: Value): Getter {
  const parts = partsOf(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = itemOrAttribute(value, part, run.budget);
      if (fallback !== undefined && fallback !== null && value instanceof Undefined) value = fallback;
    }
    return value;
  };
}

/** The values of several paths, separated by commas, as one list: what `sort` compares. */
export function attributesGetter(run: Run, attribute: Value | undefined, ignoreCase: boolean): Getter {
  const paths = typeof attribute === "string" ? attribute.split(",") : [attribute];
  const getters = paths.map((path) => caseGetter(attributeGetter(run, path), ignoreCase));
  return (item) => new PyList(getters.map((get) => get(item)));
}

/** The same values with texts in lower case. */
export const caseGetter = (get: Getter, ignoreCase: boolean): Getter =>
  ignoreCase ? (item) => lowered(get(item)) : get;

function lowered(value: Value): Value {
  if (value instanceof Markup) return new Markup(value.text.toLowerCase());
  return typeof value === "string" ? value.toLowerCase() : value;
}

function partsOf(attribute: Value | undefined): readonly Value[] {
  if (attribute === undefined || attribute === null) return [];
  const text = attribute instanceof Markup ? attribute.text : attribute;
  if (typeof text !== "string") return [text];
  return text.split(".").map((part) => (DIGITS.test(part) ? intFromText(part) : part));
}

/** Whether Python takes the value for true where a filter asks `if case_sensitive`; None and absent are false. */
export function flag(value: Value | undefined, truth: (value: Value) => boolean): boolean {
  return value !== undefined && truth(value);
}

/** NaN, or a list with one in it, however deep: a list may hold another one often, so that each look costs a step. */
export function isNan(value: Value, budget: Budget): boolean {
  if (value instanceof PyList) {
    budget.spend(1 + value.items.length);
    return value.items.some((item) => isNan(item, budget));
  }
  return value instanceof PyFloat && Number.isNaN(value.value);
}

/** `sorted(items, key=…)`: stable; TypeError where two keys cannot be compared. */
export function sorted<T>(run: Run, items: readonly T[], keyOf: (item: T) => Value, reverse = false): T[] {
  const keys = items.map(keyOf);
  if (keys.length > 1 && keys.some((key) => isNan(key, run.budget)))
    throw unsupported("Sorting with NaN, whose order is by chance,");
  return sortedBy(items, keys, reverse, run.budget);
}

/** `soft_str`: texts, marked safe or not, as they are; other values as they print. */
export function softText(run: Run, value: Value): string | Markup {
  return typeof value === "string" || value instanceof Markup ? value : str(value, run.budget);
}

/** `text.splitlines()` */
export function linesOf({ budget }: Run, text: string): readonly string[] {
  const lines = callMethod(text, "splitlines", [], budget);
  return lines instanceof PyList ? lines.items.map((line) => str(line, budget)) : [];
}

/** The value of which a filter calls `items()`. */
export function dictIn(value: Value): PyDict {
  if (value instanceof Undefined) throw undefinedError(value);
  if (value instanceof PyDict) return value;
  throw new TemplateError("AttributeError", `'${typeName(value)}' object has no attribute 'items'`);
}
