/**
 * Targets of virtual chunks. Their locations are not URLs to be asked for as they are: each names an object by its key
 * (`formats/icechunk/virtual-location.ts`), in a store that its container describes (`object-address.ts`).
 */
import { attempt } from "#core/basics.ts";
import { finding, findingOfError, RefscopeError, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { FactsOf, Finding } from "#core/findings/finding.ts";
import { isJsonObject } from "#core/json/json.ts";
import { hostOfResolution, type Resolution, type RewriteRule } from "#core/byte-source.ts";
import { objectPlace, resolveLocation } from "#formats/icechunk/index.ts";
import type { Configuration, ObjectPlace, VirtualContainer } from "#formats/icechunk/index.ts";
import { type BaseLocation, resolveTarget } from "#io/resolve.ts";
import type { TargetReader } from "../chunk/sources.ts";

/** An address that the user gave for the prefix comes before what the container says. */
export function containerTargets(reader: TargetReader, base: BaseLocation, all: Configuration): TargetReader {
  const hosts = new Map<string, string>();
  const resolve = (target: string | null): Resolution => {
    if (target === null) return reader.resolve(target);
    try {
      const place = objectPlace(target);
      return place === undefined ? elsewhere(reader, target) : resolvePlace(target, place, { reader, base, all });
    } catch (error) {
      if (!(error instanceof RefscopeError)) throw error;
      return refused(target, { problem: "location", cause: findingOfError(error) });
    }
  };
  return {
    base,
    log: reader.log,
    get locations() {
      return reader.locations;
    },
    get files() {
      return reader.files;
    },
    resolve,
    read: (resolution, range, context) => reader.read(resolution, range, context),
    probe: (resolution, wish, context) => reader.probe(resolution, wish, context),
    silent: () => reader.silent(),
    ask: (url, question, context) => reader.ask(url, question, context),
    hostOf(target) {
      if (target === null) return reader.hostOf(target);
      const place = reader.locations.rewrites.length > 0 ? undefined : hostKey(target, all);
      const known = place === undefined ? undefined : hosts.get(place);
      if (known !== undefined) return known;
      const resolution = resolve(target);
      const host = hostOfResolution(resolution) ?? reader.hostOf(target);
      if (place !== undefined && isOfHost(resolution)) hosts.set(place, host);
      return host;
    },
    relocate: (locations, files) => {
      hosts.clear();
      reader.relocate(locations, files);
    },
  };
}

/** Icechunk has neither data in URLs nor files in archives. */
function elsewhere(reader: TargetReader, target: string): Resolution {
  const resolution = reader.resolve(target);
  if (resolution.kind !== "data" && resolution.kind !== "member") return resolution;
  const scheme = resolution.kind === "data" ? "data" : "zip";
  return { kind: "unresolved", finding: finding("target-scheme-unsupported", targetAt(target), { scheme }), steps: [] };
}

/** True if the finding applies to every location in the container. */
const isOfHost = (resolution: Resolution): boolean =>
  resolution.kind === "url" ||
  (resolution.kind === "unresolved" && resolution.finding.code === "target-private-address");

/** The part of a location that decides its host, to be quick for a million; `undefined` where all of it does. */
function hostKey(target: string, all: Configuration): string | undefined {
  const authority = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/?#@]+(?=\/)/i.exec(target)?.[0];
  if (authority === undefined) return undefined;
  return attempt(() => `${authority} ${resolveLocation(target, all).container?.prefix ?? ""}`);
}

interface Known {
  readonly reader: TargetReader;
  readonly base: BaseLocation;
  readonly all: Configuration;
}

function resolvePlace(target: string, place: ObjectPlace, { reader, base, all }: Known): Resolution {
  const { locations, files } = reader;
  const rewritten = byRule(target, place, locations.rewrites);
  if (rewritten !== undefined) {
    if ("refused" in rewritten) return refused(target, rewritten.refused);
    return exactly(resolveTarget(rewritten.target, base, { ...locations, rewrites: [rewritten.rule] }, files), place);
  }
  const address: ObjectAddress = objectAddress(place, resolveLocation(target, all).container);
  if ("refused" in address) return refused(target, address.refused);
  const region = locations.region ?? address.region;
  const found = resolveTarget(address.target, base, { ...locations, region, rewrites: [] }, files);
  const unsent = /^[^#]*\?/.test(target) ? ["the location's query is not sent: the official reader leaves it out"] : [];
  const steps = [...unsent, ...(address.step === undefined ? [] : [address.step]), ...found.steps];
  return exactly({ ...found, steps }, place);
}

/**
 * The longest rule that fits the location, as stored or with its escapes undone. What follows the prefix is a piece of
 * a key, to be escaped where it becomes one of a URL.
 */
function byRule(target: string, place: ObjectPlace, rules: readonly RewriteRule[]) {
  const decoded = `${place.scheme}://${place.authority}/${place.key}`;
  let best: { readonly rule: RewriteRule; readonly rest: string } | undefined;
  for (const rule of rules) {
    if (rule.from === "" || rule.from.length <= (best?.rule.from.length ?? 0)) continue;
    if (decoded.startsWith(rule.from)) best = { rule, rest: decoded.slice(rule.from.length) };
    else if (target.startsWith(rule.from)) best = { rule, rest: keyAfter(target, rule.from, place) };
  }
  if (best === undefined) return undefined;
  const { rule, rest } = best;
  if (!/^https?:\/\//i.test(rule.to)) return { rule, target: rule.from + rest };
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(rest)) return { rule, target: rule.from + urlPath(rest) };
  return { refused: { problem: "dots", key: place.key.slice(0, 200) } as const };
}

/** The rest of the key behind a prefix that is written with escapes. */
function keyAfter(target: string, from: string, { key }: ObjectPlace): string {
  const before = objectPlace(`${from}/`)?.key.replace(/\/$/, "") ?? "";
  return key.startsWith(before) ? key.slice(before.length) : target.slice(from.length);
}

/** Files are found under their very names: undoing escapes once more would find another one. */
function exactly(found: Resolution, { key }: ObjectPlace): Resolution {
  if (found.kind !== "file") return found;
  const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  if (nameOf(found.path) === nameOf(key.replace(/\/$/, ""))) return found;
  const path = nameOf(key);
  const missing = finding("target-is-local", targetAt(path), { path, syntax: "name" });
  return { kind: "unresolved", finding: missing, host: "local paths", steps: found.steps };
}

function refused(target: string, facts: RefusedKey): Resolution {
  return { kind: "unresolved", finding: finding("icechunk-key-refused", targetAt(target), facts), steps: [] };
}

// Addresses of the objects that virtual chunks are in, as the official reader (icechunk 2.2.2) asks for them: measured
// at servers that noted its requests, and at a proxy for stores that have no configurable endpoint.

/**
 * Target to resolve instead of the location, with the container's region if it names one; or the reason why there is
 * none.
 */
type ObjectAddress =
  | { readonly target: string; readonly region?: string; readonly step?: string }
  | { readonly refused: RefusedKey };

type RefusedKey = FactsOf<"icechunk-key-refused">;

const S3_STORES = /^(?:s3|s3_compatible|tigris)$/;
const TIGRIS = "https://t3.storage.dev";

/** Address of a place by its container; without one by its scheme alone. */
function objectAddress(place: ObjectPlace, container: VirtualContainer | undefined): ObjectAddress {
  const { scheme, authority } = place;
  const isS3 = container === undefined ? scheme === "s3" : S3_STORES.test(container.store);
  const key = isS3 ? s3Key(place.key) : storePath(place.key);
  if (key === undefined) return { refused: { problem: isS3 ? "dots" : "path", key: place.key.slice(0, 200) } };
  if (isS3) return s3Address({ ...place, key }, container);
  if (scheme === "http" || scheme === "https") return { target: `${scheme}://${authority}/${urlPath(key)}` };
  if (scheme === "file") return { target: `file:///${key}` };
  if (container?.store === "azure") return azureAddress({ ...place, key }, container);
  return { target: `${scheme}://${authority}/${key}` };
}

/** Keys of S3 are taken as they are, but a browser's URLs cannot say `.` and `..`. */
const s3Key = (key: string): string | undefined => (hasDots(key) ? undefined : key);

/** Other stores know neither these nor empty parts; a slash at the end does not count. Control characters neither. */
function storePath(key: string): string | undefined {
  const path = key.replace(/\/$/, "");
  // oxlint-disable-next-line no-control-regex -- these very characters
  const isRefused = hasDots(path) || /^\/|\/\/|[\u0000-\u001f\u007f]/.test(path);
  return isRefused ? undefined : path;
}

const hasDots = (key: string): boolean => key.split("/").some((part) => part === "." || part === "..");

/** A key as the path of a URL: what is not of a path is escaped, `%` too. */
const urlPath = (key: string): string => encodeURI(key).replace(/[?#]/g, encodeURIComponent);

function s3Address({ authority, key }: ObjectPlace, container: VirtualContainer | undefined): ObjectAddress {
  const option = (name: string): string | undefined => textOption(container, name);
  const endpoint = option("endpoint_url") ?? (container?.store === "tigris" ? TIGRIS : undefined);
  const region = option("region");
  if (endpoint === undefined) {
    return { target: `s3://${authority}/${key}`, ...(region === undefined ? {} : { region }) };
  }
  const isByPath = isJsonObject(container?.options) && container.options.get("force_path_style") === true;
  const target = endpointUrl(authority, key, endpoint, isByPath);
  if (target === undefined) return { refused: { problem: "endpoint", endpoint } };
  return { target, step: `the container's endpoint: s3://${authority}/${key} is ${target}` };
}

/** Buckets that fit into a host's name are there, unless the endpoint is an IP address. */
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{1,61})[a-z\d]$/;

function endpointUrl(bucket: string, key: string, endpoint: string, isByPath: boolean): string | undefined {
  if (!/^[\w.-]+$/.test(bucket) || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const path = key.split("/").map(encodeURIComponent).join("/");
  const folder = url.pathname.replace(/\/+$/, "");
  const isIp = /^(?:[\d.]+|\[.*\])$/.test(url.hostname);
  if (isByPath || isIp || !HOST_LABEL.test(bucket)) return `${url.origin}${folder}/${bucket}/${path}`;
  return `${url.protocol}//${bucket}.${url.host}${folder}/${path}`;
}

/** The account is the container's option; what is in the location is the container within it. */
function azureAddress({ scheme, authority, key }: ObjectPlace, container: VirtualContainer): ObjectAddress {
  const account = textOption(container, "account");
  const endpoint = textOption(container, "endpoint") ?? textOption(container, "azure_storage_endpoint");
  if (account === undefined || !/^[a-z\d]{3,24}$/.test(account) || !/^[\w$-]+$/.test(authority)) {
    return { target: `${scheme}://${authority}/${key}` };
  }
  if (endpoint !== undefined && !URL.canParse(endpoint)) return { refused: { problem: "endpoint", endpoint } };
  const base = (endpoint ?? `https://${account}.blob.core.windows.net`).replace(/\/+$/, "");
  const target = `${base}/${authority}/${urlPath(key)}`;
  return { target, step: `the container's storage account ${account}: ${target}` };
}

function textOption(container: VirtualContainer | undefined, name: string): string | undefined {
  const options = container?.options;
  const value = isJsonObject(options) ? options.get(name) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function ignoredContainer({ ignored, prefix, name, store }: VirtualContainer): Finding | undefined {
  if (ignored === undefined) return undefined;
  return finding("icechunk-container-ignored", WHOLE_SET, { problem: ignored, prefix, name, store });
}
