/**
 * Requests for others: to where data are, on behalf of the page or the engine. Each address on the way is judged before
 * it is asked, by what its name resolves to; only the host that was asked first is logged in to.
 */
import type { IncomingMessage } from "node:http";
import { failure, targetAt } from "#core/findings/finding.ts";
import { isPrivateHost } from "#core/urls/private-address.ts";
import type { Fetch } from "#io/http/http-target.ts";
import { acceptEncoding, isPrivateError, judgedRequest, type Lookup, responseOf } from "../judged-request.ts";
import type { Asked, S3 } from "./aws-profile.ts";

export interface Way {
  /** An address that may be on this machine or in a private network. */
  readonly trusts: (url: URL) => boolean;
  /** An address to which redirects may lead, besides public ones over https. */
  readonly takes: (url: string) => boolean;
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>;
  /** Absent: addresses of S3 are not asked. */
  readonly s3: S3 | undefined;
  /** Lookup of a host's name. */
  readonly lookup?: Lookup;
}

export interface Wish extends Asked {
  /** `identity` where it is not given. */
  readonly encoding?: string;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly message: IncomingMessage;
  /** Origin of the answer, if a redirect led elsewhere; without its query, which may be a signature. */
  readonly from?: string;
}

/** Why there is no answer. */
export type NoAnswer =
  | { readonly problem: "unreachable"; readonly host: string; readonly reason: string }
  /** The name means an address on this machine or in a private network. */
  | { readonly problem: "private"; readonly host: string }
  /** It redirects to where nothing is asked. */
  | { readonly problem: "redirect"; readonly host: string };

export class Unanswered extends Error {
  readonly why: NoAnswer;

  constructor(why: NoAnswer) {
    super(why.problem);
    this.why = why;
  }
}

const MAX_HOPS = 10;

/** `address`: http(s), or s3. Throws Unanswered. */
export async function ask(way: Way, address: string, wish: Wish): Promise<Answer> {
  if (way.s3 !== undefined && address.startsWith("s3://")) return askS3(way, way.s3, address, wish);
  const first = new URL(address);
  return followed(way, { url: first, headers: way.headersFor(first) }, wish);
}

/** S3 names the region of a bucket that is in another one. */
async function askS3(way: Way, s3: S3, address: string, wish: Wish): Promise<Answer> {
  const answer = await followed(way, s3.request(address, wish), wish, true);
  if (!s3.isElsewhere(address, answer.message.headers["x-amz-bucket-region"])) return answer;
  answer.message.destroy();
  return followed(way, s3.request(address, wish), wish, true);
}

interface Request {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

async function followed(way: Way, first: Request, wish: Wish, isOurs = false): Promise<Answer> {
  let { url, headers } = first;
  let isFirstHost = true;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const message = await once(way, { url, headers }, wish, (isOurs && isFirstHost) || way.trusts(url));
    const next = redirectOf(message, url);
    if (next === undefined) return hop === 0 ? { message } : { message, from: url.origin + url.pathname };
    message.destroy();
    const isPublic = next.protocol === "https:" && !isPrivateHost(next.hostname);
    if (next.username !== "" || !(isPublic || way.takes(next.href)))
      throw new Unanswered({ problem: "redirect", host: next.host });
    isFirstHost &&= next.origin === first.url.origin;
    headers = isFirstHost && !isOurs ? way.headersFor(next) : {};
    url = next;
  }
  throw new Unanswered({ problem: "redirect", host: url.host });
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined;
  return /^https?:$/.test(next?.protocol ?? "") ? next : undefined;
}

const IDLE = 30_000;

async function once(way: Way, { url, headers }: Request, wish: Wish, mayBePrivate: boolean): Promise<IncomingMessage> {
  const { method, range, signal, encoding = "identity" } = wish;
  const all = { "accept-encoding": encoding, ...(range && { range }), ...headers };
  const { lookup } = way;
  try {
    return await judgedRequest(url, { method, headers: all, signal, timeout: IDLE, mayBePrivate, lookup });
  } catch (error) {
    const { host } = url;
    if (isPrivateError(error)) throw new Unanswered({ problem: "private", host });
    const { code: reason = "ERROR" } = error as NodeJS.ErrnoException;
    throw new Unanswered({ problem: "unreachable", host, reason });
  }
}

/** For the engine: redirects are followed here. */
export const fetchBy =
  (way: Way): Fetch =>
  async (address, init) => {
    const headers = new Headers(init.headers);
    const [range, encoding] = [headers.get("range") ?? undefined, acceptEncoding(headers)];
    const method = init.method === "HEAD" ? "HEAD" : "GET";
    const wish = { method, range, encoding, signal: init.signal ?? NEVER } as const;
    const { message, from } = await ask(way, address, wish).catch((error: unknown) => {
      throw init.signal?.aborted === true ? init.signal.reason : explained(error, address);
    });
    return responseOf(message, method, from ?? address);
  };

const NEVER = new AbortController().signal;

function explained(error: unknown, address: string): unknown {
  if (!(error instanceof Unanswered)) return error;
  const { why } = error;
  if (why.problem === "private")
    return failure("target-private-address", targetAt(address), { host: why.host, from: "file" });
  if (why.problem === "redirect") return failure("redirect-to-private", targetAt(address), { host: why.host });
  return new TypeError("fetch failed", { cause: Object.assign(new Error(why.reason), { code: why.reason }) });
}
