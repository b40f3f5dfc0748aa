/**
 * Locations of virtual chunks: the URLs of a set's targets as the official library takes them, and the containers that allow
 * them. In a location the key's escapes are undone by readers, so that what fsspec takes as it is must be escaped.
 */
import { attempt } from "#core/basics.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { sharedFolder } from "../relative-targets.ts";

/** `relative`: on this computer, at a path from somewhere. `other`: the library has no store for it. */
export type Location = { readonly kind: "url"; readonly url: string } | { readonly kind: "relative" | "other" };

const OTHER: Location = { kind: "other" };

/** Kinds of stores by scheme, as configurations name them. */
const STORES = new Map([
  ["s3", "s3"],
  ["tigris", "tigris"],
  ["gs", "gcs"],
  ["gcs", "gcs"],
  ["az", "azure"],
  ["azure", "azure"],
  ["abfs", "azure"],
  ["http", "http"],
  ["https", "http"],
  ["file", "local_file_system"],
]);

/** `recorded`: of a set that is a repository itself, whose locations stay as they are. */
export function locationOf(target: string, recorded: EngineSet["recorded"]): Location {
  const own = recorded === undefined ? undefined : attempt(() => recorded.urlOf(target));
  if (own !== undefined) return STORES.has(schemeOf(own)) && !isSecret(own) ? { kind: "url", url: own } : OTHER;
  const local = /^(?:file:(?:\/\/(?:localhost)?)?)?((?:\/|[a-z]:[\\/]).*)$/is.exec(target)?.[1];
  if (local !== undefined) return escaped("file://", `/${local.replaceAll("\\", "/").replace(/^\/+/, "")}`);
  const [, written = "", authority = "", key = ""] = /^([a-z][a-z\d+.-]*):\/\/([^/]*)(\/.*)$/is.exec(target) ?? [];
  if (written === "") return /^[a-z][a-z\d+.-]+:/i.test(target) ? OTHER : { kind: "relative" };
  const scheme = written.toLowerCase().replace(/^s3a$/, "s3");
  if (authority === "" || target.includes("::") || !STORES.has(scheme) || isSecret(target)) return OTHER;
  if (!scheme.startsWith("http")) return escaped(`${scheme}://${authority}`, key);
  // The library compares prefixes with the URL as it is parsed: "HTTPS://Data.Example:443/" is "https://data.example/".
  return /[?#]/.test(target) || !URL.canParse(target) ? OTHER : { kind: "url", url: new URL(target).href };
}

/** A name and password before the host would be in every location. Of `abfs`, the container is before the account. */
const isSecret = (url: string): boolean => {
  const [, scheme = "", user] = /^([^:]*):\/\/(?:([^/]*)@)?/.exec(url) ?? [];
  return user !== undefined && (scheme.toLowerCase() !== "abfs" || user.includes(":"));
};

const schemeOf = (url: string): string => /^[^:]*/.exec(url)?.[0].toLowerCase() ?? "";

/** Half a surrogate pair has no escape. */
function escaped(before: string, key: string): Location {
  const after = attempt(() => encodeURI(key).replaceAll(/[?#]/g, encodeURIComponent));
  return after === undefined ? OTHER : { kind: "url", url: before + after };
}

export type Containers = ReadonlyMap<string, JsonObject>;

/** Containers for all locations: those that the repository had, else one for each bucket or host. */
export function containersFor(urls: Iterable<string>, recorded: EngineSet["recorded"]): Containers {
  const found = new Map<string, JsonObject>();
  let folder: string | undefined;
  for (const url of urls) {
    const known = recorded?.containers.find(({ prefix }) => url.startsWith(prefix));
    if (known !== undefined) {
      if (!found.has(known.prefix)) found.set(known.prefix, known.stored);
      continue;
    }
    if (url.startsWith("file:")) folder = sharedFolder(folder ?? url, url);
    else {
      const prefix = /^[^:]*:\/\/[^/]*\//.exec(url)?.[0] ?? url;
      if (!found.has(prefix)) found.set(prefix, container(prefix));
    }
  }
  const prefix = folder?.slice(0, folder.lastIndexOf("/") + 1);
  return prefix === undefined ? found : found.set(prefix, container(prefix));
}

const container = (prefix: string): JsonObject =>
  new Map<string, JsonValue>([
    ["name", null],
    ["url_prefix", prefix],
    ["store", storeOf(prefix)],
  ]);

/** Options of the official library, those that it demands with its defaults. Without credentials, unless readers give some. */
const S3 = new Map<string, JsonValue>([
  ["region", null],
  ["endpoint_url", null],
  ["anonymous", true],
  ["allow_http", false],
  ["force_path_style", false],
  ["network_stream_timeout_seconds", null],
  ["requester_pays", false],
]);

function storeOf(prefix: string): JsonObject {
  const store = STORES.get(schemeOf(prefix)) ?? "";
  if (store === "local_file_system")
    return new Map([[store, decodeURIComponent(prefix.slice("file://".length)).replace(/(?<=.)\/$/, "")]]);
  return new Map([[store, store === "s3" || store === "tigris" ? S3 : new Map()]]);
}

export const configurationFor = (containers: Containers): JsonObject =>
  new Map([["virtual_chunk_containers", containers]]);
