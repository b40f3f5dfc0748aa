/** Codes of what servers, and proxies before them, do to requests. */
import type { Code } from "./catalogue/index.ts";

/** The server's owner has to let pages in. */
const CORS = ["cors-missing", "cors-absent", "cors-absent-on-missing", "cors-headers-hidden", "preflight-refused"];

/** A request by hand shows these, and no other reference mends them. */
// oxfmt-ignore
const ANSWERS = [
  "host-unreachable", "range-ignored", "range-encoded", "range-mismatch", "range-short", "web-page",
  "unreachable-undecided",
] satisfies Code[];

/** A request by hand shows it; another target, or another range of it, may not have it. */
const STATUSES = ["http-status", "target-gone"] satisfies Code[];

/** Nothing shows it but asking again. */
// oxfmt-ignore
const SILENT = [
  "chunk-denied", "connection-dropped", "redirect-to-private", "redirects-too-many", "timeout",
  // Not a server's, but nothing else than another address mends it.
  "url-in-archive",
  // Nothing is left that a reference could lead to.
  "chunks-lost",
] satisfies Code[];

export const ABOUT_CORS: ReadonlySet<string> = new Set(CORS);
/** A request shows what blocks access. */
export const ABOUT_SERVER: ReadonlySet<string> = new Set([...CORS, ...ANSWERS, ...STATUSES]);
/** No reference mends these: looking for one would only ask that server more. */
export const OF_SERVER: ReadonlySet<string> = new Set([...CORS, ...ANSWERS, ...SILENT]);
