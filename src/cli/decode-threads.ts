/** Threads of Node for decoding many chunks. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { threadPool, type DecodeThread, type ThreadPool } from "../engine/many/thread-pool.ts";

const MAX_THREADS = 16;
/** `threads`: as many as there are cores where it is not said; 0 for none. `startAfter`: as the pool's. */
export function nodePool(
  threads: number = Math.min(MAX_THREADS, availableParallelism()),
  startAfter?: number,
): ThreadPool {
  return threadPool(openThread, { threads, ...(startAfter !== undefined && { startAfter }) });
}

const openThread = (): DecodeThread => nodeThread("decode-thread");

/** Beside this in the built program; of the sources one that reads the TypeScript of that name. */
export function nodeThread(name: string) {
  const file = import.meta.url.endsWith(".ts") ? `../../tools/${name}.mjs` : `./${name}.js`;
  const worker = new Worker(new URL(file, import.meta.url));
  // The command ends when it has its answer.
  worker.unref();
  return {
    post: (message: unknown, transfer: readonly ArrayBuffer[] = []) => worker.postMessage(message, transfer),
    listen: (heard: (message: never) => void, ended: () => void) => {
      worker.on("message", (message) => heard(message as never));
      // The main thread repeats the work and reports the error.
      worker.on("error", () => undefined);
      worker.on("exit", ended);
    },
    end: () => void worker.terminate(),
  };
}
