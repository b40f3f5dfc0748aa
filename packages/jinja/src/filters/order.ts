/** Filters that sort. */
import { bound } from "../compile/bind-arguments.ts";
import { definedIndex, equal, iterate, listOf, repr, truth } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError } from "../template-error.ts";
import { Markup, PyList, PyTuple, PyView, type PyObject, type Value } from "../value.ts";
import { attributeGetter, attributesGetter, caseGetter, dictIn, flag, sorted, type Getter } from "./attribute.ts";

export const sort: Filter = bound(
  "do_sort(reverse?, case_sensitive?, attribute?)",
  (run, value, [reverse, caseSensitive, attribute = null]) => {
    const get = attributesGetter(
      run,
      attribute instanceof Markup ? attribute.text : attribute,
      !flag(caseSensitive, truth),
    );
    return new PyList(sorted(run, listOf(value, run.budget), get, reversing(reverse)));
  },
);

/** `sorted(reverse=…)` wants a number. */
const reversing = (reverse: Value | undefined): boolean => reverse !== undefined && truth(definedIndex(reverse));

export const dictsort: Filter = bound(
  "do_dictsort(case_sensitive?, by?, reverse?)",
  (run, value, [caseSensitive, by = "key", reverse]) => {
    const what = by instanceof Markup ? by.text : by;
    if (what !== "key" && what !== "value") {
      throw new TemplateError("FilterArgumentError", 'You can only sort by either "key" or "value"');
    }
    const dict = dictIn(value);
    const pick: Getter = (pair) => (pair instanceof PyTuple ? pair.items[what === "key" ? 0 : 1] : undefined) ?? null;
    const get = caseGetter(pick, !flag(caseSensitive, truth));
    return new PyList(sorted(run, [...iterate(new PyView("items", dict), run.budget)], get, reversing(reverse)));
  },
);

export const groupby: Filter = bound(
  "do_groupby(attribute, default?, case_sensitive?)",
  (run, value, [attribute = null, fallback = null, caseSensitive]) => {
    const own = attributeGetter(run, attribute, fallback);
    const get = caseGetter(own, !flag(caseSensitive, truth));
    const groups: { readonly key: Value; readonly grouper: Value; readonly items: Value[] }[] = [];
    for (const item of sorted(run, listOf(value, run.budget), get)) {
      const key = get(item);
      const last = groups.at(-1);
      if (last !== undefined && equal(last.key, key, run.budget)) last.items.push(item);
      else groups.push({ key, grouper: own(item), items: [item] });
    }
    return new PyList(groups.map((group) => groupTuple(run, group.grouper, new PyList(group.items))));
  },
);

/** A tuple whose parts have names; it prints as a tuple. */
function groupTuple(run: Run, grouper: Value, list: PyList): PyObject {
  const tuple = new PyTuple([grouper, list]);
  return {
    kind: "object",
    typeName: "_GroupTuple",
    text: () => repr(tuple, run.budget),
    get: (name) => {
      if (name === "grouper") return grouper;
      return name === "list" ? list : undefined;
    },
    items: () => tuple.items,
  };
}
