/** `object[key]` and `object[from:to:step]`. */
import { type Budget, TemplateError, typeError, unsupported, valueError } from "../template-error.ts";
import {
  integer,
  type Integer,
  Markup,
  PyCallable,
  PyDict,
  PyList,
  PyRange,
  PyTuple,
  typeName,
  Undefined,
  undefinedError,
  type Value,
} from "../value.ts";
import { isPlain } from "./text.ts";
import { hashKey } from "./hash-key.ts";
import { rangeItem, rangeLength } from "./iterate.ts";
import { asInteger, asText } from "./numbers.ts";
import { tupleItems } from "./sequences.ts";

/**
 * `object[key]`; undefined where Python raises TypeError, KeyError or IndexError (out of which Jinja2 makes an
 * Undefined). UndefinedError for an undefined object.
 */
export function getItem(object: Value, key: Value, budget: Budget): Value | undefined {
  if (object instanceof Undefined) throw undefinedError(object);
  if (object instanceof PyDict) return entry(object, key, budget);
  if (object instanceof PyCallable && object.text === "<class 'dict'>") throw unsupported("An item of the class dict");
  const index = asInteger(key);
  if (index === undefined) return undefined;
  if (object instanceof PyRange) {
    const at = fromEnd(index, rangeLength(object));
    return at === undefined ? undefined : rangeItem(object, at, budget);
  }
  const text = asText(object);
  if (text !== undefined) {
    const character = characterAt(text, index, budget);
    return character !== undefined && object instanceof Markup ? new Markup(character) : character;
  }
  const items = object instanceof PyList ? object.items : tupleItems(object);
  const at = items && fromEnd(index, items.length);
  return at === undefined ? undefined : items?.[Number(at)];
}

function entry(dict: PyDict, key: Value, budget: Budget): Value | undefined {
  try {
    return dict.get(hashKey(key, budget));
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError") return undefined;
    throw error;
  }
}

/** An index counted from the start: undefined where it is out of range. */
export function fromEnd(index: Integer, count: Integer): Integer | undefined {
  if (index >= 0) return index < count ? index : undefined;
  if (typeof index === "number" && typeof count === "number") return index + count >= 0 ? index + count : undefined;
  const at = BigInt(index) + BigInt(count);
  return at >= 0n ? integer(at) : undefined;
}

function characterAt(text: string, index: Integer, budget: Budget): string | undefined {
  if (isPlain(text, budget)) {
    const at = fromEnd(index, text.length);
    return at === undefined ? undefined : text[Number(at)];
  }
  budget.spend(text.length);
  const characters = Array.from(text);
  const at = fromEnd(index, characters.length);
  return at === undefined ? undefined : characters[Number(at)];
}

/** `object[from:to:step]`, `null` for what is left out. TypeError where it cannot be cut, ValueError for step 0. */
export function getSlice(object: Value, from: Value, to: Value, step: Value, budget: Budget): Value {
  if (object instanceof Undefined) throw undefinedError(object);
  if (object instanceof PyRange) return rangeSlice(object, sliceOf(rangeLength(object), from, to, step), budget);
  const text = asText(object);
  if (text !== undefined) {
    const cut = textSlice(text, from, to, step, budget);
    return object instanceof Markup ? new Markup(cut) : cut;
  }
  const items = object instanceof PyList ? object.items : tupleItems(object);
  if (items === undefined) {
    if (object instanceof PyDict) throw typeError("unhashable type: 'slice'");
    throw typeError(`'${typeName(object)}' object is not subscriptable`);
  }
  const picked = pick(items, sliceOf(items.length, from, to, step), budget);
  return object instanceof PyList ? new PyList(picked) : new PyTuple(picked);
}

function textSlice(text: string, from: Value, to: Value, step: Value, budget: Budget): string {
  budget.spend(Math.ceil(text.length / 16));
  const characters = isPlain(text, budget) ? text : Array.from(text);
  const slice = sliceOf(characters.length, from, to, step);
  if (slice.step === 1 && typeof characters === "string") {
    return characters.slice(Number(slice.start), Math.max(Number(slice.stop), Number(slice.start)));
  }
  return pick(characters, slice, budget).join("");
}

function pick<T>(items: ArrayLike<T>, slice: PyRange, budget: Budget): T[] {
  const count = Number(rangeLength(slice));
  budget.spend(count);
  const picked: T[] = [];
  for (let i = 0; i < count; i += 1) picked.push(items[Number(rangeItem(slice, i, budget))] as T);
  return picked;
}

function rangeSlice(range: PyRange, { start, stop, step }: PyRange, budget: Budget): PyRange {
  const newStep = integer(BigInt(range.step) * BigInt(step));
  return new PyRange(rangeItem(range, start, budget), rangeItem(range, stop, budget), newStep);
}

/** The indexes a slice picks from a sequence, as a range: `slice.indices`. */
export function sliceOf(count: Integer, from: Value, to: Value, step: Value): PyRange {
  const by = bound(step) ?? 1;
  if (by === 0) throw valueError("slice step cannot be zero");
  const low = by < 0 ? -1 : 0;
  const high = by < 0 ? integer(BigInt(count) - 1n) : count;
  const clamp = (value: Integer | undefined, otherwise: Integer): Integer => {
    if (value === undefined) return otherwise;
    const at = value < 0 ? integer(BigInt(value) + BigInt(count)) : value;
    return at < low ? low : at > high ? high : at;
  };
  return new PyRange(clamp(bound(from), by < 0 ? high : low), clamp(bound(to), by < 0 ? low : high), by);
}

function bound(value: Value): Integer | undefined {
  if (value === null) return undefined;
  const index = asInteger(value);
  if (index === undefined) throw typeError("slice indices must be integers or None or have an __index__ method");
  return index;
}
