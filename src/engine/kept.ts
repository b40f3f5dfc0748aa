/** Values that are made once and kept, with limits. */
import type { CallContext } from "../core/byte-source.ts";
import { isAbort } from "../core/findings/finding.ts";

/** `make`, called once for each object: what it gave goes with the object. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** The same for what takes long: who asks meanwhile waits for it. Made again when `versionOf` gives another. */
export function madeTogether<K extends object, T>(
  make: (key: K, context: CallContext) => Promise<T>,
  versionOf: (key: K) => number = () => 0,
): (key: K, context: CallContext) => Promise<T> {
  const made = new WeakMap<K, { readonly version: number; readonly value: Promise<T> }>();
  return async (key, context) => {
    for (;;) {
      context.signal.throwIfAborted();
      const [known, version] = [made.get(key), versionOf(key)];
      const current = known?.version === version ? known : { version, value: make(key, context) };
      made.set(key, current);
      try {
        return await current.value;
      } catch (error) {
        if (made.get(key) === current) made.delete(key);
        // Another call made it, and was aborted: this one still wants it.
        if (!isAbort(error) || current !== known) throw error;
      }
    }
  };
}

/** Makes what is not kept; it is then the newest. The oldest beyond `most` are dropped. */
export async function keptLast<K, T>(kept: Map<K, T>, key: K, most: number, make: () => Promise<T>): Promise<T> {
  const value = kept.get(key) ?? (await make());
  kept.delete(key);
  kept.set(key, value);
  dropOldest(kept, most);
  return value;
}

/** Drops the oldest while there are more than `most`, or their sizes are more than `limit`; the newest stays. */
export function dropOldest<K, T>(
  kept: Map<K, T>,
  most: number,
  sizeOf: (value: T) => number = () => 0,
  limit = Infinity,
): void {
  if (kept.size <= most && limit === Infinity) return;
  let sum = [...kept.values()].reduce((all, value) => all + sizeOf(value), 0);
  for (const [key, value] of kept) {
    if (kept.size === 1 || (kept.size <= most && sum <= limit)) return;
    kept.delete(key);
    sum -= sizeOf(value);
  }
}

/** `work` on each of the items, on so many at a time. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
