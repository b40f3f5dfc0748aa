/**
 * The server that gave the page, where it is one on this computer (`cli/serve/`): what it offers to fetch is asked of it.
 * Everybody else sees the real address, of the answers too. This is the one place that knows the other.
 */
import type { Relays, Resolution } from "#core/byte-source.ts";
import { failure, targetAt } from "#core/findings/finding.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { OwnServer, PagesPlace, Relay, Session } from "#core/relay.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import { withoutToken } from "#core/words/without-secrets.ts";
import { asItIs } from "../url-path.ts";
import type { SourceOptions } from "../sources.ts";
import type { Fetch } from "./http-target.ts";

type Network = Pick<SourceOptions, "http" | "coalesce" | "relays">;

/** At the page's own address. Where there is no such server, all stays as it was. */
export async function joined(page: string, network: Network) {
  const base = new URL(".", page).href;
  const answer = await directly(network)(`${base}session.json`, {}).catch(() => undefined);
  const session =
    answer?.ok === true ? ((await answer.json().catch(() => undefined)) as Session | undefined) : undefined;
  if (session?.version !== 1) return { open: null, network };
  // The page's own files have their address without the token.
  const own = { prefix: withoutToken(base), at: "" };
  return { open: session.open, network: relayedNetwork({ ...session, base }, own, network) };
}

const directly = ({ http }: Network): Fetch => http?.fetch ?? ((url, init) => globalThis.fetch(url, init));

function relayedNetwork(server: OwnServer, own: Relay, network: Network): Network {
  const direct = directly(network);
  let ways = waysIn([...server.relays, own]);
  const wayOf = (url: string): Relay | undefined =>
    ways.whole.get(url) ?? ways.longest.find(({ prefix }) => url.startsWith(prefix));
  const fetch: Fetch = async (url, init) => {
    const way = wayOf(url);
    if (way === undefined || isLoggedIn(init)) return direct(url, init);
    const answer = await direct(server.base + way.at + url.slice(way.prefix.length), init).catch((error: unknown) => {
      throw init.signal?.aborted === true
        ? error
        : failure("not-relayed", targetAt(url), { problem: "ended", host: "" });
    });
    const said = answer.headers.get("refscope-relay");
    if (said === "answered" || way.at === "")
      return Object.defineProperties(answer, {
        ...(answer.headers.has("refscope-type") && { headers: { value: withType(answer.headers) } }),
        url: { value: answer.headers.get("refscope-from") ?? url },
        ...(way.at !== "" && { relayed: { value: true } }),
      });
    throw said === "failed" ? unanswered(url, await answer.json()) : refused(url, answer.status);
  };
  const learn = async (array: string, chunk: readonly number[]): Promise<void> => {
    const query = new URLSearchParams({ array, chunk: chunk.join(".") });
    const answer = await direct(`${server.base}${server.learn}?${query}`, {}).catch(() => undefined);
    const learnt: unknown = answer?.ok === true ? await answer.json() : undefined;
    if (learnt !== undefined) ways = waysIn([...(learnt as Pick<OwnServer, "relays">).relays, own]);
  };
  const placeOf = (url: string): string | undefined => {
    const way = wayOf(url);
    if (way === undefined || way.prefix.endsWith("/")) return way && url;
    const folder = ways.longest.find(({ at }) => at !== "" && way.at.startsWith(at));
    return folder === undefined ? url : folder.prefix + way.at.slice(folder.at.length);
  };
  const as = (target: string): string | undefined => {
    const url = asItIs(target);
    return url === undefined ? undefined : placeOf(url);
  };
  const all = { placeOf, asItIs: as, watched: watching(server, placeOf, learn) };
  return { ...network, http: { ...network.http, fetch }, relays: all };
}

/** The type that the answer had where it came from: it is told as none, so that a tab runs nothing. */
function withType(given: Headers): Headers {
  const headers = new Headers(given);
  headers.set("content-type", given.get("refscope-type") ?? "");
  return headers;
}

/** There may be many whole addresses. */
function waysIn(relays: readonly Relay[]) {
  const isPrefix = ({ prefix }: Relay): boolean => prefix.endsWith("/");
  return {
    whole: new Map(relays.filter((one) => !isPrefix(one)).map((one) => [one.prefix, one])),
    longest: relays.filter(isPrefix).sort((a, b) => b.prefix.length - a.prefix.length),
  };
}

/** The user's own headers for an address go there, and nowhere else. */
const isLoggedIn = ({ headers }: RequestInit): boolean =>
  [...new Headers(headers).keys()].some((name) => name !== "range" && name !== "origin");

/** The same status as from a server of another name, or of another page. */
const refused = (url: string, status: number) =>
  failure("not-relayed", targetAt(url), { problem: status === 403 ? "refused" : "ended", host: new URL(url).host });

function unanswered(url: string, why: Readonly<Record<string, string>>) {
  const { problem = "", host = "", reason } = why;
  if (problem === "private" || problem === "redirect") return failure("not-relayed", targetAt(url), { problem, host });
  return failure("host-unreachable", targetAt(url), { reason });
}

/**
 * A page of references whose targets are nowhere that is known yet: the server, which has the same set, is told of it.
 */
function watching(
  { open }: OwnServer,
  placeOf: Relays["placeOf"],
  learn: (array: string, chunk: readonly number[]) => Promise<void>,
) {
  const asked = new Set<string>();
  return (pages: ReferencePages, { url, path, grid, resolve }: PagesPlace): ReferencePages => ({
    ...pages,
    async load(page, into, context) {
      const from = into.table.live().targets.count;
      const findings = await pages.load(page, into, context);
      const { targets } = into.table.live();
      // The server has no other set.
      const last = url === open?.replace(/\|.*$/s, "") ? targets.count : 0;
      for (let id = from; id < last; id += 1) {
        const target = targets.text(id);
        // Each file may lie elsewhere than its path says.
        const place = /^(?!file:)[a-z][a-z\d+.-]*:\/*[^/]*/i.exec(target ?? "")?.[0] ?? `${path} ${page}`;
        if (asked.has(place) || isKnown(resolve(target), placeOf)) continue;
        asked.add(place);
        await learn(path, coordinatesOf(grid, firstOf(pages, page)));
      }
      return findings;
    },
  });
}

function firstOf(pages: ReferencePages, page: number): number {
  let first = Infinity;
  pages.visit(page, (ordinal) => {
    first = Math.min(first, ordinal);
  });
  return first;
}

function isKnown(found: Resolution, placeOf: Relays["placeOf"]): boolean {
  if (found.kind === "member") return isKnown(found.archive, placeOf);
  return (
    found.kind !== "unresolved" &&
    (found.kind !== "url" || (placeOf(found.url) !== undefined && !found.url.startsWith("file:")))
  );
}
