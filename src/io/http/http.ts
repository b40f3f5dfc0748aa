/**
 * Bytes at a URL. What a browser may send to another origin without asking first, and nothing else: closed ranges,
 * no conditional headers, no cookies, no referrer; the user's own headers only below the prefix they were given for,
 * and then redirects are refused, since the new host would get them too.
 */
import type { ByteRange, ByteSource, ByteStream, CallContext, ReadBytes, ReadParts } from "#core/byte-source.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { abortError, type IdleSignal } from "../abort.ts";
import { opened, relay } from "../byte-stream.ts";
import * as http from "./http-attempt.ts";
import { redirectedTo } from "./http-attempt.ts";
import { failed } from "./http-diagnosis.ts";
import {
  type Asked,
  droppedError,
  refusedError,
  statusError,
  timeoutError,
  tooLargeError,
  webPageFinding,
} from "./http-failure.ts";
import { type RangeTaker, readRange } from "./http-range.ts";
import { type HttpOptions, httpTarget, type HttpTarget } from "./http-target.ts";
import { fillParts, partOf } from "./range-parts.ts";
import { checkRange, parseContentRange } from "../range.ts";
import { webPageIn } from "#core/check/web-page.ts";
import { readBody } from "./http-body.ts";
import { negativeAnswer, type StoreAnswer } from "../store-answer.ts";

export function httpSource(url: string, options: HttpOptions = {}): ByteSource {
  const target = httpTarget(url, options);
  return {
    name: url,
    get size() {
      return target.learnt.size;
    },
    read: (range, context) => read(target, range, context),
    readParts: async (range, parts, context, give) => {
      checkUrl(target.url, target.relays);
      checkRange(range, target.url);
      await readParts(target, range, parts, context, give);
    },
    stream: (context): Promise<ByteStream> => stream(target, context),
  };
}

export type { Fetch, HttpOptions } from "./http-target.ts";

async function stream(target: HttpTarget, context: CallContext): Promise<ByteStream> {
  checkUrl(target.url, target.relays);
  return openStream(target, context);
}

async function read(target: HttpTarget, range: ByteRange | undefined, context: CallContext): Promise<ReadBytes> {
  checkUrl(target.url, target.relays);
  if (range === undefined) return readWhole(target, context);
  checkRange(range, target.url);
  return range.length === 0 ? nothing(target.url, range) : readRange(target, range, context);
}

/** @throws RefscopeError `url-invalid`. */
export function checkUrl(url: string, relays: HttpOptions["relays"]): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const sound = parsed !== undefined && (/^https?:$/.test(parsed.protocol) || relays?.placeOf(url) !== undefined);
  if (sound && parsed?.username === "" && parsed.password === "") return;
  throw failure("url-invalid", WHOLE_SET, sound ? { problem: "credentials" } : { problem: "malformed", url });
}

/** HTTP cannot ask for no bytes, and need not. */
function nothing(url: string, range: ByteRange): ReadBytes {
  const request = { url, range, attempts: 0, bytesExpected: 0, bytesReceived: 0, milliseconds: 0 };
  return { bytes: new Uint8Array(0), request, findings: [] };
}

// Parts of a range of a URL, in one request: each is given while later ones arrive.

async function readParts(
  target: HttpTarget,
  range: ByteRange,
  parts: readonly ByteRange[],
  context: CallContext,
  give: Parameters<ReadParts>[3],
): Promise<void> {
  const waiting = new Set(parts.keys());
  // A request that broke off is made again: what came before it did, was right.
  const giveOnce = (at: number, read: () => ReadBytes): void => {
    if (waiting.delete(at)) give(at, read());
  };
  const taker: RangeTaker = {
    begin: (report) =>
      fillParts({
        range,
        parts,
        full(at, bytes, received) {
          const underWay = received < range.length ? { underWay: true as const } : {};
          giveOnce(at, () => ({ bytes, request: { ...report(received), ...underWay }, findings: [] }));
        },
      }),
  };
  const whole = await readRange(target, range, context, taker);
  for (const [at, part] of parts.entries()) giveOnce(at, () => partOf(whole, range.offset, part));
}

// A URL's bytes as they arrive: for reference documents.

/** The signal stays good while the body is read; what breaks the body off comes out as a `RefscopeError`. */
async function openStream(target: HttpTarget, context: CallContext): Promise<ByteStream> {
  const { outcome, attempts } = await http.withRetries(target, context, (attempt) => open(target, context, attempt));
  if (outcome.kind !== "done") throw await failed(target, http.askedOf(target, undefined, attempts), outcome, context);
  return outcome.value;
}

