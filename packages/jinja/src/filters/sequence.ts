/** Filters of things that can be walked. */
import { bindArguments, bound, isOneOf, positionalOnly } from "../compile/bind-arguments.ts";
import { dictValue } from "../json-value.ts";
import { escape } from "../markup.ts";
import {
  asInteger,
  codePointLength,
  compare,
  definedIndex,
  floorDivide,
  getSlice,
  hashKey,
  iterate,
  length,
  listOf,
  modulo,
  repr,
  str,
  truth,
  typeName,
} from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, typeError, unsupported } from "../template-error.ts";
import {
  EXHAUSTED,
  Markup,
  PyDict,
  PyIterator,
  PyList,
  PyRange,
  PyTuple,
  PyView,
  Undefined,
  type Value,
} from "../value.ts";
import { attributeGetter, caseGetter, flag, isNan, softText, sorted } from "./attribute.ts";
import { lazily, pyIterator } from "./lazily.ts";

export const count: Filter = (run, value, given) => {
  positionalOnly("len", 0, 0, given);
  return length(value, run.budget);
};

export const list: Filter = bound("do_list()", (run, value) => new PyList(listOf(value, run.budget)));

export const first: Filter = bound("do_first()", (run, value) => {
  if (value instanceof PyIterator) {
    const item = value.next();
    return item === EXHAUSTED ? new Undefined("No first item, sequence was empty.") : item;
  }
  for (const item of iterate(value, run.budget)) return item;
  return new Undefined("No first item, sequence was empty.");
});

export const last: Filter = bound("do_last()", (run, value) => {
  const [item] = reversed(run, value);
  return item === undefined ? new Undefined("No last item, sequence was empty.") : item;
});

/** What Python's `reversed()` goes through. @throws TypeError for what has no order or no end */
function reversed(run: Run, value: Value): Value[] {
  if (!isReversible(value)) throw typeError(`'${typeName(value)}' object is not reversible`);
  return listOf(value, run.budget).toReversed();
}

function isReversible(value: Value): boolean {
  if (typeof value === "string" || value instanceof Markup || value instanceof Undefined) return true;
  if (value instanceof PyList || value instanceof PyTuple || value instanceof PyRange) return true;
  if (value instanceof PyDict || value instanceof PyView) return true;
  return typeof value === "object" && value !== null && "kind" in value && value.items !== undefined;
}

const REVERSED_NAMES: readonly (readonly [(value: Value) => boolean, string])[] = [
  [(value) => value instanceof PyList, "list_reverseiterator"],
  [(value) => value instanceof PyRange, "range_iterator"],
  [(value) => value instanceof PyDict, "dict_reversekeyiterator"],
  [(value) => value instanceof PyView && value.what === "keys", "dict_reversekeyiterator"],
  [(value) => value instanceof PyView && value.what === "values", "dict_reversevalueiterator"],
  [(value) => value instanceof PyView, "dict_reverseitemiterator"],
];

export const reverse: Filter = bound("do_reverse()", (run, value) => {
  if (typeof value === "string" || value instanceof Markup) return getSlice(value, null, null, -1, run.budget);
  if (isReversible(value)) {
    const name = REVERSED_NAMES.find(([fits]) => fits(value))?.[1] ?? "reversed";
    return pyIterator(reversed(run, value).values(), `<${name} object at 0x..>`);
  }
  try {
    return new PyList(listOf(value, run.budget).toReversed());
  } catch (error) {
    if (!isOneOf(error, "TypeError")) throw error;
    throw new TemplateError("FilterArgumentError", "argument must be iterable");
  }
});

export const join: Filter = bound("do_join(d?, attribute?)", (run, value, [separator = "", attribute = null]) => {
  const { budget, autoescape } = run;
  const get = attributeGetter(run, attribute);
  if (!autoescape) {
    const between = str(separator, budget);
    const texts: string[] = [];
    for (const item of iterate(value, budget)) {
      texts.push(str(get(item), budget));
      budget.characters((texts.at(-1)?.length ?? 0) + between.length);
    }
    return texts.join(between);
  }
  const items = listOf(value, budget).map(get);
  const isSafe = separator instanceof Markup || items.some((item) => item instanceof Markup);
  if (!isSafe) return items.map((item) => str(item, budget)).join(str(separator, budget));
  return new Markup(items.map((item) => escape(softText(run, item), budget).text).join(escape(separator, budget).text));
});

