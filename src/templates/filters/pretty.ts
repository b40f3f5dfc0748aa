/** `pprint`: as Python's `pprint.pformat`, for what fits into one line of 80 characters. */
import { bindArguments } from "../compile/bind-arguments.ts";
import { codePointLength, repr } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, unsupported } from "../template-error.ts";
import { PyDict, PyList, PyTuple, type Value } from "../value.ts";
import { dictValue } from "../json-value.ts";
import { sorted } from "./attribute.ts";

export const pprint: Filter = (run, value, given) => {
  bindArguments("do_pprint", [], 0, given);
  const text = repr(inOrder(run, value), run.budget);
  if (codePointLength(text, run.budget) > 80) throw unsupported("pprint of more than one line");
  return text;
};

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
