/**
 * The server that gave the page, where it is one on this computer (`cli/serve/`): what it offers to fetch is asked of it.
 * Everybody else sees the real address, of the answers too. This is the one place that knows the other.
 */
import type { Resolution } from "../../core/byte-source.ts";
import { failure, targetAt } from "../../core/findings/finding.ts";
import { coordinatesOf } from "../../core/metadata/chunk-grid.ts";
import type { OwnServer, PagesPlace, Relay, Relays, Session } from "../../core/relay.ts";
import type { ReferencePages } from "../../core/table/reference-pages.ts";
import { withoutToken } from "../../core/words/without-secrets.ts";
import { asItIs } from "../as-it-is.ts";
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
  let { relays } = server;
  const wayOf = (url: string): Relay | undefined => {
    const fits = [...relays, own].filter(({ prefix }) =>
      prefix.endsWith("/") ? url.startsWith(prefix) : url === prefix,
    );
    return fits.sort((a, b) => b.prefix.length - a.prefix.length)[0];
  };
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
        url: { value: answer.headers.get("refscope-from") ?? url },
        ...(way.at !== "" && { relayed: { value: true } }),
      });
    throw said === "failed" ? unanswered(url, await answer.json()) : refused(url, answer.status);
  };
  const learn = async (array: string, chunk: readonly number[]): Promise<void> => {
    const query = new URLSearchParams({ array, chunk: chunk.join(".") });
    const answer = await direct(`${server.base}${server.learn}?${query}`, {}).catch(() => undefined);
    const learnt: unknown = answer?.ok === true ? await answer.json() : undefined;
    if (learnt !== undefined) ({ relays } = learnt as Pick<OwnServer, "relays">);
  };
  const takes = (url: string): boolean => wayOf(url) !== undefined;
  const as = (target: string): string | undefined => {
    const url = asItIs(target);
    return url !== undefined && takes(url) ? url : undefined;
  };
  const all = { takes, asItIs: as, watched: watching(server, takes, learn) };
  return { ...network, http: { ...network.http, fetch }, relays: all };
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

/** A page of references whose targets are nowhere that is known yet: the server, which has the same set, is told of it. */
function watching(
  { open }: OwnServer,
  takes: Relays["takes"],
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
      const last = url === open ? targets.count : 0;
      for (let id = from; id < last; id += 1) {
        const target = targets.text(id);
        const place = /^[a-z][a-z\d+.-]*:\/*[^/]*/i.exec(target ?? "")?.[0] ?? "";
        if (asked.has(place) || isKnown(resolve(target), takes)) continue;
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

function isKnown(found: Resolution, takes: Relays["takes"]): boolean {
  if (found.kind === "member") return isKnown(found.archive, takes);
  return found.kind !== "unresolved" && (found.kind !== "url" || takes(found.url));
}
