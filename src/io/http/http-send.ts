/**
 * Sends a request, and sees where it ends up: a public host may not redirect to this machine or into a private network
 * unasked. Where the platform shows redirects they are followed here, so that nothing is sent there; a browser follows
 * them itself, and only the last address can be judged.
 */
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import type { HttpTarget } from "./http-target.ts";
import { isPrivateUrl } from "../../core/private-address.ts";

/** What `fetch` throws, which is the network's; anything else that is thrown on the way is a bug in this program. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super("no answer", { cause });
  }
}

async function answerOf(target: HttpTarget, url: string, init: RequestInit): Promise<Response> {
  try {
    return await target.fetch(url, init);
  } catch (cause) {
    throw new NoAnswer(cause);
  }
}

/** @throws RefscopeError `redirect-to-private`, `redirects-too-many`; `NoAnswer`. */
export async function send(target: HttpTarget, init: RequestInit): Promise<Response> {
  if (target.followsRedirects && init.redirect === "follow") return follow(target, init);
  const response = await answerOf(target, target.url, init);
  if (isRefused(target, response.url)) {
    void response.body?.cancel().catch(() => undefined);
    throw privateError(target.url, response.url);
  }
  return response;
}

/** As browsers have it (Fetch, "HTTP-redirect fetch"). */
const MAX_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function follow(target: HttpTarget, init: RequestInit): Promise<Response> {
  let url = target.url;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const response = await answerOf(target, url, { ...init, redirect: "manual" });
    const next = REDIRECTS.has(response.status) ? redirectOf(response, url) : undefined;
    if (next === undefined) return response;
    void response.body?.cancel().catch(() => undefined);
    if (isRefused(target, next)) throw privateError(target.url, next);
    url = next;
  }
  throw failure("redirects-too-many", targetAt(target.url), { limit: MAX_REDIRECTS });
}

/** `undefined` where it leads nowhere that can be asked: the status itself is then the answer. */
function redirectOf({ headers }: Response, from: string): string | undefined {
  const location = headers.get("Location");
  if (location === null || !URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

const isRefused = ({ url, allowPrivate }: HttpTarget, to: string): boolean =>
  !allowPrivate && isPrivateUrl(to) && !isPrivateUrl(url);

const privateError = (from: string, to: string) =>
  failure("redirect-to-private", targetAt(from), { host: new URL(to).origin });

/** Where an answer came from, if not from where it was asked for; without a query, which may be a signature. */
export function redirectedTo(target: HttpTarget, { url }: Response): { readonly redirectedTo?: string } {
  if (url === "" || url === new URL(target.url).href) return {};
  const { origin, pathname } = new URL(url);
  return { redirectedTo: origin + pathname };
}
