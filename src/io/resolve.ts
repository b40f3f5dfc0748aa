/**
 * From a target as a reference writes it to something that can be read, with every step said. Nothing is asked of
 * the network here. Schemes are fsspec's (fsspec.registry); what a browser cannot reach is looked for among the local files.
 */
import type { Locations, Resolution, RewriteRule } from "../core/location.ts";
import { bucketUrl } from "./resolve-cloud.ts";
import { joinPath, type LocalFiles } from "./local-files.ts";
import { isPrivateUrl } from "../core/private-address.ts";
import { encodedPath } from "./url-path.ts";

/** Where the reference document came from, or the folder that a store is (with `/` at its end). */
export type BaseLocation =
  | {
      readonly kind: "url";
      readonly url: string;
      /** Goes with every relative target: the signature of a store's prefix. */
      readonly query?: string;
      /** Relative targets are what lies at that very place: keys of a store, which no file elsewhere may stand for. */
      readonly exact?: true;
    }
  /** Path among the local files. */
  | { readonly kind: "file"; readonly path: string; readonly exact?: true }
  /** Pasted text. */
  | { readonly kind: "text" };

type Unresolved = Extract<Resolution, { kind: "unresolved" }>;

/** What is known on the way. */
interface Walk {
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
    return unresolved([], "target-null", "The reference names no URL (null), and no target was given for this set.", {
      advice: "Give the file that the null URLs mean as the set's target.",
    });
  }
  const trusted = target === null ? originOf(given) : undefined;
  const steps = target === null ? [`null URL → the set's target, ${given}`] : [];
  return afterCaches(rewritten({ text: given, base, locations, files, steps, trusted }));
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
  if (walk.text.includes("{{")) {
    return unresolved(walk.steps, "target-has-template", "The URL contains a template ({{…}}) that is not filled in.", {
      advice: "No template of the set fills it in, nor does any reader: correct the URL.",
    });
  }
  const cache = CACHES.exec(walk.text)?.[0];
  if (cache !== undefined) {
    const text = walk.text.slice(cache.length);
    return afterCaches({ ...walk, text, steps: [...walk.steps, `${cache} is only a cache, and is left out`] });
  }
  const chain = /^(?!https?:|s3a?:|gs:|gcs:)([a-z][a-z0-9_+.-]*)(?::\/\/.*?)?::/i.exec(walk.text);
  if (chain === null) return bySyntax(walk);
  const reason = `The URL is a chain (fsspec's “::”) through ${chain[1] ?? ""}, which is not followed.`;
  return unresolved(walk.steps, "target-chained", reason, {
    advice: "Unpack the inner file, and add a rewrite rule from this prefix to where it then is.",
  });
}

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

function bySyntax(walk: Walk): Resolution {
  const { text } = walk;
  if (text === "") return unresolved(walk.steps, "target-malformed", "The URL is empty.", { advice: "Correct it." });
  if (/^(?:[a-z]:[\\/]|\\\\)/i.test(text)) return local(walk, text, "a Windows path");
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return web(walk, text);
  if (scheme === "file" || scheme === "local" || /^file:/i.test(text)) {
    return local(
      walk,
      text.replace(/^[a-z]+:(?:\/\/(?:localhost(?=\/))?)?/i, ""),
      "a path on the machine of whoever made the set",
    );
  }
  if (scheme !== undefined) return cloud(walk, scheme);
  if (/^(?:data|memory|blob|javascript|about|mailto):/i.test(text)) return unsupported(walk, text.split(":")[0] ?? "");
  if (text.startsWith("//")) return local(walk, text, "an absolute path");
  if (text.startsWith("/")) return local(walk, text, "an absolute path");
  return relative(walk);
}

function cloud(walk: Walk, scheme: string): Resolution {
  const found = bucketUrl(walk.text, scheme, walk.locations.region);
  if (found.kind === "url") return web({ ...walk, steps: [...walk.steps, found.step] }, found.url);
  if (found.kind === "unknown") return unsupported(walk, scheme);
  return amongFiles(walk, walk.text) ?? unresolved(walk.steps, found.code, found.reason, { advice: found.advice });
}

function unsupported(walk: Walk, scheme: string): Resolution {
  const reason = `The URL's scheme, ${scheme}:, is none that can be read from here.`;
  const advice = "Add a rewrite rule from this prefix to an http(s) address of the same files, or drop the files here.";
  return amongFiles(walk, walk.text) ?? unresolved(walk.steps, "target-scheme-unsupported", reason, { advice });
}

