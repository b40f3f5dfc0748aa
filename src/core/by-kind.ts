type Kinded = { readonly kind: string };

/** What a table with an entry for each kind of a union gives for one of its members: a value, or what makes it. */
export function byKind<U extends Kinded, R extends string | object>(
  of: U,
  table: { readonly [K in U["kind"]]: R | ((of: Extract<U, { readonly kind: K }>) => R) },
): R {
  const entry = table[of.kind as U["kind"]];
  return typeof entry === "function" ? (entry as (of: U) => R)(of) : (entry as R);
}
