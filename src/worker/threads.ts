/** Workers of the engine worker for decoding many chunks. */
import { type DecodeThread, threadPool, type ThreadPool } from "../engine/many/thread-pool.ts";
import type { ZarritaThread } from "../engine/check/readers/zarrita-messages.ts";

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

/** A worker as its owner uses it. `ended` is called if it could not start, or died. */
const workerThread = (worker: Worker) => ({
  post: (message: unknown, transfer: Transferable[] = []) => worker.postMessage(message, transfer),
  listen: (heard: (message: never) => void, ended: () => void) => {
    worker.addEventListener("message", (event: MessageEvent) => heard(event.data as never));
    worker.addEventListener("error", () => {
      worker.terminate();
      ended();
    });
  },
  end: () => worker.terminate(),
});

/** A worker of the engine worker in which zarrita runs. */
export const zarritaWorker = (): ZarritaThread =>
  workerThread(new Worker(new URL("zarrita.worker.ts", import.meta.url), { type: "module" }));
