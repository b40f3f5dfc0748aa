/** A pool that will be kept for long: in the smallest of the forms there are. */
import type { BytePool } from "./byte-pool.ts";
import { packedPool } from "./packed-pool.ts";

/** Entries of one kind and length (ids, times, hashes) need nothing but their bytes; others are packed, or left as is. */
export function settledPool(pool: BytePool): BytePool {
  const fixed = fixedSize(pool);
  const best = fixed !== undefined && fixed.byteLength <= pool.byteLength ? fixed : pool;
  return packedPool(best, (id) => ({ tag: best.tag(id), bytes: best.bytes(id) }));
}

function fixedSize(pool: BytePool): BytePool | undefined {
  const { count } = pool;
  const [tag, size] = count === 0 ? [0, 0] : [pool.tag(0), pool.bytes(0).length];
  for (let id = 1; id < count; id += 1) {
    if (pool.tag(id) !== tag || pool.bytes(id).length !== size) return undefined;
  }
  const bytes = new Uint8Array(count * size);
  for (let id = 0; id < count; id += 1) bytes.set(pool.bytes(id), id * size);
  return {
    count,
    tag: () => tag,
    bytes: (id) => bytes.subarray(id * size, (id + 1) * size),
    byteLength: bytes.byteLength,
  };
}
