/**
 * Finds what the official library refuses or misreads although Refscope reads it: it finds things by binary search,
 * reads as many bytes of a manifest as the snapshot says, and takes compressed files only. Tried with icechunk 2.2.2,
 * one field at a time.
 */
import { finding, type Finding, nodeAt, type Place, WHOLE_SET } from "#core/findings/finding.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { manifestPath, type Repository, type Snapshot, snapshotPath } from "#formats/icechunk/index.ts";
import { REPO_PATH } from "#formats/icechunk/paths.ts";
import type { Manifest } from "#formats/icechunk/references.ts";
import type { LibraryEffect, LibraryLimit } from "#core/findings/catalogue/formats/icechunk.ts";

const EFFECTS: Partial<Readonly<Record<LibraryLimit, LibraryEffect>>> = {
  "snapshots-unordered": "history",
  "chunks-uncounted": "misread",
};

const limit = (problem: LibraryLimit, place: Place, file: string): Finding =>
  finding("icechunk-library-limit", place, { problem, effect: EFFECTS[problem] ?? "refused", file });

export function libraryLimits({ info }: Repository, snapshot: Snapshot, { nodes }: Hierarchy): readonly Finding[] {
  const ofRepository = (problem: LibraryLimit) => limit(problem, WHOLE_SET, REPO_PATH);
  const found: Finding[] = [];
  if (info?.header.isPlain === true) found.push(ofRepository("uncompressed"));
  if (info !== undefined && Math.min(info.header.format, info.version) < 2) found.push(ofRepository("version"));
  if (info !== undefined && !isSorted([...info.branches.keys()])) found.push(ofRepository("branches-unordered"));
  if (info !== undefined && !isSorted([...info.snapshots.keys()])) found.push(ofRepository("snapshots-unordered"));
  const file = snapshotPath(snapshot.id);
  if (snapshot.header.isPlain === true) found.push(limit("uncompressed", WHOLE_SET, file));
  const paths = snapshot.nodes.map(({ path }) => path);
  const sorted = paths.toSorted(byBytes);
  for (const [at, one] of snapshot.nodes.entries()) {
    const path = one.path.slice(1);
    if (sorted[at] !== one.path) found.push(limit("nodes-unordered", nodeAt(path), file));
    const node = nodes.get(path);
    if (one.kind !== "array") continue;
    if (one.manifests.some(({ id }) => !snapshot.manifestSizes.has(id)))
      found.push(limit("manifest-unlisted", nodeAt(path), file));
    const grid = node?.kind === "array" ? storedGrid(node.metadata) : [];
    if (grid.some((chunks, axis) => (one.shape[axis]?.chunks ?? chunks) < chunks))
      found.push(limit("chunks-uncounted", nodeAt(path), file));
  }
  return found;
}

/** Limits of a manifest, once it is loaded; reported for each array in it. */
export function manifestLimits(
  { id, size, header, arrays }: Manifest,
  { nodes, manifestSizes }: Snapshot,
): readonly Finding[] {
  const isCut = size > (manifestSizes.get(id) ?? size);
  const problem = header.isPlain === true ? "uncompressed" : isCut ? "manifest-cut" : undefined;
  if (problem === undefined) return [];
  const inside = new Set(arrays.map(({ node }) => node));
  const paths = nodes.filter((node) => inside.has(node.id)).map(({ path }) => path.slice(1));
  return paths.map((path) => limit(problem, nodeAt(path), manifestPath(id)));
}

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || byBytes(names[at - 1] as string, name) < 0);

const encoder = new TextEncoder();

/** Rust compares texts so, by their UTF-8. */
function byBytes(one: string, other: string): number {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1);
}
