import { withoutDots } from "#core/urls/url-parts.ts";
import { MANIFEST_NAMES } from "#core/metadata/chunk-manifests.ts";
import type { ArrayMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { gridOf, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import { finding, type Finding, isAbort, nodeAt } from "#core/findings/finding.ts";
import { describeJson, isJsonObject, type JsonObject } from "#core/json/json.ts";
import type { PageSink } from "#core/table/reference-pages.ts";
import { type Entries, type OddEntry, PATH_NONE, PATH_ODD, WHOLE } from "./entries.ts";
import type { Manifest } from "./read.ts";

// The base of relative paths. The proposal says nothing; the array's directory is the natural reading, and VirtualiZarr
// wrote paths relative to the directory that its writer ran in, often the one that holds the store.

/**
 * `directory`: relative to the store's root (`""` is the root, `".."` what holds the store); `undefined` while
 * unknown.
 */
export interface PathBase {
  readonly directory: string | undefined;
  readonly findings: readonly Finding[];
}

/** No scheme, no leading slash, no drive letter, not one of fsspec's chains. */
export function isRelativePath(path: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|[a-z]:[\\/]|[\\/])/i.test(path)) return false;
  return path !== "" && !/^(?:file|data|memory|blob|javascript|about|mailto):/i.test(path) && !path.includes("::");
}

/** Directories that a path of this array may be relative to, likeliest first. */
function directories(arrayPath: string): readonly string[] {
  const parts = arrayPath.split("/").filter((part) => part !== "");
  return [...parts.map((_part, index) => parts.slice(0, parts.length - index).join("/")), "", ".."];
}

/**
 * Candidates for a path, relative to the store's root, in the order to try: from the array's directory, from each of
 * its parents up to the root, from the directory that holds the store. A path that is not relative is its only
 * candidate.
 */
export function candidatePaths(arrayPath: string, path: string): readonly string[] {
  if (!isRelativePath(path)) return [path];
  return [...new Set(directories(arrayPath).map((directory) => joined(directory, path)))];
}

/** The target that a path of the manifest means, relative to the store's root where it is relative. */
export function targetOf(path: string, base: PathBase | undefined): string {
  return base?.directory === undefined || !isRelativePath(path) ? path : joined(base.directory, path);
}

/** Paths listed of those that were not found. */
const MAX_LISTED = 5;

interface PathQuestion {
  readonly arrayPath: string;
  /** Paths of the manifest, as written. */
  readonly paths: readonly string[];
  /** How many relative paths are tried in each directory. Default 3. */
  readonly limit?: number;
}

/**
 * Finds the directory from which one of the manifest's first relative paths leads to something. `exists` is asked for one
 * path at a time, relative to the store's root; where it fails, that path counts as absent.
 * @throws what `exists` throws on cancellation
 */
export async function chooseBase(
  exists: (path: string) => Promise<boolean>,
  { arrayPath, paths, limit = 3 }: PathQuestion,
): Promise<PathBase> {
  const tried = firstRelative(paths, limit);
  if (tried.length === 0) return { directory: undefined, findings: [] };
  const asked = new Set<string>();
  for (const directory of directories(arrayPath)) {
    for (const path of tried) {
      const candidate = joined(directory, path);
      if (asked.has(candidate)) continue;
      asked.add(candidate);
      if (!(await answer(exists, candidate))) continue;
      return { directory, findings: [finding("manifest-path-base", nodeAt(arrayPath), { path, directory })] };
    }
  }
  const facts = { path: tried[0] ?? "", asked: [...asked].slice(0, MAX_LISTED), count: asked.size };
  return { directory: undefined, findings: [finding("manifest-path-not-found", nodeAt(arrayPath), facts)] };
}

function firstRelative(paths: readonly string[], limit: number): readonly string[] {
  const found: string[] = [];
  for (const path of paths) {
    if (found.length >= limit) break;
    if (isRelativePath(path)) found.push(path);
  }
  return found;
}

async function answer(exists: (path: string) => Promise<boolean>, path: string): Promise<boolean> {
  try {
    return await exists(path);
  } catch (error) {
    if (isAbort(error)) throw error;
    return false;
  }
}

const joined = (directory: string, path: string): string =>
  withoutDots(`${directory}/${path}`).replaceAll(/^\/|\/$/g, "");

// Tells if a manifest gives an array's chunks, and its place.

