/** Workers of the engine worker for decoding many chunks. */
import { threadPool, type DecodeThread, type ThreadPool } from "../engine/many/thread-pool.ts";
import { workerThread } from "./worker-thread.ts";

const MAX_WORKERS = 8;
/** A worker starts faster than a thread of a terminal. */
const START_AFTER = 50;
/** Chunks that take seconds to decode, which Cancel must be able to end. */
const LARGE = 32 * 2 ** 20;

/** A pool of workers: by default one per core; none where workers cannot start workers. `startAfter`: as the pool's. */
export function workerPool(
  threads: number = Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
  startAfter: number = START_AFTER,
): ThreadPool {
  return threadPool(openWorker, { threads: typeof Worker === "function" ? threads : 0, startAfter, apart: LARGE });
}

const openWorker = (): DecodeThread =>
  workerThread(new Worker(new URL("decode.worker.ts", import.meta.url), { type: "module" }));
