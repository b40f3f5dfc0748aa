/**
 * Requests from this computer on behalf of what others wrote. What a host's name means is judged as the connection looks
 * it up, so that it cannot mean another address a moment later. The only way in which the terminal asks the network.
 */
import { lookup, type LookupAddress } from "node:dns";
import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, constants } from "node:zlib";
import { isPrivateHost } from "../core/urls/private-address.ts";

export type Lookup = typeof lookup;

export interface JudgedRequest extends Pick<RequestOptions, "method" | "signal" | "timeout"> {
  readonly headers: Readonly<Record<string, string>>;
  /** It may lead to this machine or into a private network. */
  readonly mayBePrivate: boolean;
  readonly lookup?: Lookup | undefined;
}

/** Tells errors apart: the address is on this machine or in a private network. */
export const isPrivateError = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === PRIVATE;
const PRIVATE = "EPRIVATE";
const privateError = () => Object.assign(new Error("a private address"), { code: PRIVATE });

/**
 * The head of the answer. Redirects are not followed. Rejects with Node's error, or one that `isPrivateError` knows.
 */
export function judgedRequest(
  url: URL,
  { mayBePrivate, lookup: by = lookup, headers, ...more }: JudgedRequest,
): Promise<IncomingMessage> {
  if (!mayBePrivate && isPrivateHost(url.hostname)) return Promise.reject(privateError());
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const all = { "user-agent": "refscope", accept: "*/*", ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...more, headers: all, lookup: mayBePrivate ? by : publicLookup(by) }, resolve);
    asked.on("timeout", () => asked.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
    asked.on("error", reject);
    // A server that switches to another protocol causes neither an answer nor an error.
    asked.on("close", () => reject(Object.assign(new Error("no answer"), { code: "ECONNRESET" })));
    asked.end();
  });
}

const publicLookup =
  (by: Lookup): LookupFunction =>
  (host, options, done) => {
    by(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [one] = addresses ?? [];
      if (error !== null || one === undefined) return done(error ?? new Error("no address"), "");
      if (addresses.some(({ address }) => isPrivateAddress(address))) return done(privateError(), "");
      if (options.all === true) done(null, addresses);
      else done(null, one.address, one.family);
    });
  };

const isPrivateAddress = (address: string): boolean => isPrivateHost(address.includes(":") ? `[${address}]` : address);

/** Bytes of a range are asked for as they are. */
export const acceptEncoding = (headers: Headers): string => (headers.has("range") ? "identity" : "gzip, deflate, br");

const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Response as `fetch` would give it: a compressed body is decompressed. `url`: where it came from. */
export function responseOf(message: IncomingMessage, method: string, url: string): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const isEmpty = method === "HEAD" || EMPTY.has(status);
  if (isEmpty) message.resume();
  const body = isEmpty ? null : bytesOf(decoded(message, headers.get("content-encoding") ?? ""));
  const isKnown = status >= 200 && status <= 599;
  const response = new Response(body, { status: isKnown ? status : 500, headers });
  return Object.defineProperties(response, { url: { value: url }, ...(isKnown ? {} : { status: { value: status } }) });
}

const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS = new Map([
  ["gzip", () => createGunzip(LENIENT)],
  ["x-gzip", () => createGunzip(LENIENT)],
  ["deflate", () => createInflate(LENIENT)],
  ["br", () => createBrotliDecompress()],
]);

/** Bytes in an unknown encoding stay as they are. */
function decoded(message: Readable, encoding: string): Readable {
  const decoders = encoding.split(",").map((one) => DECODERS.get(one.trim().toLowerCase()));
  return decoders.toReversed().reduce<Readable>((from, make) => {
    if (make === undefined || decoders.includes(undefined)) return from;
    // A stream that breaks off below breaks off above.
    return pipeline(from, make(), () => undefined);
  }, message);
}

function bytesOf(from: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = from[Symbol.asyncIterator]() as AsyncIterator<Buffer<ArrayBuffer>, undefined>;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value } = await pieces.next();
          if (value === undefined) controller.close();
          else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
        } catch (cause) {
          throw new TypeError("terminated", { cause });
        }
      },
      cancel: () => void from.destroy(),
    },
    { highWaterMark: 0 },
  );
}
