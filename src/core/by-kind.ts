type Kinded = { readonly kind: string };

/** Looks up a member of a union in a table with an entry for each kind: a value, or a function that makes it. */
export function byKind<U extends Kinded, R extends string | object>(
  of: U,
  table: { readonly [K in U["kind"]]: R | ((of: Extract<U, { readonly kind: K }>) => R) },
): R {
  const entry = table[of.kind as U["kind"]];
  return typeof entry === "function" ? (entry as (of: U) => R)(of) : (entry as R);
}
