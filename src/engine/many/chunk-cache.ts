/** Decoded chunks that were read for pictures, as many as fit into a number of bytes; those not used longest go first. */
import type { ChunkValues } from "../../core/values/values.ts";

/** `missing`: there is no reference. */
export type CachedChunk = { readonly kind: "values"; readonly values: ChunkValues } | { readonly kind: "missing" };

export type ChunkCache = ReturnType<typeof chunkCache>;

const MAX_BYTES = 256 * 1024 ** 2;
/** What an entry takes beside its bytes. */
const OVERHEAD = 400;

export function chunkCache(limit = MAX_BYTES) {
  const kept = new Map<string, CachedChunk>();
  let bytes = 0;
  const keyOf = (set: number, array: string, ordinal: number) => `${set} ${ordinal} ${array}`;
  const drop = (key: string) => {
    const chunk = kept.get(key);
    if (chunk !== undefined) bytes -= sizeOf(chunk);
    kept.delete(key);
  };
  return {
    has: (set: number, array: string, ordinal: number): boolean => kept.has(keyOf(set, array, ordinal)),
    get(set: number, array: string, ordinal: number): CachedChunk | undefined {
      const key = keyOf(set, array, ordinal);
      const chunk = kept.get(key);
      if (chunk === undefined) return undefined;
      kept.delete(key);
      kept.set(key, chunk);
      return chunk;
    },
    keep(set: number, array: string, ordinal: number, chunk: CachedChunk): void {
      const key = keyOf(set, array, ordinal);
      drop(key);
      const size = sizeOf(chunk);
      if (size > limit) return;
      for (const oldest of kept.keys()) {
        if (bytes + size <= limit) break;
        drop(oldest);
      }
      kept.set(key, chunk);
      bytes += size;
    },
    /** Those of a set that is closed, or whose targets are looked for elsewhere. */
    forget(set: number): void {
      for (const key of kept.keys()) if (key.startsWith(`${set} `)) drop(key);
    },
  };
}

function sizeOf(chunk: CachedChunk): number {
  if (chunk.kind === "missing") return OVERHEAD;
  const { bytes, numbers, texts } = chunk.values;
  const own = numbers === undefined || numbers.buffer === bytes.buffer ? 0 : numbers.byteLength;
  return OVERHEAD + bytes.buffer.byteLength + own + (texts === undefined ? 0 : bytes.length);
}
