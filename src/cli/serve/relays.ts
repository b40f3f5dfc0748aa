/**
 * Hosts that the page may have fetched: the origins of the dataset's targets known so far, and hosts that were named by
 * hand.
 */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Relay } from "#core/relay.ts";
import { isPrivateUrl } from "#core/urls/private-address.ts";
import { asItIs, encodedPath } from "#io/url-path.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { closedRange } from "./files.ts";
import { type Asked, end } from "./loopback.ts";
import { ask, Unanswered, type Way } from "./upstream.ts";

export interface RelayBook {
  readonly list: () => readonly Relay[];
  /** An address that is asked for below `relay/`; `undefined` where it is not to be asked. */
  readonly target: (path: string) => string | undefined;
  /** True if the address begins like one of them. */
  readonly takes: (url: string) => boolean;
  readonly add: (url: string) => void;
}

export function relayBook(): RelayBook {
  const prefixes: string[] = [];
  return {
    list: () => prefixes.map((prefix, index) => ({ prefix, at: `relay/${index}/` })),
    target(path) {
      const [, index = "", rest = ""] = /^relay\/(\d{1,6})\/(.*)$/s.exec(path) ?? [];
      const prefix = index === "" ? undefined : prefixes[Number(index)];
      // The parser of URLs takes dots for a way out.
      const url = prefix === undefined || !URL.canParse(prefix + rest) ? undefined : new URL(prefix + rest).href;
      return prefix !== undefined && url?.startsWith(prefix) === true ? url : undefined;
    },
    takes: (url) => prefixes.some((prefix) => url.startsWith(prefix)),
    add(url) {
      const prefix = prefixOf(url);
      if (prefix !== undefined && !prefixes.includes(prefix)) prefixes.push(prefix);
    },
  };
}

/** The origin, or the bucket. */
function prefixOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed === undefined || parsed.host === "" ? undefined : `${parsed.protocol}//${parsed.host}/`;
}

/** Adds the origins of the set's targets from a number on: those before were added already. Returns the next number. */
export function addTargets(
  add: (url: string) => void,
  { table, targets, repository }: EngineSet,
  from: number,
): number {
  const seen = new Set<string>();
  const note = (target: string | null) => {
    const place = /^[a-z][a-z\d+.-]*:\/\/[^/?#:]*(?=[/:])(?::\d+)?(?!:)/i.exec(target ?? "")?.[0];
    if (place !== undefined && seen.has(place)) return;
    // Without rules the scheme and the authority decide; of what is in an archive, the archive does.
    if (place !== undefined && !/::|^(?:zip|file):/.test(target ?? "")) seen.add(place);
    const resolution = targets.resolve(target);
    const found = resolution.kind === "member" ? resolution.archive : resolution;
    if (found.kind === "url") add(found.url);
  };
  // A target without scheme is beside the document, whose place is known.
  const isElsewhere = (target: string | null) => target === null || /^[a-z][a-z\d+.-]*:/i.test(target);
  for (let id = from; id < table.targets.count; id += 1) {
    const target = table.targets.text(id);
    if (isElsewhere(target)) note(target);
  }
  if (from === 0) for (const prefix of repository?.containers ?? []) note(`${prefix.replace(/\/?$/, "/")}x`);
  return table.targets.count;
}

/** Looked at for it. */
const MOST_FILES = 10_000;

/**
 * Files that are not where a page would look for them: beside the dataset's folder, or found below `--root`, where that
 * is another machine's path. `open`: what relative targets are relative to.
 */
export function filesElsewhere(
  { table, targets }: EngineSet,
  from: number,
  open: string,
  root: string,
): readonly Relay[] {
  const found: Relay[] = [];
  for (let id = from; id < Math.min(table.targets.count, MOST_FILES); id += 1) {
    const target = table.targets.text(id);
    const file = target === null ? undefined : targets.resolve(target);
    if (target === null || file?.kind !== "file") continue;
    const beside = encodedPath(target) ?? "";
    const prefix =
      asItIs(target) ?? (URL.canParse(`./${beside}`, open) ? new URL(`./${beside}`, open).href : undefined);
    const path = encodedPath(file.path) ?? "";
    if (prefix?.startsWith("file:") === true && prefix !== root + path) found.push({ prefix, at: `files/${path}` });
  }
  return found;
}

/** Headers of an answer that say something of the bytes; none that a server sets, or that tell who asked. */
const KEPT = [
  "accept-ranges",
  "content-encoding",
  "content-length",
  "content-range",
  "etag",
  "last-modified",
  "retry-after",
  "x-amz-bucket-region",
];

export async function relayed(asked: Asked, response: ServerResponse, way: Way, book: RelayBook): Promise<void> {
  const { method, range, signal } = asked;
  const target = book.target(asked.path + asked.query);
  if (target === undefined || (isPrivateUrl(target) && !way.trusts(new URL(target)))) return end(response, 403);
  if (closedRange(range) === "other") return end(response, 400);
  try {
    const { message, from } = await ask(way, target, { method, range, signal });
    const kept = KEPT.flatMap((name) =>
      message.headers[name] === undefined ? [] : [[name, message.headers[name]] as const],
    );
    // A tab would show what a stranger's server calls a page: the type is for the page alone.
    const { "content-type": type } = message.headers;
    const given = { "content-type": "application/octet-stream", ...(type !== undefined && { "refscope-type": type }) };
    const moved = from === undefined ? {} : { "refscope-from": from };
    response.writeHead(message.statusCode ?? 502, {
      ...Object.fromEntries(kept),
      ...given,
      "refscope-relay": "answered",
      ...moved,
    });
    await pipeline(message, response);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    response.writeHead(502, { "content-type": "application/json", "refscope-relay": "failed" });
    response.end(JSON.stringify(error.why));
  }
}
