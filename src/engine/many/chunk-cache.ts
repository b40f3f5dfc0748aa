/**
 * Decoded chunks that were read for pictures, as many as fit into a number of bytes; those not used longest go first.
 */
import type { ChunkValues } from "#core/values/values.ts";

/** `missing`: there is no reference. */
export type CachedChunk = { readonly kind: "values"; readonly values: ChunkValues } | { readonly kind: "missing" };

export type ChunkCache = ReturnType<typeof chunkCache>;

/** Limit for chunks that also hold other steps, which are usually wanted next. */
const MAX_BYTES = 256 * 1024 ** 2;
/** Limit for chunks with one step: the page keeps the pictures made of them. */
const MAX_OF_ONE_STEP = 48 * 1024 ** 2;
/** Memory of an entry beside its bytes. */
const OVERHEAD = 400;

export function chunkCache(limit = MAX_BYTES, limitOfOneStep = MAX_OF_ONE_STEP) {
  const lists = [newestKept(limitOfOneStep), newestKept(limit)] as const;
  const keyOf = (set: number, array: string, ordinal: number) => `${set} ${ordinal} ${array}`;
  return {
    has: (set: number, array: string, ordinal: number): boolean =>
      lists.some((list) => list.has(keyOf(set, array, ordinal))),
    get(set: number, array: string, ordinal: number): CachedChunk | undefined {
      const key = keyOf(set, array, ordinal);
      return lists[0].get(key) ?? lists[1].get(key);
    },
    keep(set: number, array: string, ordinal: number, chunk: CachedChunk): void {
      const [list, other] = hasSteps(chunk) ? [lists[1], lists[0]] : lists;
      other.drop(keyOf(set, array, ordinal));
      list.keep(keyOf(set, array, ordinal), chunk);
    },
    /** Those of a set that is closed, or whose targets are looked for elsewhere. */
    forget(set: number): void {
      for (const list of lists) list.forget((key) => key.startsWith(`${set} `));
    },
  };
}

const hasSteps = (chunk: CachedChunk): boolean =>
  chunk.kind === "values" && chunk.values.shape.filter((extent) => extent > 1).length > 2;

function newestKept(limit: number) {
  const kept = new Map<string, CachedChunk>();
  let bytes = 0;
  const drop = (key: string) => {
    const chunk = kept.get(key);
    if (chunk !== undefined) bytes -= memoryOf(chunk);
    kept.delete(key);
  };
  return {
    has: (key: string) => kept.has(key),
    get(key: string): CachedChunk | undefined {
      const chunk = kept.get(key);
      if (chunk === undefined) return undefined;
      kept.delete(key);
      kept.set(key, chunk);
      return chunk;
    },
    keep(key: string, chunk: CachedChunk): void {
      drop(key);
      const size = memoryOf(chunk);
      if (size > limit) return;
      for (const oldest of kept.keys()) {
        if (bytes + size <= limit) break;
        drop(oldest);
      }
      kept.set(key, chunk);
      bytes += size;
    },
    drop,
    forget(isGone: (key: string) => boolean): void {
      for (const key of kept.keys()) if (isGone(key)) drop(key);
    },
  };
}

function memoryOf(chunk: CachedChunk): number {
  if (chunk.kind === "missing") return OVERHEAD;
  const { bytes, numbers, texts } = chunk.values;
  const own = numbers === undefined || numbers.buffer === bytes.buffer ? 0 : numbers.byteLength;
  return OVERHEAD + bytes.buffer.byteLength + own + (texts === undefined ? 0 : bytes.length);
}
