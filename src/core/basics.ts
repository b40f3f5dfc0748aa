/** Small functions of no subject, which the language does not have. */

/** Returns the result of `work`, or `instead` if it throws. */
export function attempt<T, I = undefined>(work: () => T, instead?: I): T | I {
  try {
    return work();
  } catch {
    return instead as I;
  }
}

/** The result of `work`; what it throws becomes the error that `fault` makes of it. */
export function orThrow<T>(work: () => T, fault: (cause: unknown) => unknown): T {
  try {
    return work();
  } catch (cause) {
    throw fault(cause);
  }
}

/** A value that is made when first asked for, and then kept. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Kinded = { readonly kind: string };

/** Looks up a member of a union in a table with an entry for each kind: a value, or a function that makes it. */
export function byKind<U extends Kinded, R extends string | object>(
  of: U,
  table: { readonly [K in U["kind"]]: R | ((of: Extract<U, { readonly kind: K }>) => R) },
): R {
  const entry = table[of.kind as U["kind"]];
  return typeof entry === "function" ? (entry as (of: U) => R)(of) : (entry as R);
}

/**
 * The first place in `[from, to)` for which `isBefore` does not hold; it holds for all before that one, and for none
 * after.
 */
export function firstPlace(from: number, to: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    // Places may be ordinals up to 2^53, of which two have no exact sum.
    const middle = low + Math.floor((high - low) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `Map.groupBy`, which not every engine has yet: items by their keys, both in the order in which they come. */
export function groupedBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Division towards minus infinity, as Python has it, of integers of any size; `by` is above 0. */
export const floorDivide = (value: bigint, by: bigint): bigint => (value - modulo(value, by)) / by;

export const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** FNV-1a over the characters of a text, from a hash before it. Equal hashes are not proof of equal texts. */
export function hashText(start: number, text: string): number {
  let hash = Math.imul(start ^ text.length, 0x0100_0193);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash >>> 0;
}
