/** JSON as Python's `json.loads` reads it. */
import { Budget } from "./template-error.ts";
import { hashKey } from "./python/index.ts";
import { PyDict, PyFloat, PyList, type Value } from "./value.ts";

/** A JSON text as a tree, which keeps what `JSON.parse` loses: how a number was written, and repeated keys. */
export type JsonNode =
  | { readonly kind: "scalar"; readonly value: null | boolean | string }
  | { readonly kind: "number"; readonly value: number | bigint; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "object"; readonly members: readonly { readonly key: string; readonly node: JsonNode }[] };

/** Hashing a text costs nothing worth counting. */
const NO_LIMIT = new Budget();

/**
 * `1.0` and `1e3` are floats, `1` an int of any size; `NaN` and `Infinity` floats; of repeated keys the last value
 * counts, where the key was first written.
 */
export function valueOfJson(node: JsonNode): Value {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "number":
      return /^-?\d+$/.test(node.text) ? node.value : new PyFloat(Number(node.text));
    case "array":
      return new PyList(node.items.map(valueOfJson));
    case "object":
      return dictOf(node.members.map((member) => [member.key, valueOfJson(member.node)]));
  }
}

/** A dict with text keys. */
export const dictOf = (entries: Iterable<readonly [string, Value]>): PyDict => dictValue(entries, NO_LIMIT);

/** @throws TemplateError TypeError for keys that cannot be hashed */
export function dictValue(pairs: Iterable<readonly [Value, Value]>, budget: Budget): PyDict {
  const dict = new PyDict();
  for (const [key, value] of pairs) dict.set(hashKey(key, budget), key, value);
  return dict;
}
