/**
 * `open`: the page on this computer, with what a page cannot reach: files below a folder, and hosts that allow no
 * other site's page.
 */
import { spawn } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { basename, dirname, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallContext } from "#core/byte-source.ts";
import type { Relay, Session } from "#core/relay.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { resolveTarget } from "#io/resolve.ts";
import { encodedPath } from "#io/url-path.ts";
import { infoOf } from "../directory.ts";
import { printable } from "../print/lines.ts";
import { isUrl, openRefs } from "../open-refs.ts";
import { type CommandOptions, locationsOf } from "../options.ts";
import { sendFile } from "./files.ts";
import { type Asked, end, type Loopback, serveLoopback } from "./loopback.ts";
import { openPage, type Page } from "./page.ts";
import { addTargets, filesElsewhere, relayed } from "./relays.ts";
import { untilStopped } from "./until-stopped.ts";
import type { Way } from "./upstream.ts";
import { type OwnWay, wayOf } from "./way.ts";

export const openCommand = ([refs]: readonly string[], options: CommandOptions): Promise<number> =>
  untilStopped(async (context) => {
    const given = refs?.startsWith("file:") === true ? fileURLToPath(refs) : refs;
    const server = await openServer(given, options, context);
    console.log(server.base);
    console.error(
      `Open this address in a browser on this computer to see ${given === undefined ? "the page" : printable(basename(given))}.`,
    );
    console.error("Only who knows the address can read it. Press Ctrl+C to stop.");
    if (options.noBrowser !== true) showInBrowser(server.base);
    return server;
  });

