/** Methods of dict and of its views. The sandbox lets templates change dictionaries. */
import { type Budget, TemplateError, typeError, unsupported, valueError } from "../../template-error.ts";
import { type Arguments, PyDict, PyTuple, PyView, typeName, type Value } from "../../value.ts";
import { contains, hashKey } from "../hash-key.ts";
import { iterate, listOf } from "../iterate.ts";
import { isWalkable } from "../walkable.ts";
import { repr } from "../text.ts";
import { method, placed, type Method, methods } from "./method.ts";

function put(dict: PyDict, key: Value, value: Value, budget: Budget): void {
  budget.spend(1);
  dict.set(hashKey(key, budget), key, value);
}

/** `dict.update(other, **named)`, and what `dict(other, **named)` does to a new one. */
export function updateDict(dict: PyDict, { positional, named }: Arguments, budget: Budget): void {
  const [other] = placed("update", { minimum: 0, maximum: 1, names: [] }, { positional, named: new Map() });
  if (other instanceof PyDict) for (const { key, value } of Array.from(other.entries())) put(dict, key, value, budget);
  else if (other !== undefined) updateFromPairs(dict, other, budget);
  for (const [key, value] of named) put(dict, key, value, budget);
}

function updateFromPairs(dict: PyDict, pairs: Value, budget: Budget): void {
  let at = 0;
  for (const pair of iterate(pairs, budget)) {
    if (!isWalkable(pair)) throw typeError(`cannot convert dictionary update sequence element #${at} to a sequence`);
    const [key, value, ...more] = listOf(pair, budget);
    if (key === undefined || value === undefined || more.length > 0) {
      throw valueError(`dictionary update sequence element #${at} does not have length 2`);
    }
    put(dict, key, value, budget);
    at += 1;
  }
}

const viewing = (what: PyView["what"]): Method<PyDict> => method(0, 0, (dict) => new PyView(what, dict));

/** All but `update`, whose keyword arguments are entries. */
export const DICT_METHODS = methods<PyDict>({
  get: method(1, 2, (dict, [key = null, otherwise = null], budget) => {
    const found = dict.get(hashKey(key, budget));
    return found === undefined ? otherwise : found;
  }),
  keys: viewing("keys"),
  values: viewing("values"),
  items: viewing("items"),
  copy: method(0, 0, (dict, _, budget) => {
    const made = new PyDict();
    for (const { key, value } of dict.entries()) put(made, key, value, budget);
    return made;
  }),
  pop: method(1, 2, (dict, [key = null, otherwise], budget) => {
    const id = hashKey(key, budget);
    const found = dict.get(id);
    if (found !== undefined) {
      dict.delete(id);
      return found;
    }
    if (otherwise === undefined) throw new TemplateError("KeyError", repr(key, budget));
    return otherwise;
  }),
  setdefault: method(1, 2, (dict, [key = null, value = null], budget) => {
    const known = dict.get(hashKey(key, budget));
    if (known !== undefined) return known;
    put(dict, key, value, budget);
    return value;
  }),
  clear: method(0, 0, (dict, _, budget) => {
    for (const { key } of Array.from(dict.entries())) {
      budget.spend(1);
      dict.delete(hashKey(key, budget));
    }
    return null;
  }),
  popitem: method(0, 0, (dict, _, budget) => {
    budget.spend(dict.size);
    let last: { readonly key: Value; readonly value: Value } | undefined;
    for (const entry of dict.entries()) last = entry;
    if (last === undefined) throw new TemplateError("KeyError", "popitem(): dictionary is empty");
    dict.delete(hashKey(last.key, budget));
    return new PyTuple([last.key, last.value]);
  }),
  fromkeys: method(1, 2, (_, [keys = null, value = null], budget) => {
    const made = new PyDict();
    for (const key of iterate(keys, budget)) put(made, key, value, budget);
    return made;
  }),
});

/** For keys and items; values have none. */
export const VIEW_METHODS = methods<PyView>({
  isdisjoint: method(1, 1, (view, [other = null], budget) => {
    if (!isWalkable(other)) throw typeError(`'${typeName(other)}' object is not iterable`);
    for (const item of iterate(other, budget)) if (contains(item, view, budget)) return false;
    return true;
  }),
});

/** `view.mapping`. */
export function viewAttribute(_: PyView, name: string): undefined {
  if (name === "mapping") throw unsupported("The type mappingproxy (dict views' `mapping`)");
  return undefined;
}
