/** Limits requests to one host at a time: more would only queue in the browser, where they cannot be cancelled. */
import { abortError } from "../abort.ts";

export interface HostLimit {
  /** Runs the task when its host has a free place; leaving the queue by the signal never starts it. */
  run<T>(url: string, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
}

export function hostLimit(limit = 6): HostLimit {
  const hosts = new Map<string, Places>();
  return {
    async run(url, signal, task) {
      const host = URL.canParse(url) ? new URL(url).host : "";
      const places = hosts.get(host) ?? { free: limit, waiting: [] };
      hosts.set(host, places);
      await enter(places, signal);
      try {
        return await task();
      } finally {
        leave(places);
        if (places.free === limit) hosts.delete(host);
      }
    },
  };
}

interface Places {
  free: number;
  waiting: (() => void)[];
}

function enter(places: Places, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
    } else if (places.free > 0) {
      places.free -= 1;
      resolve();
    } else {
      const start = (): void => {
        signal.removeEventListener("abort", quit);
        resolve();
      };
      const quit = (): void => {
        places.waiting = places.waiting.filter((other) => other !== start);
        reject(abortError());
      };
      signal.addEventListener("abort", quit, { once: true });
      places.waiting.push(start);
    }
  });
}

/** Hands the place on, or frees it. */
function leave(places: Places): void {
  const next = places.waiting.shift();
  if (next === undefined) places.free += 1;
  else next();
}
