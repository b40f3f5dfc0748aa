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
export declare function chunkRunner({ metadata: text, stored }: DecodeCase, open: (threads: number) => ThreadPool): ChunkRunner;
