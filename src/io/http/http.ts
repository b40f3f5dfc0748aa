/**
 * Bytes at a URL. What a browser may send to another origin without asking first, and nothing else: closed ranges,
 * no conditional headers, no cookies, no referrer; the user's own headers only below the prefix they were given for,
 * and then redirects are refused, since the new host would get them too.
 */
import type { ByteRange, ByteSource, ByteStream, CallContext, ReadBytes, ReadParts } from "../../core/byte-source.ts";
import { failure, WHOLE_SET } from "../../core/findings/finding.ts";
import { abortError, type IdleSignal } from "../abort.ts";
import { opened, relay } from "../byte-stream.ts";
import * as http from "./http-attempt.ts";
import { redirectedTo } from "./http-attempt.ts";
import { failed } from "./http-diagnosis.ts";
import { type Asked, droppedError, statusError, timeoutError } from "./http-failure.ts";
import { type RangeTaker, readRange } from "./http-range.ts";
import { type HttpOptions, httpTarget, type HttpTarget } from "./http-target.ts";
import { readWhole } from "./http-whole.ts";
import { fillParts, partOf } from "./range-parts.ts";
import { checkRange } from "../range.ts";

export function httpSource(url: string, options: HttpOptions = {}): ByteSource {
  const target = httpTarget(url, options);
  return {
    name: url,
    get size() {
      return target.learnt.size;
    },
    read: (range, context) => read(target, range, context),
    readParts: async (range, parts, context, give) => {
      checkUrl(target.url);
      checkRange(range, target.url);
      await readParts(target, range, parts, context, give);
    },
    stream: (context): Promise<ByteStream> => stream(target, context),
  };
}

export type { Fetch, HttpOptions } from "./http-target.ts";

async function stream(target: HttpTarget, context: CallContext): Promise<ByteStream> {
  checkUrl(target.url);
  return openStream(target, context);
}

async function read(target: HttpTarget, range: ByteRange | undefined, context: CallContext): Promise<ReadBytes> {
  checkUrl(target.url);
  if (range === undefined) return readWhole(target, context);
  checkRange(range, target.url);
  return range.length === 0 ? nothing(target.url, range) : readRange(target, range, context);
}

/** @throws RefscopeError `url-invalid`. */
export function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const sound = parsed !== undefined && /^https?:$/.test(parsed.protocol);
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
    if (response.status !== 200) throw statusError(asked, response.status);
    idle.pause();
    const body = response.body ?? new Blob([]).stream();
    const from = redirectedTo(target, response);
    const value = { body: watched(target, asked, context, idle, body), ...sizeOf(response), ...from };
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
      idle.pause();
      received += count;
    },
    failure: (cause) => {
      if (context.signal.aborted) return abortError();
      if (idle.expired()) return timeoutError(asked, target.idleTimeout, received);
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
function sizeOf(response: Response): { size: number | undefined; sizeHint?: number } {
  const length = http.contentLength(response);
  if (length === undefined || http.isEncoded(response)) return { size: undefined };
  const known = response.type !== "cors" || response.headers.has("Content-Encoding");
  return known ? { size: length } : { size: undefined, sizeHint: length };
}
