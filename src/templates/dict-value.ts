/** Dicts from keys and values. */
import type { Budget } from "./budget.ts";
import { hashKey } from "./python/index.ts";
import { PyDict, type Value } from "./value.ts";

/** @throws TemplateError TypeError for keys that cannot be hashed */
export function dictValue(pairs: readonly (readonly [Value, Value])[], budget: Budget): PyDict {
  const dict = new PyDict();
  for (const [key, value] of pairs) dict.set(hashKey(key, budget), key, value);
  return dict;
}
