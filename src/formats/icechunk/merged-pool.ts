/** A pool with a few entries more, each before one of its own, or at its end. */
import { plainPool, type PlainPool } from "./byte-pool.ts";

export interface MergedPool {
  readonly pool: PlainPool;
  /** Where the entries now are: those of the pool, then the others. */
  readonly places: Uint32Array;
}

/** `before`: by entry of `fresh` the entry of `pool`, or its count. */
export function mergedPool(pool: PlainPool, fresh: PlainPool, before: readonly number[]): MergedPool {
  const count = pool.count + fresh.count;
  const bytes = new Uint8Array((pool.starts[pool.count] as number) + (fresh.starts[fresh.count] as number));
  const starts = new Uint32Array(count + 1);
  const places = new Uint32Array(count);
  let [at, used] = [0, 0];
  /** Entries from `from` to `to` (excluded); the first of `of` is the one at `first` of `places`. */
  const add = (of: PlainPool, first: number, from: number, to: number): void => {
    const start = of.starts[from] as number;
    bytes.set(of.raw.subarray(start, of.starts[to]), used);
    for (let entry = from; entry < to; entry += 1) {
      places[first + entry] = at;
      starts[at] = used + (of.starts[entry] as number) - start;
      at += 1;
    }
    used += (of.starts[to] as number) - start;
  };
  let done = 0;
  for (const entry of [...before.keys()].toSorted((a, b) => (before[a] ?? 0) - (before[b] ?? 0))) {
    const to = before[entry] ?? 0;
    add(pool, 0, done, to);
    add(fresh, pool.count, entry, entry + 1);
    done = to;
  }
  add(pool, 0, done, pool.count);
  starts[count] = used;
  return { pool: plainPool(bytes, starts, count), places };
}
