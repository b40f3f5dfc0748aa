/** A worker of the engine worker in which zarrita runs. */
import type { ZarritaThread } from "../engine/check/readers/zarrita-messages.ts";
import { workerThread } from "./worker-thread.ts";

export const zarritaWorker = (): ZarritaThread =>
  workerThread(new Worker(new URL("zarrita.worker.ts", import.meta.url), { type: "module" }));
