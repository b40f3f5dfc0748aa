/** Walking values: what `for`, `list()`, `in` and `join` see. */
import { type Budget, TemplateError, typeError, unsupported } from "../template-error.ts";
import {
  EXHAUSTED,
  integer,
  type Integer,
  PyDict,
  PyIterator,
  PyList,
  PyRange,
  PyTuple,
  PyView,
  typeName,
  Undefined,
  type Value,
} from "../value.ts";
import { codePointLength } from "./text.ts";
import { addIntegers, floorDivideIntegers, multiplyIntegers, subtractIntegers } from "./integers.ts";
import { asText } from "./numbers.ts";
import { tupleItems } from "./sequences.ts";

/** `iter(value)`: TypeError where it cannot be walked. One step is spent for each item. */
export function iterate(value: Value, budget: Budget): Iterable<Value> {
  const text = asText(value);
  if (text !== undefined) return counted(text, budget);
  if (value instanceof PyList) return listItems(value, budget);
  if (value instanceof PyDict) return dictItems(new PyView("keys", value), budget);
  if (value instanceof PyView) return dictItems(value, budget);
  if (value instanceof PyRange) return rangeItems(value, budget);
  if (value instanceof PyIterator) return iteratorItems(value, budget);
  if (value instanceof Undefined) return [];
  const items = tupleItems(value);
  if (items !== undefined) return counted(items, budget);
  refuseLoop(value);
  throw typeError(`'${typeName(value)}' object is not iterable`);
}

/** `list(value)`. */
export function listOf(value: Value, budget: Budget): Value[] {
  if (value instanceof PyList || value instanceof PyTuple) {
    budget.spend(value.items.length);
    return [...value.items];
  }
  return [...iterate(value, budget)];
}

function* counted(items: Iterable<Value>, budget: Budget): Iterable<Value> {
  for (const item of items) {
    budget.spend(1);
    yield item;
  }
}

/** A list may grow or shrink while it is walked. */
function* listItems({ items }: PyList, budget: Budget): Iterable<Value> {
  for (let i = 0; i < items.length; i += 1) {
    budget.spend(1);
    yield items[i] ?? null;
  }
}

function* dictItems({ what, dict }: PyView, budget: Budget): Iterable<Value> {
  const size = dict.size;
  for (const { key, value } of dict.entries()) {
    budget.spend(1);
    yield what === "keys" ? key : what === "values" ? value : new PyTuple([key, value]);
    if (dict.size !== size) throw new TemplateError("TemplateRuntimeError", "dictionary changed size during iteration");
  }
}

function* rangeItems(range: PyRange, budget: Budget): Iterable<Value> {
  const count = rangeLength(range);
  for (let i = 0; i < count; i += 1) {
    budget.spend(1);
    yield rangeItem(range, i, budget);
  }
}

function* iteratorItems({ next }: PyIterator, budget: Budget): Iterable<Value> {
  for (let item = next(); item !== EXHAUSTED; item = next()) {
    budget.spend(1);
    yield item;
  }
}

/** How many items a range has. */
export function rangeLength({ start, stop, step }: PyRange): Integer {
  const [low, high, size] = step > 0 ? [start, stop, step] : [stop, start, -BigInt(step)];
  if (low >= high) return 0;
  return integer((BigInt(high) - BigInt(low) - 1n) / BigInt(size) + 1n);
}

export function rangeItem({ start, step }: PyRange, index: Integer, budget: Budget): Integer {
  if (typeof start === "number" && typeof step === "number" && typeof index === "number") {
    const item = start + index * step;
    if (Number.isSafeInteger(item) && Number.isSafeInteger(index * step)) return item + 0;
  }
  return addIntegers(start, multiplyIntegers(index, step, budget), budget);
}

/** Where an integer is in a range; undefined if it is not. */
export function rangeIndex(range: PyRange, item: Integer, budget: Budget): Integer | undefined {
  const index = floorDivideIntegers(subtractIntegers(item, range.start, budget), range.step, budget);
  if (index < 0 || index >= rangeLength(range)) return undefined;
  return rangeItem(range, index, budget) === item ? index : undefined;
}

/** `len(value)`: undefined where there is none. Long texts cost steps. */
export function lengthOf(value: Value, budget?: Budget): Integer | undefined {
  const text = asText(value);
  if (text !== undefined) return codePointLength(text, budget);
  if (value instanceof PyList) return value.items.length;
  if (value instanceof PyDict) return value.size;
  if (value instanceof PyView) return value.dict.size;
  if (value instanceof PyRange) return rangeLength(value);
  return value instanceof Undefined ? 0 : tupleItems(value)?.length;
}

/** `len(value)`: TypeError where there is none. */
export function length(value: Value, budget?: Budget): number {
  const found = lengthOf(value, budget);
  if (typeof found === "number") return found;
  refuseLoop(value);
  if (found === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  throw new TemplateError("OverflowError", "Python int too large to convert to C ssize_t");
}

/** The variable `loop` can be walked and has a length in Jinja2. */
export function refuseLoop(value: Value): void {
  if (typeName(value).endsWith("LoopContext")) throw unsupported("Walking or counting the variable loop itself");
}
