/**
 * From a target as a reference writes it to something that can be read, with every step said. Nothing is asked of
 * the network here. Schemes are fsspec's (fsspec.registry); what a browser cannot reach is looked for among the local files.
 */
import { finding, placed, targetAt, WHOLE_SET } from "../core/findings/finding.ts";
import type { Code, FactsOf, Finding, Place } from "../core/findings/finding.ts";
import type { Locations, Resolution, RewriteRule } from "../core/byte-source.ts";
import { isPrivateUrl } from "../core/urls/private-address.ts";
import { joinPath, type LocalFiles } from "./local-files.ts";
import { encodedPath } from "./url-path.ts";

/** Location of the reference document, or of the store's folder (with `/` at its end). */
export type BaseLocation =
  | {
      readonly kind: "url";
      readonly url: string;
      /** Goes with every relative target: the signature of a store's prefix. */
      readonly query?: string;
      /** Relative targets are what lies at that very place: keys of a store, which no file elsewhere may represent. */
      readonly exact?: true;
    }
  /** Path among the local files. */
  | { readonly kind: "file"; readonly path: string; readonly exact?: true }
  /** Pasted text. */
  | { readonly kind: "text" };

/**
 * The folder that holds a store's. The signature of its address does not go there; an archive is a folder of its own.
 */
export function folderAbove(folder: BaseLocation): BaseLocation {
  if (folder.kind === "url") return { kind: "url", url: new URL("..", folder.url).href };
  if (folder.kind === "text" || folder.path.endsWith("!/")) return folder;
  return { kind: "file", path: folder.path.replace(/[^/]*\/$/, "") };
}

type Unresolved = Extract<Resolution, { kind: "unresolved" }>;

/** State of resolving a target. */
interface Walk {
  /** Target in the reference; `text` is the result of rules and chains so far. */
  readonly written: string | null;
  readonly text: string;
  readonly base: BaseLocation;
  readonly locations: Locations;
  readonly files: LocalFiles | undefined;
  readonly steps: readonly string[];
  /** Origin the user sent this target to, by a rule or as the set's target. */
  readonly trusted: string | undefined;
}

export function resolveTarget(
  target: string | null,
  base: BaseLocation,
  locations: Locations,
  files: LocalFiles | undefined,
): Resolution {
  const given = target ?? locations.target;
  if (given === undefined) {
    return { kind: "unresolved", finding: finding("target-null", WHOLE_SET, {}), steps: [] };
  }
  const trusted = target === null ? originOf(given) : undefined;
  const steps = target === null ? [`null URL → the set's target, ${given}`] : [];
  return afterCaches(rewritten({ written: target, text: given, base, locations, files, steps, trusted }));
}

/** The longest matching rule, once. */
function rewritten(walk: Walk): Walk {
  let best: RewriteRule | undefined;
  for (const rule of walk.locations.rewrites) {
    const fits = rule.from !== "" && walk.text.startsWith(rule.from);
    if (fits && rule.from.length > (best?.from.length ?? 0)) best = rule;
  }
  if (best === undefined) return walk;
  const text = best.to + walk.text.slice(best.from.length);
  const step = `rewrite rule: ${best.from}… → ${best.to}…`;
  return { ...walk, text, steps: [...walk.steps, step], trusted: originOf(best.to) };
}

const CACHES = /^(?:simplecache|filecache|blockcache|cached|dircache)::/;

/** fsspec's chained URLs: a cache in front changes nothing, anything else is a file inside a file. */
function afterCaches(walk: Walk): Resolution {
  // Whatever is in it is data, templates too: those of Version 1 are filled in by now.
  if (walk.text.startsWith("data:")) return data(walk);
  if (walk.text.includes("{{")) {
    return { ...unresolved(walk, "target-has-template", {}), host: "templates, not filled in" };
  }
  const cache = CACHES.exec(walk.text)?.[0];
  if (cache !== undefined) {
    const text = walk.text.slice(cache.length);
    return afterCaches({ ...walk, text, steps: [...walk.steps, `${cache} is only a cache, and is left out`] });
  }
  const inZip = /^zip:\/\/(.*?)(?:::(.*))?$/s.exec(walk.text);
  if (inZip !== null) return inArchive(walk, inZip[1] ?? "", inZip[2]);
  const chain = /^(?!https?:|s3a?:|gs:|gcs:)([a-z][a-z0-9_+.-]*)(?::\/\/.*?)?::/i.exec(walk.text);
  if (chain === null) return bySyntax(walk);
  return unresolved(walk, "target-chained", { scheme: chain[1] ?? "" });
}

