import { orThrow } from "#core/basics.ts";
import { failure, type RefscopeError, targetAt } from "#core/findings/finding.ts";
import type { Configuration, VirtualContainer } from "./configuration.ts";

/**
 * Icechunk repositories, formats 1, 2 and 2.1, read-only. `openRepository` gives branches, tags and configuration;
 * `findRef` the snapshot that a text means; `fetchSnapshot` its nodes with their `zarr.json` and the manifests of each
 * array; `resolveLocation` where a virtual chunk is. Objects and Zstandard are handed in (`types.ts`). Not exported here,
 * since who only opens a repository need not fetch it: the references in manifests (`references.ts`).
 */
export { configurationOf, type Configuration, type VirtualContainer } from "./configuration.ts";
export type { EntryOf } from "./repository.ts";
export { isObjectId, objectId } from "./object-id.ts";
export { chunkPath, manifestPath, snapshotPath, transactionPath } from "./paths.ts";
export { findRef, openRepository, type FoundRef, type Repository } from "./repository.ts";
export { fetchSnapshot, readSnapshot, type Snapshot, type SnapshotNode } from "./snapshot.ts";
export { isWithin, type ArrayNodeData, type Extents, type ManifestRef } from "./snapshot.ts";
export type { MovedNode, TransactionLog, UpdatedChunks } from "./snapshot.ts";
export type { Exact, HistoryEntry, IcechunkObjects, IcechunkZstd } from "./types.ts";

// Resolves a virtual chunk's location: `vcc://name/path` by the container's name, other locations by the longest
// prefix; then the object that it names. Measured with the official library, icechunk 2.2.2, at servers that noted its
// requests.

interface ResolvedLocation {
  /** Absolute, as stored. */
  readonly url: string;
  /** Which container allows it; `undefined`: none does, and the official reader refuses the chunk. */
  readonly container: VirtualContainer | undefined;
}

const RELATIVE = "vcc://";

/**
 * @throws RefscopeError `icechunk-container-missing` where a `vcc://` location names no container;
 *   `icechunk-location-unreadable` where it is not a URL
 */
export function resolveLocation(location: string, configuration: Configuration): ResolvedLocation {
  const known = configuration.containers.filter(({ ignored }) => ignored === undefined);
  if (!location.startsWith(RELATIVE)) return byPrefix(location, known);
  const rest = location.slice(RELATIVE.length);
  const slash = rest.indexOf("/");
  const name = slash < 0 ? rest : rest.slice(0, slash);
  const container = slash < 0 ? undefined : known.find((candidate) => candidate.name === name);
  // The expanded location is then looked up like any other.
  if (container !== undefined) return byPrefix(container.prefix + rest.slice(slash + 1), known);
  const names = known.flatMap((candidate) => candidate.name ?? []);
  throw failure("icechunk-container-missing", targetAt(location), { name, known: names });
}

function byPrefix(url: string, known: readonly VirtualContainer[]): ResolvedLocation {
  const compared = comparedForm(url);
  return { url, container: known.find(({ prefix }) => compared.startsWith(prefix)) };
}

/**
 * Locations that the URL parser and percent-decoding leave as they are: nearly all, of which there may be very many.
 */
const PLAIN = /^(?:file:\/\/|[a-z][a-z\d+.-]*:\/\/(?:[a-z\d-]+\.)*[a-z][a-z\d-]*)\/[\w~!$&'()*+,;=:@./-]*$/;

/** Prefixes are compared with the parsed URL (`..` taken back, host in lower case), its escapes undone. */
function comparedForm(url: string): string {
  if (PLAIN.test(url) && !url.includes("/.")) return url;
  return undone(parsed(url).href, url);
}

const parsed = (url: string): URL =>
  orThrow(
    () => new URL(url),
    () => unreadable(url, "not-a-url"),
  );

/** Malformed escapes (`%zz`) stay, as in the official reader. */
const undone = (text: string, url: string): string =>
  orThrow(
    () => text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => decodeURIComponent(escapes)),
    () => unreadable(url, "escapes"),
  );

function unreadable(location: string, problem: "not-a-url" | "escapes"): RefscopeError {
  const facts = { problem, text: location.slice(0, 200), reason: undefined };
  return failure("icechunk-location-unreadable", targetAt(location.slice(0, 500)), facts);
}

/** The object that a location names: how it is then asked for is up to the store. */
export interface ObjectPlace {
  /** Scheme in lower case, without colon. */
  readonly scheme: string;
  /** Bucket, container or host with port; "" for files. */
  readonly authority: string;
  /** Escapes undone once; without the slash before it. */
  readonly key: string;
}

/**
 * The key is all between the authority and a `?` or `#`, with its escapes undone: `a%20b` and `a b` are the same
 * object, `a%2Fb` is `a/b`, and `a%3Fb` is how a question mark is written. `//`, `.` and `..` are part of a key; in
 * files alone they are taken back. `undefined` for a text that is not an absolute URL.
 * @throws RefscopeError `icechunk-location-unreadable` where escapes are not UTF-8
 */
export function objectPlace(url: string): ObjectPlace | undefined {
  const [, written, authority = "", path = ""] = /^([a-z][a-z\d+.-]*):\/\/([^/]*)(\/?.*)$/is.exec(url) ?? [];
  if (written === undefined) return undefined;
  const scheme = written.toLowerCase();
  const whole = scheme === "file" ? parsed(url).pathname : path.replace(/[?#].*$/s, "");
  // Half a surrogate pair, which a configuration may hold, has no bytes that could be asked for.
  const key = undone(whole, url)
    .replace(/^\//, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD");
  return { scheme, authority: scheme === "file" ? "" : authority, key };
}