function open(target: HttpTarget, context: CallContext, attempt: number): Promise<http.Outcome<ByteStream>> {
  const asked = http.askedOf(target, undefined, attempt);
  return http.exchange<ByteStream>(target, asked, undefined, context, async (response, idle) => {
    if (response.status !== 200) throw await refusedError(asked, response, idle);
    idle.pause();
    const body = response.body ?? new Blob([]).stream();
    const from = redirectedTo(target, response);
    const value = { body: watched(target, asked, context, idle, body), ...responseSize(response), ...from };
    return { kind: "done", value, keep: true };
  });
}

function watched(
  target: HttpTarget,
  asked: Asked,
  context: CallContext,
  idle: IdleSignal,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let received = 0;
  return relay(opened(body), new Uint8Array(0), {
    // The clock runs only while bytes are awaited: a slow reader is not the server's fault.
    before: () => idle.touch(),
    after: (count) => {
      idle.pause(count);
      received += count;
    },
    failure: (cause) => {
      if (context.signal.aborted) return abortError();
      if (idle.expired()) return timeoutError(asked, target, idle, received);
      return droppedError(asked, received, undefined, cause);
    },
    end: () => idle.abandon(),
  });
}

/**
 * Content-Length counts the bytes of the answer, which are fewer than come out where it is compressed on the way, and
 * another origin's Content-Encoding is not readable (Fetch, "CORS-safelisted response-header name"). So the length is a
 * size only where the encoding is known to be none, else a hint.
 */
function responseSize(response: Response): { size: number | undefined; sizeHint?: number } {
  const length = http.contentLength(response);
  if (length === undefined || http.isEncoded(response)) return { size: undefined };
  const known = response.type !== "cors" || response.headers.has("Content-Encoding");
  return known ? { size: length } : { size: undefined, sizeHint: length };
}

// All bytes of a URL, held in memory: for whole-file references.

export async function readWhole(target: HttpTarget, context: CallContext): Promise<ReadBytes> {
  const started = performance.now();
  const { outcome, attempts } = await http.withRetries(target, context, (attempt) => {
    const asked = http.askedOf(target, undefined, attempt);
    return http.exchange<Pick<ReadBytes, "bytes"> & { readonly state: http.TargetState }>(
      target,
      asked,
      undefined,
      context,
      async (response, idle) => {
        const { status } = response;
        if (status !== 200) throw await refusedError(asked, response, idle);
        const declared = http.contentLength(response);
        const limit = Math.min(target.maximumBytes, context.most ?? Infinity);
        if (declared !== undefined && declared > limit) throw tooLargeError(asked, declared, limit);
        const total = http.isEncoded(response) || declared === undefined ? {} : { total: declared };
        const progress = (done: number): void =>
          context.report({ label: "Reading bytes", done, ...total, unit: "bytes" });
        const body = await readBody(response, idle, { skip: 0, take: limit, stopAt: limit + 1, progress });
        if (body.failure !== undefined) {
          return http.broken(target, asked, context, idle, { status, received: body.received, cause: body.failure });
        }
        if (body.received > limit) throw tooLargeError(asked, body.received, limit);
        return { kind: "done", value: { bytes: body.bytes, state: http.targetStateOf(target, response) } } as const;
      },
    );
  });
  if (outcome.kind !== "done") throw await failed(target, http.askedOf(target, undefined, attempts), outcome, context);
  const { bytes, state } = outcome.value;
  target.learnt.size = bytes.byteLength;
  const request = {
    url: target.url,
    attempts,
    status: 200,
    bytesReceived: bytes.byteLength,
    targetSize: bytes.byteLength,
    ...state,
    milliseconds: performance.now() - started,
  };
  const page = webPageIn(bytes);
  return { bytes, request, findings: page === undefined ? [] : [webPageFinding(target.url, page)] };
}

// Tells if an object is at a URL, and its size, without its bytes. HEAD needs no preflight, and its Content-Length is
// readable from any origin. Servers that refuse HEAD, and those that let other sites' pages read nothing but GET, are
// asked for one byte instead.

const PRESENT_OR_ABSENT = [200, 404];
const EITHER = { expected: PRESENT_OR_ABSENT };

/**
 * @throws RefscopeError `http-status` for what is neither yes nor no (400, 3xx, 5xx …), `host-unreachable` and so on.
 */
export type AskHead = (url: string, context: CallContext) => Promise<StoreAnswer>;

export function head(url: string, options: HttpOptions, context: CallContext): Promise<StoreAnswer> {
  return headRequester(options)(url, context);
}

