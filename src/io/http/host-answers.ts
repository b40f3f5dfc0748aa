/** Asks a host two questions that are no reads: its answer for a key that it cannot have, and to a page's preflight. */
import type { CallContext } from "#core/byte-source.ts";
import type { HostAnswer } from "#core/check/host-answer.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { askedOf, exchange, isCutOff, withRetries } from "./http-attempt.ts";
import { checkUrl } from "./http.ts";
import type { HttpTarget } from "./http-target.ts";

/** No writer of data names an object so. */
export const ABSENT_NAME = "refscope-asks-for-a-name-that-does-not-exist";

export interface HostQuestion {
  readonly method: "GET" | "OPTIONS";
  /** The only headers that are sent, where it is not a plain read. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `undefined` where no answer came. Redirects are not followed. Never throws but for an abort. */
export async function askHost(
  target: HttpTarget,
  { method, headers }: HostQuestion,
  context: CallContext,
): Promise<HostAnswer | undefined> {
  checkUrl(target.url, target.relays);
  if (isCutOff(target.url)) return undefined;
  const asking: HttpTarget = {
    ...target,
    followsRedirects: false,
    fetch: (url, init) => {
      // Browsers send no credentials before they may.
      const all = new Headers(method === "OPTIONS" ? {} : init.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return target.fetch(url, { ...init, method, headers: all, redirect: "manual" });
    },
  };
  const asked = askedOf(target, undefined, 1);
  try {
    const { outcome } = await withRetries<HostAnswer>(asking, context, () =>
      exchange(asking, asked, undefined, context, async (response) => ({ kind: "done", value: answerOf(response) })),
    );
    return outcome.kind === "done" ? outcome.value : undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RefscopeError)) throw error;
    return undefined;
  }
}

function answerOf({ status, headers }: Response): HostAnswer {
  return {
    status,
    allowOrigin: headers.get("Access-Control-Allow-Origin") ?? undefined,
    allowHeaders: headers.get("Access-Control-Allow-Headers") ?? undefined,
  };
}
