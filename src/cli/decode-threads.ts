/** Threads of Node for decoding many chunks. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { threadPool, type DecodeThread, type ThreadPool } from "../engine/many/thread-pool.ts";
import type { FromThread } from "../engine/many/messages.ts";

const MAX_THREADS = 16;
/** Beside this in the built program; of the sources one that reads `decode-thread.ts`, TypeScript like this. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "../../tools/decode-thread.mjs" : "./decode-thread.js",
  import.meta.url,
);

/** `threads`: as many as there are cores where it is not said; 0 for none. `startAfter`: as the pool's. */
export function nodePool(
  threads: number = Math.min(MAX_THREADS, availableParallelism()),
  startAfter?: number,
): ThreadPool {
  return threadPool(openThread, { threads, ...(startAfter !== undefined && { startAfter }) });
}

function openThread(): DecodeThread {
  const worker = new Worker(ENTRY);
  // The command ends when it has its answer.
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (heard, ended) => {
      worker.on("message", (message: FromThread) => heard(message));
      // What goes wrong is found out again by those who then decode the chunk.
      worker.on("error", () => undefined);
      worker.on("exit", ended);
    },
    end: () => void worker.terminate(),
  };
}
