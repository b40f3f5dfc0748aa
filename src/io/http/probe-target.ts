/**
 * Probes a URL by at most two small ranges: the beginning, which shows pages and pointers in place of data, and the
 * last bytes that references ask for, which show if they exist and if ranges are honoured. Servers refuse HEAD more
 * often than GET.
 */
import type { ByteRange, CallContext } from "#core/byte-source.ts";
import { failure, finding, RefscopeError, targetAt } from "#core/findings/finding.ts";
import { CONTENT_HEAD, contentOf } from "#core/check/target-content.ts";
import type { RangeAnswer, TargetProbe } from "#core/check/target-probe.ts";
import { idleSignal, type IdleSignal } from "../abort.ts";
import * as http from "./http-attempt.ts";
import { redirectedTo } from "./http-attempt.ts";
import { readBody } from "./http-body.ts";
import { type Broken, diagnose, forbidden, getsOpaquely, isAlive, sizeByHead } from "./http-diagnosis.ts";
import { type Asked, droppedError, reasonOf, toldIn, unreachableError } from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";
import { checkUrl } from "./http.ts";
import { parseContentRange } from "../range.ts";

export interface ProbeWish {
  /** The range that ends last; absent where no range is read. */
  readonly furthest: ByteRange | undefined;
  /** Its size is needed, even if that costs a request. */
  readonly needsSize?: boolean;
  /**
   * Sent as `Origin`, where a program may say what it is asked from: some servers send CORS headers only then. What came
   * is then judged.
   */
  readonly origin?: string | undefined;
}

/** So many times as long as a pause may be, all requests for a target may take. */
const PATIENCE = 3;
/** Bytes of the furthest range that are asked for. */
const TAIL = 16;
/** Most bytes of an error's body. */
const ERROR_BODY = 4096;

type Seen = { -readonly [Name in keyof TargetProbe]: TargetProbe[Name] };

/** Never throws but for an abort: why nothing came is part of the answer. */
export async function probeTarget(target: HttpTarget, wish: ProbeWish, context: CallContext): Promise<TargetProbe> {
  const started = performance.now();
  const seen: Seen = { url: target.url, requests: 0, attempts: 0, bytesReceived: 0, milliseconds: 0 };
  // A byte a second is no answer either: what is asked for is small.
  const whole = idleSignal(context.signal, PATIENCE * target.idleTimeout);
  try {
    checkUrl(target.url, target.relays);
    await look({ target: asking(target, wish.origin), seen, wish, context: { ...context, signal: whole.signal } });
  } catch (error) {
    const isSlow = whole.expired() && !context.signal.aborted;
    if (isSlow && http.isCutOff(target.url)) {
      await http.backOnline(target, context);
      return await probeTarget(target, wish, context);
    }
    if (!isSlow && !(error instanceof RefscopeError)) throw error;
    const late = { idle: target.idleTimeout, received: seen.bytesReceived };
    seen.failure = isSlow ? finding("timeout", targetAt(target.url), late) : (error as RefscopeError).finding;
  } finally {
    whole.end();
  }
  seen.milliseconds = performance.now() - started;
  return seen;
}

function asking(target: HttpTarget, origin: string | undefined): HttpTarget {
  if (origin === undefined) return target;
  const fetch: HttpTarget["fetch"] = (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("Origin", origin);
    return target.fetch(url, { ...init, headers });
  };
  return { ...target, fetch };
}

interface Look {
  readonly target: HttpTarget;
  readonly seen: Seen;
  readonly wish: ProbeWish;
  readonly context: CallContext;
}

async function look(one: Look): Promise<void> {
  const { target, seen, wish, context } = one;
  const head = await answerTo(one, { offset: 0, length: CONTENT_HEAD });
  if (head === undefined) return;
  note(one, head);
  if (head.status !== 200 && head.status !== 206 && head.status !== 416) return;
  // These bytes are not the beginning that was requested.
  if (seen.range?.kind === "long") return;
  await noteShort(one, { offset: 0, length: CONTENT_HEAD }, head);
  // Nothing at offset 0: it is empty, unless it is known to be longer.
  if (head.status === 416) seen.size ??= (await sizeByHead(target, context)) ?? 0;
  if (head.status === 416 && seen.size !== 0) return;
  seen.content = contentOf(head.status === 416 ? new Uint8Array(0) : head.bytes.subarray(0, CONTENT_HEAD));
  if (seen.range?.kind === "honoured") await lookAtEnd(one);
  if (seen.size === undefined && wish.needsSize === true && seen.range?.kind !== "encoded") {
    seen.requests += 1;
    const size = await sizeByHead(target, context);
    if (size !== undefined) seen.size = size;
  }
}

