/**
 * A file server that honours byte ranges, and misbehaves on demand: `?fault=NAME` or `?fault=NAME:VALUE`, several with
 * commas, or `misbehave(path, faults)` for URLs that must stay as they are. Every request is logged.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join, resolve, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** VALUE in brackets, with its default. */
export type FaultName =
  /** 200 and the whole file in answer to a range. */
  | "ignore-range"
  /** 206 with [half] so many bytes, properly declared and ended. */
  | "short-206"
  /** Declares the whole length, closes the connection after [half] so many bytes; [x]/[n]: only the first n times. */
  | "cut-body"
  | "401"
  | "403"
  | "404"
  | "410"
  | "416"
  /** [always] so many times, then the file; 429 with Retry-After: 0 (exposed). */
  | "429"
  | "500"
  | "503"
  /** No CORS headers. */
  | "no-cors"
  /** Never answers. */
  | "hang"
  /** Sends headers and [half] so many bytes, then nothing. */
  | "hang-body"
  /** Closes the connection without an answer, [always] so many times. */
  | "drop"
  /** Closes the connection without an answer, but to HEAD. */
  | "only-head"
  /** [65536] bytes a second. */
  | "slow"
  /** Answers after [200] milliseconds. */
  | "slow-start"
  /** 206 with bytes [1] further on, Content-Range saying so. */
  | "wrong-range"
  /** 206 with more bytes than asked. */
  | "long-206"
  /** The answer compressed with gzip, Content-Encoding saying so; to a range: the range's bytes compressed. */
  | "gzip"
  /** Content-Length [10] too high (the connection is then closed). */
  | "lying-length"
  /** 302 to the same URL without faults, or to [URL]. */
  | "redirect"
  /** Exposes Content-Range, ETag, Content-Encoding and Accept-Ranges to other origins. */
  | "expose"
  /** No Content-Length (chunked). */
  | "no-length"
  /** HEAD answers [403]. */
  | "no-head"
  /** 403 instead of 404 where there is no file, as S3 answers where listing is not allowed. */
  | "deny-missing";

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly headers: IncomingMessage["headers"];
  /** Status sent; 0 until then, or where the connection was closed instead. */
  status: number;
  /** Bytes of body handed to the connection. */
  sent: number;
  /** Whether the client went away before the answer was complete. */
  aborted: boolean;
}

export interface RangeServerOptions {
  /** Directory to serve; nothing outside it is. */
  readonly root?: string;
  /** Files in memory by path: `/a.bin`. They come before those of the directory. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>;
  /** 0 = any free port. */
  readonly port?: number;
  /** Lists files in memory as S3 does by path: the first part of the path is a bucket. Two keys a page. */
  readonly lists?: true;
}

export interface RangeServer {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly origin: string;
  readonly requests: LoggedRequest[];
  /** URL of a path, with faults if any: `url("/a.bin", "short-206:3,expose")`. */
  url(path: string, faults?: string): string;
  put(path: string, content: Uint8Array | string): void;
  /** From now on, whatever the query says; `""` ends it. */
  misbehave(path: string, faults: string): void;
  /** Forgets the log, and how often each fault has struck. */
  reset(): void;
  stop(): Promise<void>;
}

const closedByFault = new WeakSet<ServerResponse>();

type Faults = ReadonlyMap<string, string>;

interface State {
  readonly options: RangeServerOptions;
  readonly files: Map<string, Uint8Array>;
  readonly faults: Map<string, string>;
  readonly struck: Map<string, number>;
  readonly requests: LoggedRequest[];
}

