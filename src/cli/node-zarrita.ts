/** A thread of Node in which zarrita runs. */
import { Worker } from "node:worker_threads";
import type { FromZarrita, ZarritaThread } from "../engine/check/readers/zarrita-messages.ts";

/** As that of the threads that decode. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "../../tools/zarrita-thread.mjs" : "./zarrita-thread.js",
  import.meta.url,
);

export function nodeZarrita(): ZarritaThread {
  const worker = new Worker(ENTRY);
  // The command ends when it has its answer.
  worker.unref();
  return {
    post: (message) => worker.postMessage(message, []),
    listen: (heard, ended) => {
      worker.on("message", (message: FromZarrita) => heard(message));
      worker.on("error", () => undefined);
      worker.on("exit", ended);
    },
    end: () => void worker.terminate(),
  };
}