/** fsspec looks for a scheme before "://" first, which a text of data may have. */
function data(walk: Walk): Resolution {
  const { text, steps } = walk;
  const known = text.startsWith("data://") || !text.includes("://");
  if (!known) return unresolved(walk, "target-data-malformed", { problem: "scheme" });
  if (!text.includes(",")) return unresolved(walk, "target-data-malformed", { problem: "comma" });
  return { kind: "data", url: text, steps: [...steps, "the URL itself holds the bytes: nothing is requested"] };
}

/**
 * `zip://PATH::ARCHIVE`, as fsspec chains them, or `zip://PATH` where the archive is given otherwise: fsspec takes it as
 * `remote_options={"fo": …}`, we as the set's target, or the only archive among the files.
 */
function inArchive(walk: Walk, written: string, chained: string | undefined): Resolution {
  const path = written.replace(/^\/+/, "");
  if (path === "") return unresolved(walk, "target-malformed", { problem: "empty" });
  const { steps } = walk;
  if (chained !== undefined) return memberOf(walk, path, { ...walk, text: chained });
  const near = amongFiles(walk, walk.text);
  if (near !== undefined) return near;
  const { target } = walk.locations;
  if (target !== undefined && target !== walk.text && !target.startsWith("zip:")) {
    const step = `the archive is not named: it is the set's target, ${target}`;
    return memberOf(walk, path, { ...walk, text: target, steps: [...steps, step], trusted: originOf(target) });
  }
  const archives = walk.files?.list.filter((file) => /\.zip$/i.test(file)) ?? [];
  const [only] = archives;
  if (only === undefined || archives.length > 1) return unresolved(walk, "target-archive-unnamed", { path });
  const step = `the archive is not named: it is ${only}, the only one among the files`;
  const archive = { kind: "file", path: only, steps: [] } as const;
  return { kind: "member", archive, path, steps: [...steps, step] };
}

function memberOf(walk: Walk, path: string, archiveWalk: Walk): Resolution {
  const archive = afterCaches(rewritten(archiveWalk));
  if (archive.kind === "unresolved") return archive;
  if (archive.kind === "data" || archive.kind === "member") {
    return unresolved(walk, "target-chained", { scheme: archive.kind === "data" ? "data" : "zip" });
  }
  return { kind: "member", archive, path, steps: [...archive.steps, `the file ${path} in this archive`] };
}

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

function bySyntax(walk: Walk): Resolution {
  const { text } = walk;
  if (text === "") return unresolved(walk, "target-malformed", { problem: "empty" });
  if (/^(?:[a-z]:[\\/]|\\\\)/i.test(text)) return local(walk, text, "windows");
  const url = walk.locations.relays?.asItIs(text);
  if (url !== undefined) return { kind: "url", url, steps: walk.steps };
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return web(walk, text);
  if (scheme === "file" || scheme === "local" || /^file:/i.test(text)) {
    return local(walk, text.replace(/^[a-z]+:(?:\/\/(?:localhost(?=\/))?)?/i, ""), "file");
  }
  if (scheme !== undefined) return cloud(walk, scheme);
  if (/^(?:data|memory|blob|javascript|about|mailto):/i.test(text)) return unsupported(walk, text.split(":")[0] ?? "");
  if (text.startsWith("/")) return local(walk, text, "absolute");
  return relative(walk);
}

function cloud(walk: Walk, scheme: string): Resolution {
  const found = bucketUrl(walk.text, scheme, walk.locations.region);
  if (found.kind === "url") return web({ ...walk, steps: [...walk.steps, found.step] }, found.url);
  if (found.kind === "unknown") return unsupported(walk, scheme);
  return (
    amongFiles(walk, walk.text) ?? {
      kind: "unresolved",
      finding: placed(found.finding, writtenPlace(walk)),
      steps: walk.steps,
    }
  );
}

function unsupported(walk: Walk, scheme: string): Resolution {
  return amongFiles(walk, walk.text) ?? unresolved(walk, "target-scheme-unsupported", { scheme });
}

/** Checks an http(s) address; `text` is the target or what its scheme represents. */
function web(walk: Walk, text: string): Resolution {
  const url = parse(text);
  const relayed = walk.locations.relays?.placeOf(text);
  if (relayed !== undefined && !/^http/i.test(text)) return { kind: "url", url: relayed, steps: walk.steps };
  if (url?.protocol === "file:") return local(walk, text, "file");
  if (url === undefined || url.hostname === "") return malformed({ ...walk, text });
  if (url.username !== "" || url.password !== "") return unresolved(walk, "target-has-credentials", {});
  const steps = url.hash === "" ? walk.steps : [...walk.steps, `${url.hash} is not sent: it would need %23`];
  url.hash = "";
  const isTrusted = walk.trusted === url.origin || relayed !== undefined;
  if (isPrivateUrl(url.href) && !isTrusted && !allowsPrivate(walk.base, walk.locations))
    return privateAddress({ ...walk, steps }, url);
  return { kind: "url", url: url.href, steps };
}