export async function openServer(
  refs: string | undefined,
  options: CommandOptions,
  context: CallContext,
  { lookup, page = openPage() }: { readonly lookup?: Way["lookup"]; readonly page?: Page } = {},
): Promise<Loopback> {
  const session = await openSession(refs, options, context, lookup);
  const answers = async (asked: Asked, response: ServerResponse): Promise<void> => {
    const { path } = asked;
    if (path === "session.json") return json(response, await session.facts());
    if (path === "learn") return json(response, await session.learn(new URLSearchParams(asked.query)));
    if (/^(?:relay|files)\//.test(path)) response.setHeader("content-disposition", "attachment");
    if (path.startsWith("relay/")) return relayed(asked, response, session.way, session.book);
    if (!path.startsWith("files/")) return page.send(asked, response);
    response.setHeader("refscope-relay", "answered");
    return sendFile(asked, response, { real: session.root }, path.slice("files/".length));
  };
  return serveLoopback({ port: options.port }, answers);
}

function json(response: ServerResponse, value: unknown): void {
  if (value === undefined) return end(response, 404);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Facts that the page is told, and hosts that it may have fetched. */
interface OpenSession extends OwnWay {
  readonly root: string;
  readonly facts: () => Promise<Session>;
  /** `undefined` where there is no such chunk. */
  readonly learn: (asked: URLSearchParams) => Promise<Pick<Session, "relays"> | undefined>;
}

/** A page that waits for a large dataset is given what is known by then. */
const PATIENCE = 20_000;

async function openSession(
  refs: string | undefined,
  options: CommandOptions,
  context: CallContext,
  lookup: Way["lookup"],
): Promise<OpenSession> {
  const { root, open, given } = await openedPlace(refs, options.root);
  const own = await wayOf(refs, options, lookup);
  const { book } = own;
  const locations = { ...locationsOf(options), relays: own.relays };
  const found =
    refs !== undefined && isUrl(refs)
      ? resolveTarget(refs, { kind: "url", url: refs }, locations, undefined)
      : undefined;
  if (found?.kind === "url") book.add(found.url);
  const files: Relay[] = [{ prefix: fileAddress(root).replace(/\/?$/, "/"), at: "files/" }];
  const below = { ...options, ...(options.root !== undefined && { root }) };
  const opening = given === undefined ? Promise.resolve([]) : known(given, below, own, context);
  const asked = new Map<EngineSet, number>();
  const say = sayTo(options.bearerEnv);
  const relays = (sets: readonly EngineSet[]): readonly Relay[] => {
    for (const set of sets) {
      const from = asked.get(set) ?? 0;
      files.push(...filesElsewhere(set, from, open ?? "", files[0]?.prefix ?? ""));
      asked.set(set, addTargets(book.add, set, from));
    }
    say(own);
    return [...files, ...book.list()];
  };
  if (options.bearerEnv !== undefined) {
    relays(await opening);
    own.settle();
  }
  const late = () => new Promise<[]>((done) => setTimeout(done, PATIENCE, []).unref());
  return {
    ...own,
    root,
    async facts() {
      const sets = await Promise.race([opening, late()]);
      return {
        version: 1,
        open,
        name: basename((refs ?? root).replace(/\|.*$/s, "")),
        relays: relays(sets),
        learn: "learn",
      };
    },
    async learn(query) {
      const [array = "", chunk = ""] = [query.get("array") ?? undefined, query.get("chunk") ?? undefined];
      const sets = await opening;
      const nodes = sets.flatMap((set) => [[set, set.hierarchy.nodes.get(array)] as const]);
      const isChunk = /^(?:\d{1,15}(?:\.\d{1,15})*)?$/.test(chunk) && nodes.some(([, node]) => node?.kind === "array");
      if (!isChunk) return undefined;
      const coordinates = chunk === "" ? [] : chunk.split(".").map(Number);
      for (const [set, node] of nodes)
        if (node?.kind === "array") await chunkReference(set, node, coordinates, context).catch(() => undefined);
      return { relays: relays(sets) };
    },
  };
}

/** Without links: the folder that is given, the dataset's own address, and what the engine opens. */
async function openedPlace(refs: string | undefined, rootGiven: string | undefined) {
  if (refs === undefined || isUrl(refs))
    return { root: await realpath(resolve(rootGiven ?? ".")), open: refs ?? null, given: refs };
  // The rest of the URL lies inside of it (ZEP 8).
  const [, path = "", within = ""] = /^(.*?)((?:\|[a-z].*)?)$/s.exec(refs) ?? [];
  await infoOf(resolve(path));
  const local = await realpath(resolve(path));
  const root = await realpath(resolve(rootGiven ?? dirname(local)));
  if (!`${local}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new Error(`${printable(path)} is not below --root ${printable(root)}.`);
  const slash = (await stat(local)).isDirectory() ? "/" : "";
  return { root, open: fileAddress(local) + slash + within, given: local + within };
}

/** Most choices listed for a file with several datasets. */
const MOST_CHOICES = 50;

/** The engine opens the same dataset, to know where its bytes are; why it does not open, the page says. */
async function known(refs: string, options: CommandOptions, own: OwnWay, context: CallContext) {
  const opened = (choice?: string) => openRefs(refs, { ...options, choice }, context, own).catch(() => undefined);
  const first = await opened();
  const choices = first?.kind === "choose" ? first.choices.slice(0, MOST_CHOICES) : [];
  const others = await Promise.all(choices.map(({ id }) => opened(id)));
  return [first, ...others].flatMap((one) => (one?.kind === "set" ? [one.set] : []));
}

/** Says once of each host whether it is sent the token. */
function sayTo(name: string | undefined): (own: OwnWay) => void {
  const said = new Set<string>();
  return ({ book, way }) => {
    for (const { prefix } of name === undefined ? [] : book.list()) {
      const url = new URL(prefix);
      if (said.has(prefix) || !/^https?:$/.test(url.protocol)) continue;
      said.add(prefix);
      const isSent = way.headersFor(url)["authorization"] !== undefined;
      const [not, more] = isSent ? ["", "."] : ["not ", `; --relay ${prefix} sends it there.`];
      console.error(`The token in ${printable(name ?? "")} is ${not}sent to ${printable(url.host)}${more}`);
    }
  };
}

/** Address of a file as the page writes paths of references. */
function fileAddress(path: string): string {
  const slashed = path.split(sep).join("/");
  return `file://${encodedPath(slashed.startsWith("/") ? slashed : `/${slashed}`) ?? ""}`;
}

/** Opens the browser; if there is none, the printed address remains. */
function showInBrowser(address: string): void {
  const isWindows = process.platform === "win32";
  const program = isWindows ? "cmd" : process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [...(isWindows ? ["/c", "start", ""] : []), address], {
    stdio: "ignore",
    detached: true,
  });
  child.on("error", () => undefined);
  child.unref();
}
