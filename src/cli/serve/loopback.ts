/**
 * A server on loopback for one user: everything lies below a random token, which only its address has. It answers GET and
 * HEAD, to who asks it by its own name, and to no other site's page.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: "GET" | "HEAD";
  /** Below the token, as it was sent: nothing is decoded. */
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  readonly range: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Answers what is allowed to be asked. What it throws is a 500 without words. */
export type Answers = (asked: Asked, response: ServerResponse) => Promise<void>;

export interface Loopback {
  /** `http://127.0.0.1:PORT/TOKEN/` */
  readonly base: string;
  /** Ends every connection, at once. */
  readonly close: () => void;
  readonly closed: Promise<void>;
}

export interface LoopbackOptions {
  /** 0 or absent: any that is free. */
  readonly port?: number | undefined;
  /** Pages of all sites may ask, if they know the token. */
  readonly cors?: boolean;
}

const SAFE = {
  // Opened in a tab, nothing runs as if it were the page; what is the page says so itself.
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'self'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
} as const;

/** A connection that asks nothing for so many milliseconds is closed. */
const IDLE = 10_000;

export async function serveLoopback({ port = 0, cors = false }: LoopbackOptions, answers: Answers): Promise<Loopback> {
  const token = randomBytes(24).toString("base64url");
  let names: ReadonlySet<string> = new Set();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(SAFE)) response.setHeader(name, value);
    response.setHeader("cross-origin-resource-policy", cors ? "cross-origin" : "same-origin");
    if (cors) allowAll(response);
    const { method = "" } = request;
    const refused = refusal(request, { names, token, cors });
    if (refused !== undefined) return end(response, refused);
    if (method === "OPTIONS") return end(response, 204);
    const [, path = "", query = ""] = /^\/[^/]*\/([^?]*)(.*)$/s.exec(request.url ?? "") ?? [];
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    await answers(
      { method: method as "GET", path, query, range: request.headers.range, signal: gone.signal },
      response,
    );
  };
  const settings = {
    headersTimeout: IDLE,
    requestTimeout: IDLE,
    keepAliveTimeout: IDLE,
    connectionsCheckingInterval: 1000,
  };
  const server = createServer(settings, (request, response) => {
    answer(request, response).catch(() => (response.headersSent ? response.destroy() : end(response, 500)));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  const { port: taken } = server.address() as AddressInfo;
  names = new Set([`127.0.0.1:${taken}`, `localhost:${taken}`]);
  return {
    base: `http://127.0.0.1:${taken}/${token}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    closed: new Promise((closed) => server.once("close", closed)),
  };
}

export function end(response: ServerResponse, status: number, text = ""): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}

/** Names of headers that other sites' pages may send, and see. */
function allowAll(response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "range");
  response.setHeader("access-control-expose-headers", "content-range, content-length, accept-ranges, last-modified");
}

interface Own {
  readonly names: ReadonlySet<string>;
  readonly token: string;
  readonly cors: boolean;
}

/** The status of who may not ask. */
function refusal({ headers, method = "", url = "" }: IncomingMessage, { names, token, cors }: Own): number | undefined {
  // A name that somebody else has made to mean this machine (DNS rebinding).
  if (!names.has(headers.host ?? "")) return 421;
  if (!cors && !isOwnPage(headers, names)) return 403;
  if (!(cors ? /^(?:GET|HEAD|OPTIONS)$/ : /^(?:GET|HEAD)$/).test(method)) return 405;
  const given = /^\/([^/?]*)\//.exec(url)?.[1] ?? "";
  return isToken(given, token) ? undefined : 404;
}

/** Browsers say from where they ask. Whoever follows a link to the page comes from anywhere. */
function isOwnPage(headers: IncomingMessage["headers"], names: ReadonlySet<string>): boolean {
  const { origin, "sec-fetch-site": site = "none", "sec-fetch-mode": mode, "sec-fetch-dest": into } = headers;
  if (origin !== undefined && !names.has(origin.replace(/^http:\/\//, ""))) return false;
  return site === "none" || site === "same-origin" || (mode === "navigate" && into === "document");
}

function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
