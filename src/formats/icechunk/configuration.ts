/**
 * The repository's configuration: what matters to a reader are the virtual chunk containers, the places that virtual
 * chunks may be in, each a URL prefix with what is needed to reach it.
 */
import type { FactsOf } from "#core/findings/finding.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";

export interface Configuration {
  /** The configuration as stored, with fields that are not used here. */
  readonly stored: JsonValue;
  /** Longest prefix first: the order in which they are tried. */
  readonly containers: readonly VirtualContainer[];
}

export interface VirtualContainer {
  /** For `vcc://name/…`. */
  readonly name: string | undefined;
  /** With the slash at its end that readers add. */
  readonly prefix: string;
  /** "s3", "s3_compatible", "gcs", "azure", "tigris", "http", "local_file_system", "in_memory", or what is written. */
  readonly store: string;
  /** The store's options as stored: region, endpoint, account, headers, … */
  readonly options: JsonValue;
  /** All of it. */
  readonly stored: JsonObject;
  /** Why the official reader leaves it out. */
  readonly ignored?: FactsOf<"icechunk-container-ignored">["problem"];
}

/** `undefined`: the repository has none, and no containers. */
export function configurationOf(stored: JsonValue | undefined): Configuration {
  const members = isJsonObject(stored) ? stored.get("virtual_chunk_containers") : undefined;
  const containers = isJsonObject(members) ? [...members.values()].filter(isJsonObject).map(containerOf) : [];
  return { stored: stored ?? null, containers: containers.sort((a, b) => b.prefix.length - a.prefix.length) };
}

function containerOf(stored: JsonObject): VirtualContainer {
  const [name, prefix] = [stored.get("name"), stored.get("url_prefix")];
  const written = typeof prefix === "string" ? prefix : "";
  const { store, options } = storeOf(stored.get("store"));
  const container = {
    name: typeof name === "string" ? name : undefined,
    prefix: written.endsWith("/") ? written : `${written}/`,
    store,
    options,
    stored,
  };
  const ignored = whyIgnored(container);
  return ignored === undefined ? container : { ...container, ignored };
}

/** A variant with options is a mapping of one member, one without is its name. */
function storeOf(stored: JsonValue | undefined): { readonly store: string; readonly options: JsonValue } {
  if (typeof stored === "string") return { store: stored, options: null };
  const member = isJsonObject(stored) ? [...stored][0] : undefined;
  return member === undefined
    ? { store: "unknown", options: stored ?? null }
    : { store: member[0], options: member[1] };
}

/** Schemes of URLs that each kind of store serves, in the official reader. */
const SCHEMES = new Map<string, readonly string[]>([
  ["s3", ["s3"]],
  ["s3_compatible", ["s3"]],
  ["tigris", ["s3", "tigris"]],
  ["gcs", ["gcs", "gs"]],
  ["azure", ["az", "azure", "abfs"]],
  ["http", ["http", "https"]],
  ["local_file_system", ["file"]],
]);

function whyIgnored({ name, prefix, store }: VirtualContainer): VirtualContainer["ignored"] {
  if (name !== undefined && (name === "" || name.includes("/"))) return "name";
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/([^/]*)\/(.*)$/s.exec(prefix);
  if (match === null) return "prefix";
  const [, scheme = "", host, rest = ""] = match;
  const schemes = SCHEMES.get(store);
  if (schemes === undefined || !schemes.includes(scheme.toLowerCase())) return "store";
  if (host === "" && (store !== "local_file_system" || rest === "")) return "host";
  return undefined;
}
