/** A URL's bytes as they arrive: for reference documents. */
import type { ByteStream, CallContext } from "../core/byte-source.ts";
import { abortError, type IdleSignal } from "./abort.ts";
import { opened, relay } from "./byte-stream.ts";
import * as http from "./http-attempt.ts";
import { droppedError, statusError, timeoutError, type Asked } from "./http-failure.ts";
import { redirectedTo } from "./http-send.ts";
import type { HttpTarget } from "./http-target.ts";
import { failed } from "./http-whole.ts";

/** The signal stays good while the body is read; what breaks the body off comes out as a `RefscopeError`. */
export async function openStream(target: HttpTarget, context: CallContext): Promise<ByteStream> {
  const { outcome, attempts } = await http.withRetries(target, context, (attempt) => open(target, context, attempt));
  if (outcome.kind !== "done") throw await failed(target, context, outcome, attempts);
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
