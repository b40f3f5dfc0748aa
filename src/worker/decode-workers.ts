/** Workers of the engine worker for decoding many chunks. */
import { threadPool, type DecodeThread, type ThreadPool } from "../engine/many/thread-pool.ts";
import type { FromThread } from "../engine/many/messages.ts";

const MAX_WORKERS = 8;
/** A worker starts faster than a thread of a terminal. */
const START_AFTER = 50;
/** Seconds of decoding, which Cancel must be able to end. */
const LARGE = 32 * 2 ** 20;

/** As many as the machine has cores, where it is not said; none where workers cannot start workers. `startAfter`: as the pool's. */
export function workerPool(
  threads: number = Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
  startAfter: number = START_AFTER,
): ThreadPool {
  return threadPool(openWorker, { threads: typeof Worker === "function" ? threads : 0, startAfter, apart: LARGE });
}

function openWorker(): DecodeThread {
  const worker = new Worker(new URL("decode.worker.ts", import.meta.url), { type: "module" });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (heard, ended) => {
      worker.addEventListener("message", (event: MessageEvent<FromThread>) => heard(event.data));
      worker.addEventListener("error", () => {
        worker.terminate();
        ended();
      });
    },
    end: () => worker.terminate(),
  };
}