/** Remembers how the server takes HEAD: use one for the URLs of one store. */
export function headRequester(options: HttpOptions): AskHead {
  const support: HeadSupport = { takesHead: undefined, refusals: 0 };
  return async (url, context) => {
    checkUrl(url, options.relays);
    return ask(httpTarget(url, options), support, context);
  };
}

interface HeadSupport {
  takesHead: boolean | undefined;
  /** 401 and 403 that a GET confirmed. */
  refusals: number;
}

/** Confirmed this many times, a refusal is believed. */
const ENOUGH_REFUSALS = 3;

async function ask(target: HttpTarget, support: HeadSupport, context: CallContext): Promise<StoreAnswer> {
  if (support.takesHead === false) return askByte(target, context);
  const head = await askHead(target, support.takesHead === true, context);
  if (head !== "unanswered" && head.kind === "present") support.takesHead = true;
  if (head !== "unanswered" && head.kind !== "denied") return head;
  if (head !== "unanswered" && support.takesHead === true) return head;
  // Some servers, and all whose URLs are signed for GET alone, answer 403 to HEAD for what a GET may read.
  const answer = await askByte(target, context);
  if (head === "unanswered" || answer.kind !== "denied") support.takesHead = false;
  else if ((support.refusals += 1) >= ENOUGH_REFUSALS) support.takesHead = true;
  return answer;
}

/** "unanswered" where HEAD is not allowed, or brought no answer and has never yet brought one. */
async function askHead(target: HttpTarget, trusted: boolean, context: CallContext) {
  const heading: HttpTarget = { ...target, fetch: (url, init) => target.fetch(url, { ...init, method: "HEAD" }) };
  const { outcome, attempts } = await http.withRetries<StoreAnswer | "unanswered">(
    heading,
    context,
    async (attempt) => {
      const asked = http.askedOf(target, undefined, attempt);
      const outcome = await http.exchange(heading, asked, undefined, context, async (response) =>
        done(headAnswer(asked, response)),
      );
      return outcome.kind === "broken" && !trusted ? done("unanswered") : outcome;
    },
  );
  if (outcome.kind === "done") return outcome.value;
  throw await failed(target, http.askedOf(target, undefined, attempts), outcome, context, EITHER);
}

function done<T>(value: T): http.Outcome<T> {
  return { kind: "done", value };
}

function headAnswer(asked: Asked, response: Response): StoreAnswer | "unanswered" {
  if (response.status === 405 || response.status === 501) return "unanswered";
  if (!response.ok) return refusal(asked, response.status);
  return present(http.isEncoded(response) ? undefined : http.contentLength(response));
}

function present(size: number | undefined): StoreAnswer {
  return size === undefined ? { kind: "present" } : { kind: "present", size };
}

function refusal(asked: Asked, status: number): StoreAnswer {
  const negative = negativeAnswer(status);
  if (negative === undefined) throw statusError(asked, status, PRESENT_OR_ABSENT);
  return negative;
}

/** Asks for the first byte; leaves the body, should it be longer, unread. */
async function askByte(target: HttpTarget, context: CallContext): Promise<StoreAnswer> {
  const range = { offset: 0, length: 1 };
  const { outcome, attempts } = await http.withRetries<StoreAnswer>(target, context, (attempt) => {
    const asked = http.askedOf(target, range, attempt);
    return http.exchange(target, asked, range, context, async (response) => done(byteAnswer(asked, response)));
  });
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind !== "broken")
    throw await failed(target, http.askedOf(target, range, attempts), outcome, context, EITHER);
  return withoutRange(target, attempts + 1, context);
}

/** Browsers refuse a compressed answer to a range and do not say why, so it is tried once without. */
async function withoutRange(target: HttpTarget, attempts: number, context: CallContext): Promise<StoreAnswer> {
  const asked = http.askedOf(target, undefined, attempts);
  const outcome = await http.exchange(target, asked, undefined, context, async (response) =>
    done(byteAnswer(asked, response)),
  );
  if (outcome.kind === "done") return outcome.value;
  throw await failed(target, asked, outcome, context, EITHER);
}

function byteAnswer(asked: Asked, response: Response): StoreAnswer {
  const size = parseContentRange(response.headers.get("Content-Range"))?.size;
  // There is no first byte: the object is empty.
  if (response.status === 416) return present(size ?? 0);
  if (!response.ok) return refusal(asked, response.status);
  if (http.isEncoded(response)) return present(undefined);
  return present(response.status === 206 ? size : http.contentLength(response));
}