const malformed = (walk: Walk): Unresolved =>
  unresolved(walk, "target-malformed", { problem: "not-a-url", url: walk.text });

/** True if a set may lead to private addresses: it comes from one, or the user allows it. */
export const allowsPrivate = (base: BaseLocation, { allowPrivate }: Pick<Locations, "allowPrivate">): boolean =>
  allowPrivate || (base.kind === "url" && isPrivateUrl(base.url));

function privateAddress(walk: Walk, { host }: URL): Unresolved {
  const from = walk.base.kind === "url" && walk.base.url.startsWith("http") ? "public-address" : "file";
  return { ...unresolved(walk, "target-private-address", { host, from }), host: "private addresses" };
}

/** Beside the reference document: among the local files where one fits (and may), else below the document's URL. */
function relative(walk: Walk): Resolution {
  const { text, base } = walk;
  const near = base.kind === "file" ? exactFile(walk, joinPath(base.path, text)) : undefined;
  const isExact = base.kind !== "text" && base.exact === true;
  const file = near ?? (isExact ? undefined : amongFiles(walk, text));
  if (file !== undefined) return file;
  if (base.kind === "url") return beside(walk, base, isExact ? "store" : "reference document");
  return { ...unresolved(walk, "target-relative", { path: text }), host: "relative paths" };
}

/** A path is not yet a URL: all its characters are those of names. Where it leads is judged by what came out. */
function beside(walk: Walk, base: Extract<BaseLocation, { kind: "url" }>, what: string): Resolution {
  const path = encodedPath(walk.text);
  const from = parse(base.url);
  // The first part may look like a scheme.
  const url = path === undefined || from === undefined ? undefined : parse(`./${path}`, from);
  if (url === undefined || url.origin !== from?.origin) return malformed(walk);
  const steps = [...walk.steps, `relative to the ${what}`];
  if (base.query === undefined) return web({ ...walk, steps }, url.href);
  const folder = from.pathname.slice(0, from.pathname.lastIndexOf("/") + 1);
  // Servers that take a backslash for a slash would be led out of the folder by it.
  const isInside = url.pathname.startsWith(folder) && !/(?:^|[\\/])\.\.\\|\\\.\./.test(walk.text);
  if (isInside) return web({ ...walk, steps }, url.href + base.query);
  const step = `outside the ${what}'s folder: the query of its address is not sent there`;
  return web({ ...walk, steps: [...steps, step] }, url.href);
}

function local(walk: Walk, path: string, syntax: FactsOf<"target-is-local">["syntax"]): Resolution {
  const found = amongFiles(walk, path);
  return found ?? { ...unresolved(walk, "target-is-local", { path: walk.text, syntax }), host: "local paths" };
}

function exactFile(walk: Walk, path: string): Resolution | undefined {
  const match = walk.files?.find(path);
  if (match?.kind !== "match" || match.how !== "path" || match.path !== path) return undefined;
  return { kind: "file", path, steps: [...walk.steps, `the file ${path} beside the reference file`] };
}

function amongFiles(walk: Walk, path: string): Resolution | undefined {
  const match = walk.files?.find(path);
  if (match === undefined || match.kind === "none") return undefined;
  if (match.kind === "ambiguous") {
    return unresolved(walk, "target-ambiguous", { paths: match.paths.slice(0, 5), fitting: match.paths.length });
  }
  const how = match.how === "path" ? "found at its whole path" : "matched by name";
  const found = {
    kind: "file",
    path: match.path,
    steps: [...walk.steps, `the local file ${match.path}, ${how}`],
  } as const;
  return match.how === "name" ? { ...found, byName: true } : found;
}

function unresolved<C extends Code>(walk: Walk, code: C, facts: FactsOf<C>): Unresolved {
  return { kind: "unresolved", finding: finding(code, writtenPlace(walk), facts), steps: walk.steps };
}

const writtenPlace = ({ written }: Walk): Place => (written === null ? WHOLE_SET : targetAt(written));

const parse = (text: string, base?: URL): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;

