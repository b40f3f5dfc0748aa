/** One request, and the same again where trying again may help. */
import { attempt } from "#core/basics.ts";
import type { ByteRange, CallContext, Credential, RequestReport } from "#core/byte-source.ts";
import { failure, RefscopeError, targetAt } from "#core/findings/finding.ts";
import { isPrivateUrl } from "#core/urls/private-address.ts";
import { abortError, idleSignal, type IdleSignal } from "../abort.ts";
import { rangeHeader } from "../range.ts";
import { type Asked, memoryError, timeoutError } from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";
import { checkVersion } from "./target-version.ts";

export type Outcome<T> =
  /** `keep` where the body is still to be read: the idle signal is then the taker's to end. */
  | { readonly kind: "done"; readonly value: T; readonly keep?: true }
  /** 429 or 5xx; `wait` is what the server asks for, in milliseconds, where it is readable. */
  | { readonly kind: "busy"; readonly status: number; readonly wait: number | undefined }
  /** No answer (no `status`), or one that broke off. */
  | { readonly kind: "broken"; readonly status?: number; readonly received: number; readonly cause: unknown }
  /** A compressed answer to a range: its bytes are not the target's. */
  | { readonly kind: "encoded" };

export type Handler<T> = (response: Response, idle: IdleSignal) => Promise<Outcome<T>>;

export function askedOf(target: HttpTarget, range: ByteRange | undefined, attempts: number): Asked {
  const withCredentials = headersFor(target.url, target.credentials).length > 0;
  return { url: target.url, range, attempts, withCredentials };
}

export function requestInit(target: HttpTarget, range: ByteRange | undefined, signal: AbortSignal): RequestInit {
  const own = headersFor(target.url, target.credentials);
  const headers = new Headers(own.map(([name, value]): [string, string] => [name, value]));
  if (range !== undefined) headers.set("Range", rangeHeader(range));
  return {
    headers,
    signal,
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    // A redirect would carry the headers to an address they were not given for.
    redirect: own.length > 0 ? "error" : "follow",
  };
}

/** One request; when it returns, nothing of it is left under way, but where the handler says `keep`. */
export async function exchange<T>(
  target: HttpTarget,
  asked: Asked,
  range: ByteRange | undefined,
  context: CallContext,
  handle: Handler<T>,
): Promise<Outcome<T>> {
  if (context.signal.aborted) throw abortError();
  const idle = idleSignal(context.signal, target.idleTimeout, target.pace);
  // Signals are dear, and of a request without an answer nothing is under way.
  let isOver = false;
  let came: ((bytes: number) => void) | undefined;
  let bytes = 0;
  const started = performance.now();
  try {
    const response = await send(target, requestInit(target, range, idle.signal));
    came = target.log?.answered(target.url, performance.now() - started);
    idle.touch();
    if (response.status === 429 || (response.status >= 500 && response.status !== 501 && response.status !== 505))
      return { kind: "busy", status: response.status, wait: retryAfter(response) };
    // A response compressed on the way is another representation, with an ETag and a length of its own.
    if (!isEncoded(response)) checkVersion(target, response, contentLength(response));
    const outcome = await handle(response, idle);
    isOver = outcome.kind === "done" && outcome.keep === true;
    if (outcome.kind === "done" && !isOver && response.status === 206) bytes = contentLength(response) ?? 0;
    return outcome;
  } catch (error) {
    // A body that breaks off is reported by the handler (`readBody`); all else is a bug in this program.
    if (!(error instanceof NoAnswer)) throw error;
    isOver = true;
    idle.end();
    return broken(target, asked, context, idle, { received: 0, cause: error.cause });
  } finally {
    came?.(bytes);
    if (!isOver) idle.abandon();
  }
}

/** Cancelled and timed out are thrown, errors already named as well; anything else may be tried again. */
export function broken(
  target: HttpTarget,
  asked: Asked,
  context: CallContext,
  idle: IdleSignal,
  how: { readonly status?: number; readonly received: number; readonly cause: unknown },
): Outcome<never> {
  if (context.signal.aborted) throw abortError();
  if (how.cause instanceof RefscopeError) throw how.cause;
  // Not the connection's fault: there was no room for the bytes.
  if (how.cause instanceof RangeError) throw memoryError(asked, how.cause);
  if (idle.expired()) throw timeoutError(asked, target, idle, how.received);
  return { kind: "broken", ...how };
}

export interface Tried<T> {
  readonly outcome: Outcome<T>;
  readonly attempts: number;
}

/** Tries until done, until trying again cannot help, or until the attempts are used up. Being offline uses none up. */
export async function withRetries<T>(
  target: HttpTarget,
  context: CallContext,
  once: (attempt: number) => Promise<Outcome<T>>,
): Promise<Tried<T>> {
  const refusals: (number | undefined)[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const run = (): Promise<Outcome<T>> => once(attempt);
    const outcome = await (target.limit?.run(target.url, context.signal, run) ?? run());
    if (outcome.kind === "broken" && isCutOff(target.url)) {
      await backOnline(target, context);
      attempt -= 1;
      continue;
    }
    const again = outcome.kind === "busy" || outcome.kind === "broken";
    if (!again || attempt >= target.attempts) {
      target.log?.note(target.url, refusals, !again);
      return { outcome, attempts: attempt };
    }
    refusals.push(outcome.kind === "busy" ? outcome.status : undefined);
    const why = outcome.kind === "busy" ? `returned ${outcome.status}` : "did not answer";
    const label = `${new URL(target.url).host} ${why}: trying again (${attempt + 1} of ${target.attempts})`;
    context.report({ label, done: 0, unit: "requests" });
    await target.sleep(waitBefore(target, attempt, outcome), context.signal);
  }
}

