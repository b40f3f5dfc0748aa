/** Short ways to make Python values in tests. */
import { Budget } from "../../template-error.ts";
import { PyDict, PyFloat, PyList, PyTuple, type Value } from "../../value.ts";
import { hashKey } from "../hash-key.ts";

export const float = (value: number): PyFloat => new PyFloat(value);
export const list = (...items: Value[]): PyList => new PyList(items);
export const tuple = (...items: Value[]): PyTuple => new PyTuple(items);
export const budget = (): Budget => new Budget();

export function dict(...entries: readonly (readonly [Value, Value])[]): PyDict {
  const made = new PyDict();
  for (const [key, value] of entries) made.set(hashKey(key, budget()), key, value);
  return made;
}

/** The exception class a call raises, and nothing where it raises none. */
export function raised(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return (error as { readonly python?: string }).python ?? String(error);
  }
}
