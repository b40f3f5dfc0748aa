/** Why there was no answer: browsers say "Failed to fetch" to all of it, so a second, harmless request is made. */
import type { CallContext } from "../../core/byte-source.ts";
import type { RefscopeError } from "../../core/errors.ts";
import { abortError, idleSignal } from "../abort.ts";
import { contentLength, isEncoded, requestInit } from "./http-attempt.ts";
import { corsError, droppedError, reasonOf, unreachableError, type Asked } from "./http-failure.ts";
import { send } from "./http-send.ts";
import type { HttpTarget } from "./http-target.ts";

export interface Broken {
  readonly status?: number;
  readonly received: number;
  readonly cause: unknown;
}

/** `alive` is the answer of `isAlive`, where it was asked already. */
export async function diagnose(
  target: HttpTarget,
  asked: Asked,
  context: CallContext,
  how: Broken,
  alive?: boolean,
): Promise<RefscopeError> {
  if (how.status !== undefined) return droppedError(asked, how.received, asked.range?.length, how.cause);
  if (!(alive ?? (await isAlive(target, context, how.cause)))) return unreachableError(asked, how.cause);
  // A reason is only given where there is no CORS (outside browsers).
  const unexplained = reasonOf(how.cause) === undefined || asked.withCredentials;
  if (unexplained) return forbidden(target, asked, context, how.cause);
  return droppedError(asked, how.received, asked.range?.length, how.cause);
}

/** The host answers, but not to be read by a page: itself, or where it redirects to. */
export async function forbidden(
  target: HttpTarget,
  asked: Asked,
  context: CallContext,
  cause: unknown,
): Promise<RefscopeError> {
  // Redirects are refused to credentials anyway, and elsewhere than in browsers they are no matter of CORS.
  const mayLead = reasonOf(cause) === undefined && !asked.withCredentials;
  return corsError(asked, mayLead && (await redirectsReadably(target, context)), cause);
}

/** Whether the host gives a page its answer, and that is a redirect: where it leads cannot be seen. */
async function redirectsReadably(target: HttpTarget, context: CallContext): Promise<boolean> {
  const idle = idleSignal(context.signal, Math.min(target.idleTimeout, 10_000));
  try {
    const init = requestInit(target, undefined, idle.signal);
    const { type } = await target.fetch(target.url, { ...init, redirect: "manual" });
    return type === "opaqueredirect";
  } catch {
    if (context.signal.aborted) throw abortError();
    return false;
  } finally {
    idle.abandon();
  }
}

/**
 * In no-cors mode any answer at all resolves (opaque); only a dead host rejects. HEAD, so that no body is sent. A failure
 * with a reason is not a browser's: there is no CORS then, and Node's no-cors mode hangs on redirects.
 */
export async function isAlive(target: HttpTarget, context: CallContext, cause: unknown): Promise<boolean> {
  const idle = idleSignal(context.signal, Math.min(target.idleTimeout, 10_000));
  try {
    const isBrowser = reasonOf(cause) === undefined;
    await target.fetch(target.url, {
      method: "HEAD",
      mode: isBrowser ? "no-cors" : "cors",
      // A redirect is a sign of life too, and need not be followed; no-cors mode knows no other way.
      redirect: isBrowser ? "follow" : "manual",
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: idle.signal,
    });
    return true;
  } catch {
    if (context.signal.aborted) throw abortError();
    return false;
  } finally {
    idle.abandon();
  }
}

/** Size of the target by HEAD, to explain a range that failed; `undefined` where that fails too. */
export async function sizeByHead(target: HttpTarget, context: CallContext): Promise<number | undefined> {
  if (target.learnt.size !== undefined) return target.learnt.size;
  const idle = idleSignal(context.signal, Math.min(target.idleTimeout, 10_000));
  try {
    const init = requestInit(target, undefined, idle.signal);
    const response = await send(target, { ...init, method: "HEAD" });
    if (response.status === 200 && !isEncoded(response)) target.learnt.size = contentLength(response);
    return target.learnt.size;
  } catch {
    if (context.signal.aborted) throw abortError();
    return undefined;
  } finally {
    idle.abandon();
  }
}
