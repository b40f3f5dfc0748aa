/** The way to a host, step by step: its addresses, a connection, a certificate. */
import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export type Step = "dns" | "connect" | "tls";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  /** The first step that failed, and why in Node's words (`ENOTFOUND`, `ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
  readonly failed?: { readonly step: Step; readonly reason: string };
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly until: string };
}

const PATIENCE = 10_000;

/** Never throws. */
export async function tryConnection(url: URL): Promise<Connection> {
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
        : { certificate: { subject: nameOf(subject.CN), issuer: nameOf(issuer.O ?? issuer.CN), until } }),
      ...(socket.authorized ? {} : { failed: { step: "tls", reason: String(problem) } }),
    };
  });
  return refused === undefined ? seen : { failed: { step: "tls", reason: refused } };
}

const nameOf = (name: string | readonly string[] | undefined): string => [name ?? ""].flat().join(", ");

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
