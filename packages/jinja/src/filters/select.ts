/** Filters that apply another filter or test to every item. */
import { bound } from "../compile/bind-arguments.ts";
import { getAttribute, iterate, repr, truth, typeName, hashKey } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, typeError } from "../template-error.ts";
import { Markup, Undefined, type Arguments, type Value } from "../value.ts";
import { attributeGetter, type Getter } from "./attribute.ts";
import { lazily } from "./lazily.ts";

/** `map("upper")`, `map(attribute="name", default="?")` */
export const map: Filter = (run, value, given) =>
  lazily("sync_do_map", function* () {
    if (!truth(value)) return;
    const apply = mapping(run, given);
    for (const item of iterate(value, run.budget)) yield apply(item);
  });

function mapping(run: Run, given: Arguments): Getter {
  const [name, ...positional] = given.positional;
  if (name === undefined && given.named.has("attribute")) {
    for (const key of given.named.keys()) {
      if (key !== "attribute" && key !== "default") throw argumentError(`Unexpected keyword argument '${key}'`);
    }
    return attributeGetter(run, given.named.get("attribute"), given.named.get("default"));
  }
  if (name === undefined) throw argumentError("map requires a filter argument");
  return (item) => named(run, run.filters, "filter", name)(run, item, { positional, named: given.named });
}

const argumentError = (message: string): TemplateError => new TemplateError("FilterArgumentError", message);

function named<Use>(run: Run, uses: ReadonlyMap<string, Use>, kind: string, name: Value): Use {
  const text = name instanceof Markup ? name.text : name;
  // Python looks the name up in a dict.
  hashKey(name, run.budget);
  const use = typeof text === "string" ? uses.get(text) : undefined;
  if (use !== undefined) return use;
  const hint = name instanceof Undefined ? ` (${name.message}; did you forget to quote the callable name?)` : "";
  throw new TemplateError("TemplateRuntimeError", `No ${kind} named ${repr(name, run.budget)}.${hint}`);
}

function selecting(wanted: boolean, byAttribute: boolean): Filter {
  return (run, value, given) =>
    lazily("select_or_reject", function* () {
      if (!truth(value)) return;
      const passes = condition(run, given, byAttribute);
      for (const item of iterate(value, run.budget)) if (passes(item) === wanted) yield item;
    });
}

function condition(run: Run, given: Arguments, byAttribute: boolean): (item: Value) => boolean {
  const rest = [...given.positional];
  let get: Getter = (item) => item;
  if (byAttribute) {
    const attribute = rest.shift();
    if (attribute === undefined) throw argumentError("Missing parameter for attribute name");
    get = attributeGetter(run, attribute);
  }
  const [name, ...positional] = rest;
  if (name === undefined) return (item) => truth(get(item));
  return (item) => {
    const value = get(item);
    return named(run, run.tests, "test", name)(run, value, { positional, named: given.named });
  };
}

export const select = selecting(true, false);
export const reject = selecting(false, false);
export const selectattr = selecting(true, true);
export const rejectattr = selecting(false, true);

/** The attribute and never the item of that name. */
export const attr: Filter = bound("do_attr(name)", (run, value, [name = null]) => {
  const text = name instanceof Markup ? name.text : name;
  if (typeof text !== "string") throw typeError("attribute name must be string");
  return (
    getAttribute(value, text, run.budget) ?? new Undefined(`'${typeName(value)} object' has no attribute '${text}'`)
  );
});

/** The fallback for what is undefined; with `boolean` for all that is false. */
export const fallback: Filter = bound(
  "do_default(default_value?, boolean?)",
  (_run, value, [other = "", boolean = false]) =>
    value instanceof Undefined || (truth(boolean) && !truth(value)) ? other : value,
);
