/** A worker of the engine worker in which zarrita runs. */
import type { FromZarrita, ZarritaThread } from "../engine/check/readers/zarrita-messages.ts";

export function zarritaWorker(): ZarritaThread {
  const worker = new Worker(new URL("zarrita.worker.ts", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message, []),
    listen: (heard, ended) => {
      worker.addEventListener("message", (event: MessageEvent<FromZarrita>) => heard(event.data));
      worker.addEventListener("error", () => {
        worker.terminate();
        ended();
      });
    },
    end: () => worker.terminate(),
  };
}
