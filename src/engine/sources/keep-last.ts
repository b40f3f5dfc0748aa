/** Answers that were given last: asked for again while one looks at the same thing. */

/** Makes what is not kept; the oldest beyond `most` are dropped. */
export async function keptLast<K, T>(kept: Map<K, T>, key: K, most: number, make: () => Promise<T>): Promise<T> {
  const value = kept.get(key) ?? (await make());
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
  return value;
}