// A browser that is offline says nothing of servers: what is asked of them waits until it is online again.

/** Between two looks whether the browser is online. */
const LOOK_AGAIN = 500;

/** Hosts of this machine and its network may answer offline. Only browsers know. */
export const isCutOff = (url: string): boolean =>
  typeof navigator === "object" &&
  "onLine" in navigator &&
  !navigator.onLine &&
  url.startsWith("http") &&
  !isPrivateUrl(url);

/** @throws AbortError */
export async function backOnline(target: HttpTarget, { signal }: CallContext): Promise<void> {
  while (isCutOff(target.url)) await target.sleep(LOOK_AGAIN, signal);
}

/**
 * Wait before the next attempt, in ms: the server's wish, else 300 doubled at every attempt, spread so that neighbours
 * do not march in step.
 */
function waitBefore(target: HttpTarget, attempt: number, outcome: Outcome<unknown>): number {
  const asked = outcome.kind === "busy" ? outcome.wait : undefined;
  const own = 300 * 2 ** (attempt - 1) * (0.5 + target.random());
  return Math.min(target.longestWait, asked ?? own);
}

/** Seconds or a date (RFC 9110 §10.2.3), in milliseconds. */
function retryAfter(response: Response): number | undefined {
  const text = response.headers.get("Retry-After");
  if (text === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

export function isEncoded(response: Response): boolean {
  const encoding = response.headers.get("Content-Encoding");
  return encoding !== null && encoding.trim() !== "" && encoding.trim().toLowerCase() !== "identity";
}

export function contentLength(response: Response): number | undefined {
  const text = response.headers.get("Content-Length");
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Headers that distinguish one state of a target from another, if readable, and the place it was really read from. */
export type TargetState = Pick<RequestReport, "redirectedTo" | "relayed" | "lastModified" | "etag">;

export function targetStateOf(target: HttpTarget, response: Response): TargetState {
  const { headers } = response;
  const [lastModified, etag] = [headers.get("Last-Modified"), headers.get("ETag")];
  const state = { ...(lastModified === null ? {} : { lastModified }), ...(etag === null ? {} : { etag }) };
  const relayed = "relayed" in response ? { relayed: true as const } : {};
  return { ...state, ...redirectedTo(target, response), ...relayed };
}

// Which of the user's request headers go with a URL: those of the longest prefix that covers it, and no others.

/** @throws RefscopeError `credential-invalid` where a header cannot be sent. */
export function headersFor(url: string, credentials: readonly Credential[]): readonly (readonly [string, string])[] {
  const covering = credentials.filter((credential) => covers(credential.prefix, url));
  const closest = covering.sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (closest === undefined) return [];
  checkHeaders(closest);
  return closest.headers;
}

/**
 * True if the path may become `/../` once a server or proxy has undone escapes (perhaps twice), read `\` as `/`, and
 * dropped the text after a `;`. A URL parser leaves such paths alone.
 */
function mayLeaveFolder(path: string): boolean {
  let plain = path;
  for (let times = 0; times < 3; times += 1) plain = plain.replace(/%(?:25|2e|2f|5c|3b)/gi, decodeURIComponent);
  return plain.split(/[/\\]/).some((part) => /^\.\.?(?:;|$)/.test(part));
}

/**
 * Same scheme, host and port, and a path below the prefix's: `https://a.example/x` covers `https://a.example/x/y` and
 * neither `https://a.example/xy` nor `https://a.example.evil/x`, nor what a server may take for `https://a.example/y`.
 */
export function covers(prefix: string, url: string): boolean {
  const a = parse(prefix);
  const b = parse(url);
  if (a === undefined || b === undefined || a.origin === "null" || a.origin !== b.origin) return false;
  const path = a.pathname;
  if (!b.pathname.startsWith(path) || mayLeaveFolder(b.pathname)) return false;
  return path.endsWith("/") || b.pathname.length === path.length || b.pathname[path.length] === "/";
}

const parse = (text: string): URL | undefined => attempt(() => new URL(text));

/** The message never repeats a header's value. */
function checkHeaders(credential: Credential): void {
  const headers = new Headers();
  for (const [name, value] of credential.headers) {
    try {
      headers.set(name, value);
    } catch {
      throw failure("credential-invalid", targetAt(credential.prefix), { header: name });
    }
  }
}

// Sends a request, and sees where it ends up: a public host may not redirect to this machine or into a private network
// unasked. Where the platform shows redirects they are followed here, so that nothing is sent there; a browser follows
// them itself, and only the last address can be judged.

/** Network failure that `fetch` throws; anything else thrown on the way is a bug in this program. */
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

/** Limit and codes of redirects, equal to the browsers' (Fetch, "HTTP-redirect fetch"). */
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

/** Origin of the answer if it differs from the URL requested; without its query, which may be a signature. */
export function redirectedTo(target: HttpTarget, { url }: Response): { readonly redirectedTo?: string } {
  if (url === "" || url === new URL(target.url).href) return {};
  const { origin, pathname } = new URL(url);
  return { redirectedTo: origin + pathname };
}