async function lookAtEnd(one: Look): Promise<void> {
  const { target, seen, wish, context } = one;
  const end = wish.furthest === undefined ? 0 : wish.furthest.offset + wish.furthest.length;
  if (wish.furthest === undefined || end > (seen.size ?? end)) return;
  const length = Math.min(TAIL, wish.furthest.length);
  // A range that begins at 0 was asked for already.
  if (length === 0 || end === length) return;
  const tail = await answerTo(one, { offset: end - length, length });
  if (tail === undefined) return;
  note(one, tail);
  if (tail.status === 416) {
    // A size that would hold the range contradicts the 416.
    const size = seen.size ?? (await sizeByHead(target, context));
    if (size !== undefined && size < end) seen.size = size;
    else seen.lacks = end;
  } else await noteShort(one, { offset: end - length, length }, tail);
}

/** An answer ends before its range where the target does, or because the server sends less: its size tells which. */
async function noteShort({ target, seen, context }: Look, asked: ByteRange, { status, bytes, range }: Answer) {
  const received = bytes.byteLength;
  if (status !== 206 || range?.kind !== "honoured" || received >= asked.length) return;
  const size = seen.size ?? (await sizeByHead(target, context));
  const end = asked.offset + received;
  seen.size = size ?? end;
  if (size !== undefined && size > end) seen.range = { kind: "short", asked, received };
}

interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly range: RangeAnswer | undefined;
  readonly size: number | undefined;
  readonly response: Response;
}

/** `undefined` where none came: why is in what was seen. */
async function answerTo(one: Look, range: ByteRange): Promise<Answer | undefined> {
  const { target, seen, context } = one;
  const { outcome, attempts } = await http.withRetries<Answer>(target, context, (attempt) => {
    const asked = http.askedOf(target, range, attempt);
    seen.requests += 1;
    return http.exchange<Answer>(target, asked, range, context, async (response, idle) => {
      const { status } = response;
      const read = await bodyOf(response, idle, range);
      if (read.failure === undefined || declaresTooMuch(response, range))
        return { kind: "done", value: answerOf(response, read.bytes, range, read.failure === undefined) };
      return http.broken(target, asked, context, idle, { status, received: read.received, cause: read.failure });
    });
  });
  seen.attempts = attempts;
  if (outcome.kind === "done") {
    seen.bytesReceived += outcome.value.bytes.byteLength;
    return outcome.value;
  }
  if (outcome.kind === "busy") seen.status = outcome.status;
  else if (outcome.kind === "broken") await noteBroken(one, range, attempts, outcome);
  return undefined;
}

/** Then it does not matter how it ends: the connection is often closed where the bytes run out. */
const declaresTooMuch = (response: Response, { length }: ByteRange): boolean =>
  response.status === 206 && !http.isEncoded(response) && (http.contentLength(response) ?? 0) > length;

/** No more of it than tells what it is: what comes too much is not waited for. */
function bodyOf(response: Response, idle: IdleSignal, range: ByteRange) {
  const most = response.status === 206 ? range.length + 1 : response.status === 200 ? CONTENT_HEAD : ERROR_BODY;
  return readBody(response, idle, { skip: 0, take: most, stopAt: most });
}

function answerOf(response: Response, bytes: Uint8Array<ArrayBuffer>, asked: ByteRange, isComplete: boolean): Answer {
  const { status, headers } = response;
  const encoding = http.isEncoded(response) ? (headers.get("Content-Encoding") ?? "") : undefined;
  const sent = parseContentRange(headers.get("Content-Range"));
  const whole = status === 200 && encoding === undefined ? http.contentLength(response) : undefined;
  const declared = http.contentLength(response);
  const range = rangeOf({ status, encoding, sent, asked, declared, received: bytes.byteLength, isComplete });
  return { status, bytes, response, size: sent?.size ?? whole, range };
}

