/** Workers of the engine worker for decoding many chunks. */
import { threadPool, type DecodeThread, type ThreadPool } from "../engine/many/thread-pool.ts";
import type { FromThread } from "../engine/many/messages.ts";

const MAX_WORKERS = 8;

/** As many as the machine has cores, where it is not said. `startAfter`: as the pool's. */
export function workerPool(
  threads: number = Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
  startAfter?: number,
): ThreadPool {
  return threadPool(openWorker, { threads, ...(startAfter !== undefined && { startAfter }) });
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
