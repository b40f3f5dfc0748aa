/**
 * The chunk manifest of an array (`formats/chunk-manifest`), read from the store, and what its paths are relative to.
 */
import { documentTextOf } from "#core/metadata/node-document.ts";
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { factsOfFailure, failure, finding, type Finding, keyAt, nodeAt } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import {
  chooseBase,
  isRelativePath,
  MAX_MANIFEST_BYTES,
  pathBelow,
  prefixCover,
  readManifest,
  storedGrid,
  storedSeparator,
  type Manifest,
  type ManifestReference,
  type PathBase,
  type PrefixCover,
} from "#formats/chunk-manifest/index.ts";
import type { StoreContext } from "../store-set.ts";

/** The manifest of an array, where it is said to be. */
export interface OfManifest {
  readonly around: StoreContext;
  readonly node: ArrayNode;
  readonly reference: ManifestReference;
}

/** A manifest as it was read for an array. */
export interface ReadManifest {
  readonly manifest: Manifest;
  /** Base of its relative paths. */
  readonly base: PathBase | undefined;
  /** Chunks (or shards) whose existence it does not state. */
  readonly cover: PrefixCover;
  readonly findings: readonly Finding[];
}

/**
 * Reads the array's manifest, which counts chunks, or shards where the array has them. Throws where it is not there or
 * cannot be read: then no chunk is known.
 */
export async function openManifest(of: OfManifest, context: CallContext): Promise<ReadManifest> {
  const manifest = await manifestFrom(of, context);
  const cover = prefixCover(manifest.prefixes, exactOrdinals(manifest), storedGrid(of.node.metadata));
  const { base, findings } = await baseOf(of, manifest, cover, context);
  return { manifest, base, cover, findings: [...manifest.findings, ...findings] };
}

function* exactOrdinals({ entries }: Manifest): Generator<number> {
  for (const [entry, ordinal] of entries.ordinal.entries())
    if (ordinal >= 0 && !entries.replaced.has(entry)) yield ordinal;
}

/** Prefixes of which a first chunk is looked for to find what relative paths are relative to. */
const MAX_TRIED = 3;

async function baseOf(
  { around, node: { path, metadata } }: OfManifest,
  { paths, prefixes }: Manifest,
  cover: PrefixCover,
  context: CallContext,
): Promise<Pick<ReadManifest, "base" | "findings">> {
  const exists = (path: string) => existsAt(around, path, context);
  if (paths.some(isRelativePath)) {
    const base = await chooseBase(exists, { arrayPath: path, paths });
    return { base, findings: base.findings };
  }
  const relative = prefixes.flatMap(({ value }) =>
    value.kind === "path" && isRelativePath(value.path) ? value.path : [],
  );
  const [first] = relative;
  if (first === undefined) return { base: undefined, findings: [] };
  const separator = storedSeparator(metadata);
  const grid = storedGrid(metadata);
  const tried = Array.from({ length: Math.min(MAX_TRIED, cover.count) }, (_, index) =>
    pathBelow(cover.prefixAt(index), coordinatesOf(grid, cover.ordinalAt(index)), separator),
  );
  const base = await chooseBase(exists, { arrayPath: path, paths: tried });
  if (base.directory !== undefined) return { base, findings: base.findings };
  return {
    base: { directory: path, findings: [] },
    findings: [finding("manifest-prefix-base", nodeAt(path), { path: first })],
  };
}

async function manifestFrom({ around: { store }, node, reference }: OfManifest, context: CallContext) {
  const { path, metadata } = node;
  const about = { array: path, grid: storedGrid(metadata), separator: storedSeparator(metadata) };
  if (reference.kind === "inline") return readManifest({ kind: "inline", value: reference.value }, about);
  if (reference.kind !== "file") {
    throw failure("chunk-manifest-missing", nodeAt(path), { problem: "no-path" });
  }
  const { key } = reference;
  const answer = await store.get(key, { ...context, most: MAX_MANIFEST_BYTES }).catch((error: unknown) => {
    if (factsOfFailure(error, "response-too-large") === undefined) throw error;
    const facts = { what: "bytes", limit: MAX_MANIFEST_BYTES, found: store.sizeOf(key) } as const;
    throw failure("chunk-manifest-too-large", keyAt(key), facts);
  });
  if (answer.kind !== "present") {
    const { status } = answer;
    const problem = status === undefined ? ({ problem: "absent" } as const) : ({ problem: "status", status } as const);
    throw failure("chunk-manifest-missing", keyAt(key), problem);
  }
  return readManifest({ kind: "text", text: documentTextOf(answer.bytes) }, { ...about, key });
}

/** A path relative to the store's root; nothing that only has the same name counts. */
async function existsAt({ targets, store }: StoreContext, path: string, context: CallContext): Promise<boolean> {
  const resolution = targets.resolve(path);
  if (resolution.kind === "file") return resolution.byName !== true;
  if (resolution.kind === "unresolved") return false;
  if (!path.startsWith("..")) return (await store.stat(path, context)).kind === "present";
  await targets.read(resolution, { offset: 0, length: 1 }, context);
  return true;
}
