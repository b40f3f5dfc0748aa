/** Why there was no answer: browsers say "Failed to fetch" to all of it, so a second, harmless request is made. */
import type { CallContext } from "#core/byte-source.ts";
import type { RefscopeError } from "#core/findings/finding.ts";
import { abortError, idleSignal } from "../abort.ts";
import { contentLength, isEncoded, type Outcome, requestInit, send } from "./http-attempt.ts";
import { corsError, droppedError, reasonOf, statusError, unreachableError, type Asked } from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";

export interface Broken {
  readonly status?: number;
  readonly received: number;
  readonly cause: unknown;
}

/** `alive` is the answer of `isAlive`, where it was asked already. */
export async function diagnose(target: HttpTarget, asked: Asked, context: CallContext, how: Broken, alive?: boolean) {
  if (how.status !== undefined) return droppedError(asked, how.received, asked.range?.length, how.cause);
  if (!(alive ?? (await isAlive(target, context, how.cause)))) return unreachableError(asked, how.cause);
  // A reason is only given where there is no CORS (outside browsers).
  const unexplained = reasonOf(how.cause) === undefined || asked.withCredentials;
  if (unexplained) return forbidden(target, asked, context, how.cause);
  return droppedError(asked, how.received, asked.range?.length, how.cause);
}

type Failed = Exclude<Outcome<unknown>, { kind: "done" }>;

/** Why a request ended without what it was made for. `expected`: the statuses that would have done. */
export async function failed(
  target: HttpTarget,
  asked: Asked,
  outcome: Failed,
  context: CallContext,
  { alive, expected }: { readonly alive?: boolean | undefined; readonly expected?: number[] } = {},
): Promise<RefscopeError> {
  if (outcome.kind === "busy") return statusError(asked, outcome.status, expected);
  const how = outcome.kind === "broken" ? outcome : { received: 0, cause: undefined };
  return diagnose(target, asked, context, how, alive);
}

/** The host answers, but not to be read by a page: itself, or where it redirects to. */
export async function forbidden(target: HttpTarget, asked: Asked, context: CallContext, cause: unknown) {
  // Redirects are refused to credentials anyway, and elsewhere than in browsers they are no matter of CORS.
  const mayLead = reasonOf(cause) === undefined && !asked.withCredentials;
  return corsError(asked, mayLead && (await redirectsReadably(target, context)), cause);
}

/**
 * Result of a further request, if it is answered soon; `otherwise` if it is not answered or fails. Only leaving
 * (`context`) is an error.
 */
async function briefly<T>(
  { idleTimeout }: HttpTarget,
  context: CallContext,
  otherwise: T,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const idle = idleSignal(context.signal, Math.min(idleTimeout, 10_000));
  try {
    return await ask(idle.signal);
  } catch {
    if (context.signal.aborted) throw abortError();
    return otherwise;
  } finally {
    idle.abandon();
  }
}

/** True if the host lets a page read its answer, and that is a redirect, whose target cannot be seen. */
const redirectsReadably = (target: HttpTarget, context: CallContext): Promise<boolean> =>
  briefly(target, context, false, async (signal) => {
    const { type } = await target.fetch(target.url, { ...requestInit(target, undefined, signal), redirect: "manual" });
    return type === "opaqueredirect";
  });

/** Tells the host nothing, and is not answered out of a cache. */
const PLAIN = { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" } as const;

/**
 * Tells if a host is alive. Any answer at all resolves in no-cors mode (opaque); only a dead host rejects. HEAD, so
 * that no body is sent. A failure with a reason is not a browser's: there is no CORS then, and Node's no-cors mode
 * hangs on redirects.
 */
export const isAlive = (target: HttpTarget, context: CallContext, cause: unknown): Promise<boolean> =>
  briefly(target, context, false, async (signal) => {
    // A redirect is a sign of life too, and need not be followed; no-cors mode knows no other way.
    const how =
      reasonOf(cause) === undefined
        ? ({ mode: "no-cors", redirect: "follow" } as const)
        : ({ mode: "cors", redirect: "manual" } as const);
    await target.fetch(target.url, { method: "HEAD", ...how, ...PLAIN, signal });
    return true;
  });

/** True if a GET brings an answer that may not be looked into; does not wait for its body. */
export const getsOpaquely = (target: HttpTarget, context: CallContext): Promise<boolean> =>
  briefly(target, context, false, async (signal) => {
    await target.fetch(target.url, { mode: "no-cors", ...PLAIN, signal });
    return true;
  });

/** Size of the target by HEAD, to explain a range that failed; `undefined` where that fails too. */
export async function sizeByHead(target: HttpTarget, context: CallContext): Promise<number | undefined> {
  if (target.learnt.size !== undefined) return target.learnt.size;
  return briefly(target, context, undefined, async (signal) => {
    const response = await send(target, { ...requestInit(target, undefined, signal), method: "HEAD" });
    if (response.status === 200 && !isEncoded(response)) target.learnt.size = contentLength(response);
    return target.learnt.size;
  });
}