function originOf(text: string): string | undefined {
  const url = parse(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

// Public HTTPS addresses of what is in S3, Google Cloud Storage and Azure Blob Storage.

type BucketUrl =
  | { readonly kind: "url"; readonly url: string; readonly step: string }
  /** The caller knows the place. */
  | { readonly kind: "refused"; readonly finding: Finding }
  | { readonly kind: "unknown" };

/** `text` begins with `scheme://`. */
export function bucketUrl(text: string, scheme: string, region: string | undefined): BucketUrl {
  const rest = text.slice(scheme.length + 3);
  const slash = rest.indexOf("/");
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const key = slash < 0 ? "" : rest.slice(slash + 1);
  if (/^s3[an]?$/.test(scheme)) return s3(authority, key, region);
  if (/^gc?s$/.test(scheme)) return gcs(authority, key);
  return /^(?:az|abfss?|adl|wasbs?)$/.test(scheme) ? azure(scheme, authority, key) : { kind: "unknown" };
}

/** Bucket names as S3 and GCS have ever allowed them; never anything that could change the host. */
const BUCKET = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,253}[a-zA-Z0-9]$/;
const REGION = /^[a-z0-9-]{2,40}$/;

/**
 * Virtual-hosted style (AWS, "Virtual hosting of general purpose buckets"); path style for names that do not fit into
 * one label of the certificate's `*.s3.amazonaws.com`.
 */
function s3(bucket: string, key: string, region: string | undefined): BucketUrl {
  if (!BUCKET.test(bucket)) return resolveCloudMalformed("s3-bucket", bucket);
  if (region !== undefined && !REGION.test(region)) return resolveCloudMalformed("aws-region", region);
  const path = keyPath(key);
  if (path === undefined) return unspeakable(key);
  const domain = region?.startsWith("cn-") === true ? "amazonaws.com.cn" : "amazonaws.com";
  const endpoint = region === undefined ? `s3.${domain}` : `s3.${region}.${domain}`;
  const where = region === undefined ? "" : ` in ${region}`;
  if (/^[a-z0-9-]{3,63}$/.test(bucket)) {
    const step = `s3://${bucket}/… → public HTTPS address of the bucket${where}`;
    return { kind: "url", url: `https://${bucket}.${endpoint}/${path}`, step };
  }
  const why = "path style, since the bucket's name does not fit into a host name with a valid certificate";
  const hint = region === undefined ? "; outside us-east-1 this needs the region" : "";
  const step = `s3://${bucket}/… → public HTTPS address of the bucket${where} (${why}${hint})`;
  return { kind: "url", url: `https://${endpoint}/${bucket}/${path}`, step };
}

function gcs(bucket: string, key: string): BucketUrl {
  if (!BUCKET.test(bucket)) return resolveCloudMalformed("gcs-bucket", bucket);
  const path = keyPath(key);
  if (path === undefined) return unspeakable(key);
  const step = `gs://${bucket}/… → public HTTPS address of the bucket`;
  return { kind: "url", url: `https://storage.googleapis.com/${bucket}/${path}`, step };
}

const ACCOUNT = /^([a-z0-9]{3,24})(?:\.(?:blob|dfs)\.core\.windows\.net)?$/;
const CONTAINER = /^(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root|\$web)$/;

/** `container@account.….core.windows.net/path`, or `account.….core.windows.net/container/path` (adlfs knows both). */
function azure(scheme: string, authority: string, key: string): BucketUrl {
  const at = authority.indexOf("@");
  const inHost = at < 0 && authority.endsWith(".core.windows.net");
  const container = at >= 0 ? authority.slice(0, at) : inHost ? (key.split("/")[0] ?? "") : authority;
  if (!CONTAINER.test(container)) return resolveCloudMalformed("azure-container", container);
  if (at < 0 && !inHost) {
    return { kind: "refused", finding: finding("target-account-missing", WHOLE_SET, { scheme, container }) };
  }
  const host = at >= 0 ? authority.slice(at + 1) : authority;
  const account = ACCOUNT.exec(host)?.[1];
  if (account === undefined) return resolveCloudMalformed("azure-account", host);
  const path = keyPath(inHost ? key.slice(container.length + 1) : key);
  if (path === undefined) return unspeakable(key);
  const url = `https://${account}.blob.core.windows.net/${container}/${path}`;
  return { kind: "url", url, step: `${scheme}://${authority}/… → public HTTPS address of the container` };
}

type Malformed = FactsOf<"target-malformed">;

const refused = (facts: Malformed): BucketUrl => ({
  kind: "refused",
  finding: finding("target-malformed", WHOLE_SET, facts),
});

const resolveCloudMalformed = (problem: Extract<Malformed, { readonly name: string }>["problem"], name: string) =>
  refused({ problem, name });

const unspeakable = (key: string) => refused({ problem: "key", key });

/** A key as the path of a URL; `undefined` where a URL parser would change it all the same. */
function keyPath(key: string): string | undefined {
  const isChanged = key.split("/").some((part) => part === "." || part === "..");
  return isChanged ? undefined : encodedPath(key);
}
