/** Whole-array work without the array: the same chunk again and again, through a pool. */
import { parseArrayMetadataV2 } from "../src/core/metadata/parse-array-metadata.ts";
import type { ThreadPool } from "../src/engine/many/thread-pool.ts";
import type { DecodeCase } from "./decode-cases.ts";

export interface PoolRun {
  readonly threads: number;
  readonly chunks: number;
}

export interface ChunkRunner {
  /** Milliseconds. */
  run(run: PoolRun): Promise<number>;
  close(): void;
}

export function chunkRunner(
  { metadata: text, stored }: DecodeCase,
  open: (threads: number) => ThreadPool,
): ChunkRunner {
  const { metadata } = parseArrayMetadataV2(text);
  const { signal } = new AbortController();
  const pools = new Map<number, ThreadPool>();
  return {
    async run({ threads, chunks }) {
      const pool = pools.get(threads) ?? open(threads);
      pools.set(threads, pool);
      const left = Array.from({ length: chunks })[Symbol.iterator]();
      const start = performance.now();
      const worker = async () => {
        for (const _ of left) {
          const { bytes } = await pool.decode(metadata, stored, signal);
          if (bytes === undefined) throw new Error("no bytes");
          // As whole-array work waits for chunks: messages are heard meanwhile.
          await new Promise((resolve) => {
            setTimeout(resolve);
          });
        }
      };
      await Promise.all(Array.from({ length: Math.max(2, pool.atOnce) }, worker));
      return performance.now() - start;
    },
    close: () => {
      for (const pool of pools.values()) pool.close();
    },
  };
}