export const batch: Filter = bound("do_batch(linecount, fill_with?)", (run, value, [size = 0, fill = null]) => {
  return lazily("do_batch", function* () {
    let row: Value[] = [];
    for (const item of iterate(value, run.budget)) {
      if (asInteger(size) === row.length) {
        yield new PyList(row);
        row = [];
      }
      row.push(item);
    }
    if (row.length === 0) return;
    if (fill !== null && compare("<", row.length, size, run.budget)) {
      const width = Number(definedIndex(size));
      run.budget.spend(width);
      while (row.length < width) row.push(fill);
    }
    yield new PyList(row);
  });
});

export const slice: Filter = bound("do_slice(slices, fill_with?)", (run, value, [slices = 0, fill = null]) => {
  const { budget } = run;
  return lazily("sync_do_slice", function* () {
    const items = listOf(value, budget);
    const each = floorDivide(items.length, slices, budget);
    const longer = modulo(items.length, slices, budget);
    const amount = Number(definedIndex(slices));
    let from = 0;
    for (let index = 0; index < amount; index += 1) {
      const isLonger = compare("<", index, longer, budget);
      const to = from + Number(definedIndex(each)) + (isLonger ? 1 : 0);
      const part = items.slice(from, to);
      if (fill !== null && !isLonger) part.push(fill);
      from = to;
      budget.spend(part.length + 1);
      yield new PyList(part);
    }
  });
});

export const unique: Filter = bound(
  "do_unique(case_sensitive?, attribute?)",
  (run, value, [caseSensitive, attribute = null]) => {
    const get = caseGetter(attributeGetter(run, attribute), !flag(caseSensitive, truth));
    return lazily("do_unique", function* () {
      const seen = new Set<string>();
      for (const item of iterate(value, run.budget)) {
        const key = get(item);
        // NaN is another key each time, unless it is the same object, by its address in Python.
        if (isNan(key, run.budget)) throw unsupported("unique with NaN");
        const id = hashKey(key, run.budget);
        if (!seen.has(id)) {
          seen.add(id);
          yield item;
        }
      }
    });
  },
);

function extreme(order: "<" | ">"): Filter {
  return (run, value, given) => {
    const parameters = ["case_sensitive", "attribute"];
    const [caseSensitive, attribute = null] = bindArguments("do_min_or_max", parameters, 0, given);
    const get = caseGetter(attributeGetter(run, attribute), !flag(caseSensitive, truth));
    let best: { readonly item: Value; readonly key: Value } | undefined;
    for (const item of iterate(value, run.budget)) {
      const key = get(item);
      if (best === undefined || compare(order, key, best.key, run.budget)) best = { item, key };
    }
    return best === undefined ? new Undefined("No aggregated item, sequence was empty.") : best.item;
  };
}

export const min = extreme("<");
export const max = extreme(">");

/** Where there is nothing to choose, the choice is known. */
export const random: Filter = (run, value, given) => {
  bindArguments("do_random", [], 0, given);
  const amount = length(value, run.budget);
  if (amount === 0) return new Undefined("No random item, sequence was empty.");
  if (amount > 1 || value instanceof PyDict) throw unsupported("random, which gives another item each time,");
  return first(run, value, given);
};

export const items: Filter = bound("do_items()", (run, value) => {
  return lazily("do_items", function* () {
    if (value instanceof Undefined) return;
    if (!(value instanceof PyDict)) throw typeError("Can only get item pairs from a mapping.");
    yield* iterate(new PyView("items", value), run.budget);
  });
});

// `pprint`: as Python's `pprint.pformat`, for what fits into one line of 80 characters.

export const pprint: Filter = bound("do_pprint()", (run, value) => {
  const text = repr(inOrder(run, value), run.budget);
  if (codePointLength(text, run.budget) > 80) throw unsupported("pprint of more than one line");
  return text;
});

/** The same value with every dict in the order of its keys. */
function inOrder(run: Run, value: Value): Value {
  run.budget.spend(1);
  if (value instanceof PyList) return new PyList(value.items.map((item) => inOrder(run, item)));
  if (value instanceof PyTuple) return new PyTuple(value.items.map((item) => inOrder(run, item)));
  if (!(value instanceof PyDict)) return value;
  const pairs = [...value.entries()].map(({ key, value }) => [key, inOrder(run, value)] as const);
  try {
    return dictValue(
      sorted(run, pairs, ([key]) => key),
      run.budget,
    );
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError")
      throw unsupported("pprint of keys of several types");
    throw error;
  }
}
