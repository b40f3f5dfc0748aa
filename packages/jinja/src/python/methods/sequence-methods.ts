/** Methods of list, tuple and range. The sandbox lets templates change lists. */
import { type Budget, TemplateError, valueError } from "../../template-error.ts";
import { NO_NAMES, PyList, type PyRange, type Value } from "../../value.ts";
import { callValue } from "../call.ts";
import { equal, identical } from "../hash-key.ts";
import { fromEnd, sliceOf } from "../items.ts";
import { iterate, listOf, rangeIndex } from "../iterate.ts";
import { asInteger, sizeOf } from "../numbers.ts";
import { sortedBy } from "../sort.ts";
import { repr } from "../text.ts";
import { method, type Method, methods } from "./method.ts";
import { flagArgument } from "./text-argument.ts";

type Given = readonly (Value | undefined)[];

const isItem = (a: Value, b: Value, budget: Budget): boolean => identical(a, b) || equal(a, b, budget);

function indexOf(items: readonly Value[], given: Given, budget: Budget): number {
  const [wanted = null, from, to] = given;
  const bounds = sliceOf(items.length, sizeBound(from), sizeBound(to), null);
  for (let i = Number(bounds.start); i < Number(bounds.stop); i += 1) {
    budget.spend(1);
    if (isItem(items[i] ?? null, wanted, budget)) return i;
  }
  throw valueError(`${repr(wanted, budget)} is not in the sequence`);
}

/** Unlike in a slice, None is not a bound here. */
const sizeBound = (value: Value | undefined): Value => (value === undefined ? null : clampedIndex(value));

const clampedIndex = (value: Value): Value => asInteger(value) ?? sizeOf(value);

function countOf(items: Iterable<Value>, wanted: Value, budget: Budget): number {
  let count = 0;
  for (const item of items) {
    budget.spend(1);
    if (isItem(item, wanted, budget)) count += 1;
  }
  return count;
}

export const TUPLE_METHODS = methods<readonly Value[]>({
  index: method(1, 3, indexOf),
  count: method(1, 1, (items, [wanted = null], budget) => countOf(items, wanted, budget)),
});

export const RANGE_METHODS = methods<PyRange>({
  index: method(1, 1, (range, [wanted = null], budget) => {
    const whole = asInteger(wanted);
    if (whole !== undefined) {
      const at = rangeIndex(range, whole, budget);
      if (at !== undefined) return at;
      throw valueError(`${repr(wanted, budget)} is not in range`);
    }
    let at = 0;
    for (const item of iterate(range, budget)) {
      if (isItem(item, wanted, budget)) return at;
      at += 1;
    }
    throw valueError("sequence.index(x): x not in sequence");
  }),
  count: method(1, 1, (range, [wanted = null], budget) => {
    const whole = asInteger(wanted);
    if (whole !== undefined) return rangeIndex(range, whole, budget) === undefined ? 0 : 1;
    return countOf(iterate(range, budget), wanted, budget);
  }),
});

export function rangeAttribute({ start, stop, step }: PyRange, name: string): Value | undefined {
  if (name === "start") return start;
  if (name === "stop") return stop;
  return name === "step" ? step : undefined;
}

/** `list.sort(*, key=None, reverse=False)`: both by name only. */
function sort(list: PyList, given: Given, budget: Budget): null {
  const [key = null, reverse] = given;
  const items = [...list.items];
  const isReversed = flagArgument(reverse);
  const keys =
    key === null ? items : items.map((item) => callValue(key, { positional: [item], named: NO_NAMES }, budget));
  list.items.length = 0;
  for (const item of sortedBy(items, keys, isReversed, budget)) list.items.push(item);
  return null;
}

const onItems = (definition: Method<readonly Value[]>): Method<PyList> => ({
  ...definition,
  run: (list, given, budget) => definition.run(list.items, given, budget),
});

export const LIST_METHODS = methods<PyList>({
  index: onItems(method(1, 3, indexOf)),
  count: onItems(method(1, 1, (items, [wanted = null], budget) => countOf(items, wanted, budget))),
  copy: method(0, 0, (list, _, budget) => new PyList(listOf(list, budget))),
  append: method(1, 1, ({ items }, [item = null], budget) => {
    budget.spend(1);
    items.push(item);
    return null;
  }),
  extend: method(1, 1, ({ items }, [more = null], budget) => {
    for (const item of listOf(more, budget)) items.push(item);
    return null;
  }),
  insert: method(2, 2, ({ items }, [at = null, item = null], budget) => {
    budget.spend(1 + Math.ceil(items.length / 16));
    const index = sizeOf(at);
    const place = index < 0 ? Math.max(index + items.length, 0) : Math.min(index, items.length);
    items.splice(place, 0, item);
    return null;
  }),
  pop: method(0, 1, ({ items }, given) => {
    if (items.length === 0) {
      if (given[0] !== undefined) sizeOf(given[0]);
      throw new TemplateError("IndexError", "pop from empty list");
    }
    const at = fromEnd(given[0] === undefined ? -1 : sizeOf(given[0]), items.length);
    if (at === undefined) throw new TemplateError("IndexError", "pop index out of range");
    return items.splice(Number(at), 1)[0] ?? null;
  }),
  remove: method(1, 1, ({ items }, [wanted = null], budget) => {
    for (let i = 0; i < items.length; i += 1) {
      budget.spend(1);
      if (isItem(items[i] ?? null, wanted, budget)) {
        items.splice(i, 1);
        return null;
      }
    }
    throw valueError("list.remove(x): x not in list");
  }),
  reverse: method(0, 0, ({ items }, _, budget) => {
    budget.spend(items.length);
    items.reverse();
    return null;
  }),
  sort: { minimum: 0, maximum: 0, names: ["key", "reverse"], run: sort },
  clear: method(0, 0, ({ items }) => {
    items.length = 0;
    return null;
  }),
});