interface Came {
  readonly status: number;
  readonly encoding: string | undefined;
  readonly sent: ReturnType<typeof parseContentRange>;
  readonly asked: ByteRange;
  readonly declared: number | undefined;
  readonly received: number;
  /** It did not break off. */
  readonly isComplete: boolean;
}

function rangeOf({ status, encoding, sent, asked, declared, received, isComplete }: Came): RangeAnswer | undefined {
  if (status !== 200 && status !== 206) return undefined;
  if (encoding !== undefined) return { kind: "encoded", encoding };
  if (status === 200) return { kind: "ignored" };
  const { first, last } = sent ?? {};
  const isOther = first !== undefined && (first !== asked.offset || (last ?? 0) >= asked.offset + asked.length);
  if (isOther) return { kind: "other", asked, first, last };
  const isLong = received > asked.length || (!isComplete && (declared ?? 0) > asked.length);
  if (isLong) return { kind: "long", asked, received: declared };
  // Firefox and WebKit decompress it; another origin may hide that, but not how many bytes it sent.
  if (isComplete && declared !== undefined && declared !== received) return { kind: "encoded", encoding: "unknown" };
  return { kind: "honoured" };
}

function note({ target, seen, wish }: Look, { status, bytes, response, range, size }: Answer): void {
  const { headers } = response;
  seen.status = status;
  if (range !== undefined) seen.range = range;
  if (size !== undefined && range?.kind !== "encoded") seen.size = size;
  const contentType = headers.get("Content-Type");
  if (contentType !== null) seen.contentType = contentType;
  Object.assign(seen, http.targetStateOf(target, response), redirectedTo(target, response));
  if (wish.origin !== undefined) seen.cors = corsOf(headers);
  if (status >= 300 && status !== 416) Object.assign(seen, toldIn(headers, bytes));
}

const corsOf = (headers: Headers) => ({
  allowOrigin: headers.get("Access-Control-Allow-Origin") ?? undefined,
  exposed: (headers.get("Access-Control-Expose-Headers") ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
});

async function noteBroken({ target, seen, context }: Look, range: ByteRange, attempts: number, how: Broken) {
  const asked = http.askedOf(target, range, attempts);
  if (how.status !== undefined) {
    seen.status = how.status;
    seen.failure = droppedError(asked, how.received, range.length, how.cause).finding;
    return;
  }
  const encoding = await compressedInstead(target, asked, context, how);
  if (encoding !== undefined) {
    Object.assign(seen, { status: 200, range: { kind: "encoded", encoding } });
    return;
  }
  const { unreachable, error } = await whyNoAnswer(target, asked, context, how);
  Object.assign(seen, { unreachable, failure: error.finding });
}

/** Browsers refuse a compressed answer to a range, and do not say why: without one the target may come. */
async function compressedInstead(target: HttpTarget, asked: Asked, context: CallContext, { cause }: Broken) {
  if (reasonOf(cause) !== undefined) return undefined;
  const outcome = await http.exchange<string | undefined>(target, asked, undefined, context, async (response) => ({
    kind: "done",
    value: response.status === 200 ? (response.headers.get("Content-Encoding") ?? "unknown") : undefined,
  }));
  return outcome.kind === "done" ? outcome.value : undefined;
}

// Why no answer came. A terminal is told the reason. A browser says "Failed to fetch" to all of it; there, requests in
// no-cors mode, whose answers are opaque, tell a host that forbids reading from one that is not there, as far as that
// goes.

/** `how.status` is absent: not even headers came. */
async function whyNoAnswer(target: HttpTarget, asked: Asked, context: CallContext, how: Broken) {
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

const undecided = ({ url }: HttpTarget, because: "mixed-content" | "only-head") => ({
  unreachable: "undecided",
  error: failure("unreachable-undecided", targetAt(url), { because, url: withoutQuery(url) }),
});

/** A query may be a signature, which is shown nowhere. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