export async function startRangeServer(options: RangeServerOptions = {}): Promise<RangeServer> {
  const files = new Map(Object.entries(options.files ?? {}).map(([path, content]) => [path, bytesOf(content)]));
  const state: State = { options, files, faults: new Map(), struck: new Map(), requests: [] };
  const server = createServer((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests: state.requests,
    url: (path, faults) =>
      faults === undefined ? origin + path : `${origin}${path}?fault=${encodeURIComponent(faults)}`,
    put: (path, content) => void state.files.set(path, bytesOf(content)),
    misbehave: (path, faults) => void state.faults.set(path, faults),
    reset: () => {
      state.requests.length = 0;
      state.struck.clear();
    },
    stop: () => stop(server),
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

interface Exchange {
  readonly state: State;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: LoggedRequest;
  readonly url: URL;
  readonly faults: Faults;
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const { method = "GET", headers } = request;
  const log = { method, path: request.url ?? "/", range: headers.range, headers, status: 0, sent: 0, aborted: false };
  state.requests.push(log);
  response.on("close", () => {
    if (!response.writableFinished && !closedByFault.has(response)) log.aborted = true;
  });
  const faults = parseFaults(state.faults.get(url.pathname) ?? url.searchParams.get("fault") ?? "");
  const exchange = { state, request, response, log, url, faults };
  cors(exchange);
  if (method === "OPTIONS") end(exchange, 204);
  else if (!(await refused(exchange))) await file(exchange);
}

function parseFaults(text: string): Faults {
  const pairs = text.split(",").map((part): [string, string] => {
    const colon = part.indexOf(":");
    return colon < 0 ? [part, ""] : [part.slice(0, colon), part.slice(colon + 1)];
  });
  return new Map(pairs.filter(([name]) => name !== ""));
}

function cors({ response, faults }: Exchange): void {
  if (faults.has("no-cors")) return;
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Headers", "Authorization, Range, *");
  response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
  if (faults.has("429")) response.setHeader("Access-Control-Expose-Headers", "Retry-After");
  if (!faults.has("expose")) return;
  response.setHeader("Access-Control-Expose-Headers", "Content-Range, ETag, Content-Encoding, Accept-Ranges");
}

function end({ response, log }: Exchange, status: number, text = ""): void {
  log.status = status;
  response.writeHead(status, { "Content-Type": "text/plain" }).end(log.method === "HEAD" ? undefined : text);
}

/** Whether this fault still strikes: a number is how many times, nothing is always. */
function strikes({ state, url, faults }: Exchange, name: string, times = faults.get(name)): boolean {
  if (!faults.has(name)) return false;
  if (times === undefined || times === "") return true;
  const key = `${url.pathname} ${name}`;
  const count = (state.struck.get(key) ?? 0) + 1;
  state.struck.set(key, count);
  return count <= Number(times);
}

/** Faults that answer with no file at all. */
async function refused(exchange: Exchange): Promise<boolean> {
  const { faults, response, request } = exchange;
  if (strikes(exchange, "hang")) return true;
  if (strikes(exchange, "drop") || (faults.has("only-head") && request.method !== "HEAD")) {
    breakOff(response);
    return true;
  }
  if (faults.has("slow-start")) await wait(Number(faults.get("slow-start") || 200));
  if (faults.has("no-head") && request.method === "HEAD") {
    end(exchange, Number(faults.get("no-head") || 403));
    return true;
  }
  for (const status of ["401", "403", "404", "410", "416", "429", "500", "503"]) {
    // A server that refuses a range still says how long the file is.
    if ((status === "416" && request.method === "HEAD") || !strikes(exchange, status)) continue;
    if (status === "429") response.setHeader("Retry-After", "0");
    end(exchange, Number(status), `fault ${status}`);
    return true;
  }
  if (faults.has("redirect")) {
    response.setHeader("Location", faults.get("redirect") || exchange.url.pathname);
    end(exchange, 302);
    return true;
  }
  return false;
}

async function file(exchange: Exchange): Promise<void> {
  const { state, url, request, faults } = exchange;
  const path = decodeURIComponent(url.pathname);
  const content = state.files.get(path) ?? state.files.get(url.pathname) ?? (await fromRoot(state.options.root, path));
  if (state.options.lists === true && url.searchParams.get("list-type") === "2") {
    const page = bytesOf(listing(state.files.keys(), path, url.searchParams));
    return send(exchange, 200, page, page);
  }
  if (content === undefined) {
    end(exchange, faults.has("deny-missing") ? 403 : 404, "no such file");
    return;
  }
  const range = faults.has("ignore-range") ? undefined : parseRange(request.headers.range, content.byteLength);
  if (range === "outside") {
    exchange.response.setHeader("Content-Range", `bytes */${content.byteLength}`);
    end(exchange, 416);
  } else if (range === undefined) await send(exchange, 200, content, content);
  else await part(exchange, content, range);
}

function listing(paths: Iterable<string>, bucket: string, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const keys = [...paths].flatMap((path) =>
    path.startsWith(`${bucket}/${prefix}`) ? path.slice(bucket.length + 1) : [],
  );
  const ends = keys.map((key) => [key, key.indexOf("/", prefix.length)] as const);
  const all = [...new Set(ends.map(([key, end]) => (end < 0 ? key : key.slice(0, end + 1))))].toSorted();
  const from = Number(query.get("continuation-token") ?? 0);
  const more = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : "";
  const entries = all.slice(from, from + 2).map((key) => {
    if (key.endsWith("/")) return `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`;
    return `<Contents><Key>${key}</Key></Contents>`;
  });
  return `<ListBucketResult><IsTruncated>${more !== ""}</IsTruncated>${more}${entries.join("")}</ListBucketResult>`;
}

async function part(exchange: Exchange, content: Uint8Array, range: readonly [number, number]): Promise<void> {
  const { faults, response } = exchange;
  const shift = faults.has("wrong-range") ? Number(faults.get("wrong-range") || 1) : 0;
  const [first, last] = [range[0] + shift, range[1] + shift + (faults.has("long-206") ? 1 : 0)];
  let body = content.subarray(first, last + 1);
  if (faults.has("short-206")) body = body.subarray(0, Number(faults.get("short-206") || body.byteLength >> 1));
  response.setHeader("Content-Range", `bytes ${first}-${first + body.byteLength - 1}/${content.byteLength}`);
  await send(exchange, 206, body, content);
}

async function send(exchange: Exchange, status: number, body: Uint8Array, whole: Uint8Array): Promise<void> {
  const { response, faults, log, request, url } = exchange;
  const bytes = faults.has("gzip") ? gzipSync(body) : body;
  const extra = faults.has("lying-length") ? Number(faults.get("lying-length") || 10) : 0;
  log.status = status;
  response.statusCode = status;
  response.setHeader("Content-Type", TYPES[extname(url.pathname)] ?? "application/octet-stream");
  response.setHeader("Accept-Ranges", "bytes");
  response.setHeader("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT");
  response.setHeader("ETag", `"${whole.byteLength}"`);
  if (faults.has("gzip")) response.setHeader("Content-Encoding", "gzip");
  if (!faults.has("no-length")) response.setHeader("Content-Length", bytes.byteLength + extra);
  if (request.method === "HEAD") response.end();
  else await sendBody(exchange, bytes, extra > 0);
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

async function sendBody(exchange: Exchange, bytes: Uint8Array, closes: boolean): Promise<void> {
  const { response, faults } = exchange;
  const [length = "", times] = (faults.get("cut-body") ?? "").split("/");
  const cut = strikes(exchange, "cut-body", times);
  const stalls = faults.has("hang-body");
  const asked = cut ? length : faults.get("hang-body");
  const most = cut || stalls ? Number(asked || bytes.byteLength >> 1) : bytes.byteLength;
  await write(exchange, bytes.subarray(0, most));
  if (stalls) return;
  if (cut || closes) breakOff(response);
  else response.end();
}

function breakOff(response: ServerResponse): void {
  closedByFault.add(response);
  response.destroy();
}

async function write({ response, faults, log }: Exchange, bytes: Uint8Array): Promise<void> {
  const rate = Number(faults.get("slow") || 65536);
  const step = faults.has("slow") ? Math.max(1, Math.floor(rate / 20)) : 1024 * 1024;
  response.flushHeaders();
  for (let at = 0; at < bytes.byteLength && !response.destroyed; at += step) {
    const piece = bytes.subarray(at, at + step);
    // Waits until the piece is out: closing the connection would else overtake it.
    await new Promise<void>((done) => {
      response.once("close", done);
      response.write(piece, () => {
        response.removeListener("close", done);
        done();
      });
    });
    log.sent += piece.byteLength;
    if (faults.has("slow")) await wait(50);
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** First and last byte; `undefined` where there is no single range, "outside" where the file does not reach it. */
function parseRange(header: string | undefined, size: number): readonly [number, number] | "outside" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") return size === 0 ? "outside" : [Math.max(0, size - Number(last)), size - 1];
  if (Number(first) >= size) return "outside";
  return [Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1)];
}

async function fromRoot(root: string | undefined, path: string): Promise<Uint8Array | undefined> {
  if (root === undefined) return undefined;
  const top = resolve(root);
  const wanted = resolve(join(top, path));
  if (wanted !== top && !wanted.startsWith(top + sep)) return undefined;
  return readFile(wanted).catch(() => undefined);
}
