/**
 * Bytes behind a URL. What a browser may send to another origin without asking first, and nothing else: closed ranges,
 * no conditional headers, no cookies, no referrer; the user's own headers only below the prefix they were given for,
 * and then redirects are refused, since the new host would get them too.
 */
import type { ByteRange, ByteSource, ByteStream, CallContext, ReadBytes } from "../core/byte-source.ts";
import { readParts } from "./http-parts.ts";
import { readRange } from "./http-range.ts";
import { failure } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { openStream } from "./http-stream.ts";
import { httpTarget, type HttpOptions, type HttpTarget } from "./http-target.ts";
import { readWhole } from "./http-whole.ts";
import { checkRange } from "./range.ts";

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
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    // Said below.
  }
  const sound = parsed !== undefined && /^https?:$/.test(parsed.protocol);
  if (sound && parsed?.username === "" && parsed.password === "") return;
  throw failure("url-invalid", WHOLE_SET, sound ? { problem: "credentials" } : { problem: "malformed", url });
}

/** HTTP cannot ask for no bytes, and need not. */
function nothing(url: string, range: ByteRange): ReadBytes {
  const request = { url, range, attempts: 0, bytesExpected: 0, bytesReceived: 0, milliseconds: 0 };
  return { bytes: new Uint8Array(0), request, findings: [] };
}
