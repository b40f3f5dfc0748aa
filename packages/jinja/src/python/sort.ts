/** Sorting, as Python's `sorted`: stable, by `<` alone. */
import type { Budget } from "../template-error.ts";
import type { Value } from "../value.ts";
import { compare } from "./hash-key.ts";

/** A sorted copy of `items` by `keys` (of the same length): TypeError where two keys have no order. */
export function sortedBy<T>(items: readonly T[], keys: readonly Value[], isReversed: boolean, budget: Budget): T[] {
  budget.spend(items.length);
  const order = items.map((item, i) => ({ item, key: keys[i] ?? null }));
  const isBefore = (a: Value, b: Value): boolean => {
    budget.spend(1);
    return compare("<", a, b, budget);
  };
  // Reversed, equal items still keep their order.
  const sign = isReversed ? 1 : -1;
  order.sort((a, b) => (isBefore(a.key, b.key) ? sign : isBefore(b.key, a.key) ? -sign : 0));
  return order.map(({ item }) => item);
}
