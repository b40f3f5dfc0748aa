/**
 * Why no answer came. A terminal is told the reason. A browser says "Failed to fetch" to all of it; there, requests in
 * no-cors mode, whose answers are opaque, tell a host that forbids reading from one that is not there, as far as that goes.
 */
import type { CallContext } from "../core/byte-source.ts";
import type { RefscopeError } from "../core/errors.ts";
import { failure } from "../core/findings/failure.ts";
import { targetAt } from "../core/findings/place.ts";
import type { Unreachable } from "../core/target-probe.ts";
import { abortError, idleSignal } from "./abort.ts";
import { diagnose, forbidden, isAlive, type Broken } from "./http-diagnosis.ts";
import { reasonOf, unreachableError, type Asked } from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";

export interface NoAnswerReason {
  readonly unreachable: Unreachable;
  readonly error: RefscopeError;
}

/** `how.status` is absent: not even headers came. */
export async function whyNoAnswer(
  target: HttpTarget,
  asked: Asked,
  context: CallContext,
  how: Broken,
): Promise<NoAnswerReason> {
  if (reasonOf(how.cause) !== undefined)
    return { unreachable: "unreachable", error: await diagnose(target, asked, context, how) };
  if (isMixed(target.url, globalThis.location?.protocol)) return undecided(target, "mixed-content");
  const alive = await isAlive(target, context, how.cause);
  if (!alive) return { unreachable: "unreachable", error: unreachableError(asked, how.cause) };
  if (await getsOpaquely(target, context))
    return { unreachable: "blocked-by-cors", error: await forbidden(target, asked, context, how.cause) };
  return undecided(target, "only-head");
}

/** A page that came encrypted may not ask for what is not, whether or not it is there. */
export const isMixed = (url: string, protocol: string | undefined): boolean =>
  protocol === "https:" && url.toLowerCase().startsWith("http:");

const undecided = ({ url }: HttpTarget, because: "mixed-content" | "only-head"): NoAnswerReason => ({
  unreachable: "undecided",
  error: failure("unreachable-undecided", targetAt(url), { because, url: withoutQuery(url) }),
});

/** A query may be a signature, which is shown nowhere. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a GET brings an answer that may not be looked into; its body is not waited for. */
async function getsOpaquely(target: HttpTarget, context: CallContext): Promise<boolean> {
  const idle = idleSignal(context.signal, Math.min(target.idleTimeout, 10_000));
  try {
    await target.fetch(target.url, {
      mode: "no-cors",
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
