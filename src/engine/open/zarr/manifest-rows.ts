/** Rows of an array from its chunk manifest (`formats/chunk-manifest`), read from the store. */
import { documentTextOf } from "../../../core/document-text.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, gridOf } from "../../../core/chunk-grid.ts";
import { failure } from "../../../core/findings/failure.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { keyAt, nodeAt } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { MANIFEST, type PageSink, type ReferencePages } from "../../../core/reference-pages.ts";
import {
  addManifest,
  chooseBase,
  isRelativePath,
  MAX_MANIFEST_BYTES,
  readManifest,
  storedGrid,
  type Manifest,
  type ManifestReference,
} from "../../../formats/chunk-manifest/index.ts";
import type { StoreContext } from "../store-set.ts";

/** All in one page: a manifest is one document. */
export function manifestPages(
  { metadata }: ArrayNode,
  add: (into: PageSink, context: CallContext) => Promise<readonly Finding[]>,
): ReferencePages {
  const cells = cellCount(gridOf(metadata.shape, metadata.chunks));
  return {
    ...MANIFEST,
    count: 1,
    pageOf: () => 0,
    visit: (_page, see) => {
      for (let ordinal = 0; ordinal < cells; ordinal += 1) see(ordinal);
    },
    cellsOf: () => cells,
    load: (_page, into, context) => add(into, context),
  };
}

/**
 * Reads the array's manifest and adds a row for each chunk that it names (`into` counts chunks as the manifest does: of
 * shards, where the array has them). Throws where it is not there or cannot be read: then no chunk is known.
 */
export async function addManifestRows(
  around: StoreContext,
  node: ArrayNode,
  reference: ManifestReference,
  into: PageSink,
  context: CallContext,
): Promise<readonly Finding[]> {
  const grid = storedGrid(node.metadata);
  const manifest = await manifestFrom(around, node, reference, grid, context);
  if (!manifest.complete) throw failure("chunk-manifest-prefix", nodeAt(node.path), {});
  const exists = (path: string) => existsAt(around, path, context);
  const base = manifest.paths.some(isRelativePath)
    ? await chooseBase(exists, { arrayPath: node.path, paths: manifest.paths })
    : undefined;
  addManifest(manifest, into, base);
  return [...manifest.findings, ...(base?.findings ?? [])];
}

async function manifestFrom(
  { store }: StoreContext,
  { path }: ArrayNode,
  reference: ManifestReference,
  grid: readonly number[],
  context: CallContext,
): Promise<Manifest> {
  if (reference.kind === "inline")
    return readManifest({ kind: "inline", value: reference.value }, { array: path, grid });
  if (reference.kind !== "file") {
    throw failure("chunk-manifest-missing", nodeAt(path), { problem: "no-path" });
  }
  const { key } = reference;
  const size = store.sizeOf(key);
  if (size !== undefined && size > MAX_MANIFEST_BYTES) {
    const facts = { what: "bytes", limit: MAX_MANIFEST_BYTES, found: size } as const;
    throw failure("chunk-manifest-too-large", keyAt(key), facts);
  }
  const answer = await store.get(key, context);
  if (answer.kind !== "present") {
    const { status } = answer;
    throw failure(
      "chunk-manifest-missing",
      keyAt(key),
      status === undefined ? { problem: "absent" } : { problem: "status", status },
    );
  }
  return readManifest({ kind: "text", text: documentTextOf(answer.bytes) }, { array: path, grid, key });
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
