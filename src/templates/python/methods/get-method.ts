/** Methods of the builtin types, bound to their object. */
import type { Budget } from "../../budget.ts";
import { Markup, PyCallable, PyDict, PyFloat, PyList, PyRange, PyView, type Value } from "../../value.ts";
import { asInteger } from "../numbers.ts";
import { tupleItems } from "../sequences.ts";
import { typeName } from "../type-name.ts";
import { DICT_METHODS, updateDict, VIEW_METHODS } from "./dict-methods.ts";
import { findMarkupMethod, markupMethodText } from "./markup-methods.ts";
import { bind, builtinText, type Method } from "./method.ts";
import { FLOAT_METHODS, INTEGER_METHODS } from "./number-methods.ts";
import { LIST_METHODS, RANGE_METHODS, TUPLE_METHODS } from "./sequence-methods.ts";
import { findTextMethod } from "./text-methods.ts";

/** Class methods print as methods of the type. */
const OF_TYPE = new Set(["fromkeys", "maketrans", "from_bytes", "fromhex"]);

/** A method of a builtin type; undefined where there is none. `str.format` comes from `getAttribute`. */
export function getMethod(value: Value, name: string, budget: Budget): PyCallable | undefined {
  const isOfType = OF_TYPE.has(name);
  const text = (): string =>
    value instanceof Markup && !isOfType
      ? markupMethodText(name, value, budget)
      : builtinText(name, isOfType ? "type" : typeName(value));
  const bound = <Self>(self: Self, definition: Method<Self> | undefined): PyCallable | undefined =>
    definition && bind({ name, text: text() }, definition, self, budget);
  if (typeof value === "string") return bound(value, findTextMethod(name));
  if (value instanceof Markup) return bound(value, findMarkupMethod(name));
  const whole = asInteger(value);
  if (whole !== undefined) return bound(whole, INTEGER_METHODS.get(name));
  if (value instanceof PyFloat) return bound(value, FLOAT_METHODS.get(name));
  if (value instanceof PyList) return bound(value, LIST_METHODS.get(name));
  if (value instanceof PyDict) {
    return name === "update" ? updating(value, budget) : bound(value, DICT_METHODS.get(name));
  }
  if (value instanceof PyRange) return bound(value, RANGE_METHODS.get(name));
  if (value instanceof PyView) return value.what === "values" ? undefined : bound(value, VIEW_METHODS.get(name));
  const items = tupleItems(value);
  return items === undefined ? undefined : bound(items, TUPLE_METHODS.get(name));
}

function updating(dict: PyDict, budget: Budget): PyCallable {
  return new PyCallable(builtinText("update", "dict"), (given) => {
    updateDict(dict, given, budget);
    return null;
  });
}