/** Checks an http(s) address; `text` is the target or what its scheme stands for. */
function web(walk: Walk, text: string): Resolution {
  const url = parse(text);
  if (url === undefined || url.hostname === "") return malformed({ ...walk, text });
  if (url.username !== "" || url.password !== "") {
    return unresolved(walk.steps, "target-has-credentials", "The URL contains a user name or a password.", {
      advice: "Browsers refuse it: take them out of the URL and give a header for its prefix instead.",
    });
  }
  const steps = url.hash === "" ? walk.steps : [...walk.steps, `${url.hash} is not sent: it would need %23`];
  url.hash = "";
  if (isPrivateUrl(url.href) && !allowsPrivate(walk.base, walk.locations) && walk.trusted !== url.origin)
    return privateAddress(steps, url, walk.base);
  return { kind: "url", url: url.href, steps };
}

function malformed({ steps, text }: Walk): Unresolved {
  const reason = `${JSON.stringify(text)} is not a URL.`;
  return unresolved(steps, "target-malformed", reason, { advice: "Correct the reference's URL." });
}

/** Whether a set may lead to private addresses: it comes from one, or the user allows it. */
export const allowsPrivate = (base: BaseLocation, { allowPrivate }: Pick<Locations, "allowPrivate">): boolean =>
  allowPrivate || (base.kind === "url" && isPrivateUrl(base.url));

function privateAddress(steps: readonly string[], url: URL, base: BaseLocation): Unresolved {
  const from = base.kind === "url" ? "a set from a public address" : "a set from a file or a paste";
  const reason = `${url.host} is this machine or in a private network; ${from} may not read from there unasked.`;
  const advice = "If you trust the set, allow private addresses for it.";
  return unresolved(steps, "target-private-address", reason, { advice });
}

/** Beside the reference document: among the local files where one fits (and may), else below the document's URL. */
function relative(walk: Walk): Resolution {
  const { text, base } = walk;
  const near = base.kind === "file" ? exactFile(walk, joinPath(base.path, text)) : undefined;
  const isExact = base.kind !== "text" && base.exact === true;
  const file = near ?? (isExact ? undefined : amongFiles(walk, text));
  if (file !== undefined) return file;
  if (base.kind === "url") return beside(walk, base, isExact ? "store" : "reference document");
  const reason = `${JSON.stringify(text)} is a relative path (or names a bucket without a scheme), and no file given fits it.`;
  return unresolved(walk.steps, "target-relative", reason, {
    advice:
      "Drop the target file together with the reference file, or add a rewrite rule from this prefix to its address.",
  });
}

/** A path is not yet a URL: all its characters are those of names. Where it leads is judged by what came out. */
function beside(walk: Walk, base: Extract<BaseLocation, { kind: "url" }>, what: string): Resolution {
  const path = encodedPath(walk.text);
  const from = parse(base.url);
  // The first part may look like a scheme.
  const url = path === undefined || from === undefined ? undefined : parseFrom(`./${path}`, from);
  if (url === undefined || url.origin !== from?.origin) return malformed(walk);
  const steps = [...walk.steps, `relative to the ${what}`];
  if (base.query === undefined) return web({ ...walk, steps }, url.href);
  const folder = from.pathname.slice(0, from.pathname.lastIndexOf("/") + 1);
  if (url.pathname.startsWith(folder)) return web({ ...walk, steps }, url.href + base.query);
  const step = `outside the ${what}'s folder: the query of its address is not sent there`;
  return web({ ...walk, steps: [...steps, step] }, url.href);
}

function local(walk: Walk, path: string, what: string): Resolution {
  const reason = `${JSON.stringify(walk.text)} is ${what}, and no file given fits it.`;
  const advice = "Drop the file here, or add a rewrite rule from this prefix to the address of the same files.";
  return amongFiles(walk, path) ?? unresolved(walk.steps, "target-is-local", reason, { advice });
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
    const shown = match.paths.slice(0, 5).join(", ");
    const reason = `${match.paths.length} of the files given fit equally well: ${shown}${match.paths.length > 5 ? ", …" : ""}.`;
    return unresolved(walk.steps, "target-ambiguous", reason, {
      advice: "Give only the right one, or add a rewrite rule from this URL to its path.",
    });
  }
  const how = match.how === "path" ? "found at its whole path" : "matched by name";
  const found = {
    kind: "file",
    path: match.path,
    steps: [...walk.steps, `the local file ${match.path}, ${how}`],
  } as const;
  return match.how === "name" ? { ...found, byName: true } : found;
}

function unresolved(
  steps: readonly string[],
  code: string,
  reason: string,
  { advice }: { readonly advice: string },
): Unresolved {
  return { kind: "unresolved", code, reason, advice, steps };
}

function parse(text: string): URL | undefined {
  return parseFrom(text);
}

function parseFrom(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function originOf(text: string): string | undefined {
  const url = parse(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
