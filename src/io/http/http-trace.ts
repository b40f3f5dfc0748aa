/**
 * One request with every redirect on its way, for who wants to know what a server does: nothing is judged or followed
 * unseen.
 */
import type { CallContext } from "#core/byte-source.ts";
import { abortError, idleSignal } from "../abort.ts";
import { reasonOf } from "./http-failure.ts";
import type { Fetch } from "./http-target.ts";

export interface Hop {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Target of a redirect. */
  readonly location: string | undefined;
}

export interface Trace {
  readonly hops: readonly Hop[];
  /** Why no answer came from the last address. */
  readonly failure?: string;
}

const MAX_HOPS = 20;

/** Bodies are left unread. Only where `fetch` shows redirects: in a terminal. Throws only for an abort. */
export async function traceRequest(
  url: string,
  init: Pick<RequestInit, "method" | "headers">,
  context: CallContext,
  fetch: Fetch,
): Promise<Trace> {
  const hops: Hop[] = [];
  for (let next: string | undefined = url; next !== undefined && hops.length <= MAX_HOPS;) {
    const idle = idleSignal(context.signal, 30_000);
    try {
      const { status, headers, body }: Response = await fetch(next, {
        ...init,
        redirect: "manual",
        signal: idle.signal,
      });
      void body?.cancel().catch(() => undefined);
      const written: string | null = status >= 300 && status < 400 ? headers.get("Location") : null;
      const location: string | undefined =
        written !== null && URL.canParse(written, next) ? new URL(written, next).href : undefined;
      hops.push({ url: next, status, headers, location });
      next = location;
    } catch (error) {
      if (context.signal.aborted) throw abortError();
      const reason = idle.expired() ? "ETIMEDOUT" : (reasonOf(error) ?? String(error));
      return { hops, failure: reason };
    } finally {
      idle.abandon();
    }
  }
  return { hops };
}
