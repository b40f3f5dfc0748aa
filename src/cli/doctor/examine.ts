/** Examines the way from a reader to a URL: each step, and the permissions that the server gives pages. */
import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { bucketOf, serverKind } from "#core/access/server-remedies.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isPrivateUrl } from "#core/urls/private-address.ts";
import type { TargetProbe } from "#core/check/target-probe.ts";
import { type Fetch, httpTarget } from "#io/http/http-target.ts";
import { ABSENT_NAME } from "#io/http/host-answers.ts";
import { type Hop, type Trace, traceRequest } from "#io/http/http-trace.ts";
import { probeTarget } from "#io/http/probe-target.ts";
import { guardedFetch } from "../guarded-fetch.ts";

export interface Examination {
  /** The argument as given, and the address that it stands for. */
  readonly given: string;
  readonly url: string;
  readonly steps: readonly string[];
  readonly origin: string;
  readonly connection: Connection;
  /** Absent where there is no connection. */
  readonly trace?: Trace;
  readonly probe?: TargetProbe;
  readonly preflight?: Preflight;
  /** The answer for a name beside it that cannot exist. */
  readonly missing?: Hop;
  /** The status of a HEAD; absent where no answer came. */
  readonly head?: number;
  /** Region of an S3 bucket, if its host names one. */
  readonly region?: string;
}

export interface Preflight {
  /** Absent where no answer came. */
  readonly status: number | undefined;
  readonly allowOrigin: string | undefined;
  readonly allowHeaders: string | undefined;
}

/** A range that no server has in mind by itself. */
const SOME_BYTES = "bytes=1-8";

export async function examine(
  given: string,
  address: { readonly url: string; readonly steps: readonly string[] },
  origin: string,
  context: CallContext,
): Promise<Examination> {
  const { url, steps } = address;
  const about = { given, url, steps, origin };
  const connection = await tryConnection(new URL(url));
  const { failed } = connection;
  if (failed !== undefined) return { ...about, connection };
  // A public server may not send who asks about it to this machine.
  const fetch = guardedFetch({ trusted: url, judgesNames: true });
  const trace = await traceRequest(url, { headers: { Origin: origin, Range: SOME_BYTES } }, context, fetch);
  const target = httpTarget(url, { followsRedirects: true, allowPrivate: isPrivateUrl(url), attempts: 2, fetch });
  const first = await probeTarget(target, { furthest: undefined, needsSize: true, origin }, context);
  // Only a range that does not start at 0 shows if the server honours ranges.
  const furthest = first.size === undefined ? undefined : { offset: Math.max(0, first.size - 16), length: 16 };
  const probe = furthest === undefined ? first : await probeTarget(target, { furthest, origin }, context);
  const region = probe.region ?? (await regionOf(url, context, fetch));
  const preflight = await preflightOf(trace.hops.at(-1)?.url ?? url, origin, context, fetch);
  const beside = new URL(ABSENT_NAME, trace.hops.at(-1)?.url ?? url).href;
  const missing = (await traceRequest(beside, { headers: { Origin: origin } }, context, fetch)).hops.at(-1);
  const head = (await traceRequest(url, { method: "HEAD" }, context, fetch)).hops.at(-1)?.status;
  const answers = { ...(region && { region }), ...(missing && { missing }), ...(head !== undefined && { head }) };
  return { ...about, connection, trace, probe, preflight, ...answers };
}

/** Sends the preflight of a page with a header of its own, such as Authorization. */
async function preflightOf(url: string, origin: string, context: CallContext, fetch: Fetch): Promise<Preflight> {
  const headers = {
    Origin: origin,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "authorization,range",
  };
  // Pages are not redirected while they ask beforehand.
  const [answer] = (await traceRequest(url, { method: "OPTIONS", headers }, context, fetch)).hops;
  return {
    status: answer?.status,
    allowOrigin: answer?.headers.get("Access-Control-Allow-Origin") ?? undefined,
    allowHeaders: answer?.headers.get("Access-Control-Allow-Headers") ?? undefined,
  };
}

/** The bucket itself says it to everybody, also where it denies everything else. */
async function regionOf(url: string, context: CallContext, fetch: Fetch): Promise<string | undefined> {
  const bucket = serverKind(url) === "s3" ? bucketOf(url) : undefined;
  if (bucket === undefined) return undefined;
  const { hostname, origin } = new URL(url);
  const address = hostname.startsWith(`${bucket}.`) ? `${origin}/` : `${origin}/${bucket}`;
  const { hops } = await traceRequest(address, { method: "HEAD" }, context, fetch);
  return hops.map(({ headers }) => headers.get("x-amz-bucket-region")).find((region) => region !== null) ?? undefined;
}

// The way to a host, step by step: its addresses, a connection, a certificate.

type Step = "dns" | "connect" | "tls";

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  /** The first step that failed, and why in Node's words (`ENOTFOUND`, `ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
  readonly failed?: { readonly step: Step; readonly reason: string };
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly until: string };
}

const PATIENCE = 10_000;

/** Never throws. */
async function tryConnection(url: URL): Promise<Connection> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  const found = await lookup(host, { all: true }).catch((error: unknown) => reasonIn(error));
  if (typeof found === "string") return { host, port, addresses: [], failed: { step: "dns", reason: found } };
  const addresses = found.map(({ address }) => address);
  const reached = { host, port, addresses };
  const refused = await reasonOfSilence(connect({ host, port }), "connect");
  if (refused !== undefined) return { ...reached, failed: { step: "connect", reason: refused } };
  return url.protocol === "https:" ? { ...reached, ...(await tryTls(host, port)) } : reached;
}

async function tryTls(host: string, port: number): Promise<Pick<Connection, "failed" | "certificate">> {
  const isName = !/^[\d.]+$|:/.test(host);
  // The certificate is to be looked at, whether or not it is valid; nothing is sent.
  const socket = connectTls({ host, port, rejectUnauthorized: false, ...(isName ? { servername: host } : {}) });
  let seen: Pick<Connection, "failed" | "certificate"> = {};
  const refused = await reasonOfSilence(socket, "secureConnect", () => {
    const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
    const { authorizationError: problem } = socket;
    seen = {
      ...(subject === undefined
        ? {}
        : { certificate: { subject: joinedNames(subject.CN), issuer: joinedNames(issuer.O ?? issuer.CN), until } }),
      ...(socket.authorized ? {} : { failed: { step: "tls", reason: String(problem) } }),
    };
  });
  return refused === undefined ? seen : { failed: { step: "tls", reason: refused } };
}

const joinedNames = (name: string | readonly string[] | undefined): string => [name ?? ""].flat().join(", ");

/** `undefined` once the event came. */
function reasonOfSilence(
  socket: Socket,
  event: string,
  look: () => void = () => undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(PATIENCE, () => end("ETIMEDOUT"));
    socket.once("error", (error) => end(reasonIn(error)));
    socket.once(event, () => {
      look();
      end(undefined);
    });
  });
}

function reasonIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = inner instanceof Error && "code" in inner ? inner.code : undefined;
  return typeof code === "string" ? code : error.message;
}
