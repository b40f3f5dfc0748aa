/** A `fetch` that asks as a page from elsewhere would, and notes which servers would have let it read the answer. */
import type { Fetch } from "../../io/http-target.ts";

export interface WatchedFetch {
  readonly fetch: Fetch;
  /** Whether any server answered at all. */
  readonly answered: () => boolean;
  /** Origins that gave what was asked for, but not to pages (Fetch, "CORS check"). */
  readonly closed: () => readonly string[];
}

/** Where a page might be; no server is meant to know it. */
const PAGE = "https://refscope.example";

export function watchedFetch(fetch: Fetch): WatchedFetch {
  const closed = new Set<string>();
  let answers = 0;
  return {
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      headers.set("Origin", PAGE);
      const response = await fetch(url, { ...init, headers });
      answers += 1;
      const allowed = response.headers.get("Access-Control-Allow-Origin");
      if (response.ok && allowed !== "*" && allowed !== PAGE) closed.add(new URL(url).origin);
      return response;
    },
    answered: () => answers > 0,
    closed: () => [...closed],
  };
}