export type ManifestReference = { readonly findings: readonly Finding[] } & (
  | { readonly kind: "none" }
  /** `path` as written; `key` is the store key it means, beside the array's metadata, or the URL where it is one. */
  | { readonly kind: "file"; readonly path: string; readonly key: string }
  | { readonly kind: "inline"; readonly value: JsonObject }
  /** The transformer is there and does not say where the manifest is: no chunk of the array is known. */
  | { readonly kind: "broken" }
);

/** The manifest that the array's `storage_transformers` name. Other transformers are findings. */
export function manifestOf(metadata: ArrayMetadata, arrayPath: string): ManifestReference {
  const findings: Finding[] = [];
  let found: CodecConfiguration | undefined;
  for (const [index, transformer] of (metadata.storageTransformers ?? []).entries()) {
    const place = nodeAt(arrayPath, `/storage_transformers/${index}`);
    if (!MANIFEST_NAMES.has(transformer.id)) {
      findings.push(finding("storage-transformer-unknown", place, { name: transformer.id }));
    } else if (found === undefined) found = transformer;
    else findings.push(finding("chunk-manifest-repeated", place, {}));
  }
  if (found === undefined) return { kind: "none", findings };
  const manifest = found.configuration.get("manifest");
  if (isJsonObject(manifest)) return { kind: "inline", value: manifest, findings };
  if (typeof manifest !== "string" || manifest === "") {
    const written = manifest === "" ? "an empty text" : describeJson(manifest);
    return {
      kind: "broken",
      findings: [...findings, finding("chunk-manifest-invalid", nodeAt(arrayPath), { found: written })],
    };
  }
  return { kind: "file", path: manifest, key: candidatePaths(arrayPath, manifest)[0] ?? manifest, findings };
}

/** The grid that a manifest's keys count: of chunks, or of shards where the array has them. */
export function storedGrid(metadata: ArrayMetadata): readonly number[] {
  return gridOf(metadata.shape, metadata.sharding?.shape ?? metadata.chunks);
}

/** How the metadata write the keys of that grid. */
export const storedSeparator = ({ sharding, separator }: ArrayMetadata): KeySeparator =>
  sharding?.separator ?? separator;

/**
 * Chunk manifests: the proposed storage transformer of Zarr v3 (zarr-specs issue 287), as VirtualiZarr and zarrs wrote
 * it.
 */

export { pathBelow, prefixCover, type PrefixCover, type PrefixEntry } from "./prefixes.ts";
export { MAX_MANIFEST_BYTES, readManifest, type Manifest, type ManifestSource, type ManifestPlace } from "./read.ts";

// From a manifest's entries to rows of the reference table.

const encoder = new TextEncoder();

/**
 * Adds a row for each chunk that has an entry (none for those explicitly empty), with ordinals of the grid that the
 * manifest was read for. `base`: what its relative paths are relative to; without it they stay as written.
 */
export function addManifest({ array, entries }: Manifest, into: PageSink, base?: PathBase): void {
  const targets = targetIds(entries, into, base);
  for (let entry = 0; entry < entries.count; entry += 1) {
    if (entries.replaced.has(entry)) continue;
    const row = addEntry(entries, entry, into, targets);
    const stray = entries.strays.get(entry);
    if (row === undefined || stray === undefined) continue;
    into.table.markStray(row, array === "" ? stray.key : `${array}/${stray.key}`, stray.reason);
  }
}

function addEntry(entries: Entries, entry: number, { table, array }: PageSink, targets: (path: number) => number) {
  const ordinal = Math.max(0, entries.ordinal[entry] ?? 0);
  const path = entries.path[entry] ?? PATH_NONE;
  if (path === PATH_NONE) return undefined;
  if (path === PATH_ODD) return addOdd(entries.odd.get(entry), ordinal, { table, array });
  const length = entries.length[entry] ?? WHOLE;
  if (length === WHOLE) return table.addWhole(array, ordinal, targets(path));
  return table.addRange(array, ordinal, targets(path), entries.offset[entry] ?? 0, length);
}

function addOdd(odd: OddEntry | undefined, ordinal: number, { table, array }: PageSink): number | undefined {
  if (odd === undefined) return undefined;
  if (odd.kind === "bad") return table.addBad(array, ordinal, odd.reference);
  return table.addInline(array, ordinal, encoder.encode(odd.text));
}

function targetIds({ paths }: Entries, { table }: PageSink, base: PathBase | undefined): (path: number) => number {
  const ids = new Map<number, number>();
  return (path) => {
    let id = ids.get(path);
    if (id === undefined) {
      id = table.addTarget(targetOf(paths[path] ?? "", base));
      ids.set(path, id);
    }
    return id;
  };
}
