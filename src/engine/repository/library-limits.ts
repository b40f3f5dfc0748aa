/**
 * Finds what the official library refuses or misreads although Refscope reads it: it finds things by binary search,
 * reads as many bytes of a manifest as the snapshot says, and takes compressed files only. Tried with icechunk 2.2.2,
 * one field at a time.
 */
import { finding, type Finding, nodeAt, type Place, WHOLE_SET } from "#core/findings/finding.ts";
import type { Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { compareText } from "#formats/icechunk/write/order.ts";
import {
  manifestPath,
  type Repository,
  type Snapshot,
  type SnapshotNode,
  snapshotPath,
} from "#formats/icechunk/index.ts";
import { REPO_PATH } from "#formats/icechunk/paths.ts";
import type { Manifest } from "#formats/icechunk/references.ts";
import type { LibraryEffect, LibraryLimit } from "#core/findings/catalogue/formats/icechunk.ts";

const EFFECTS: Partial<Readonly<Record<LibraryLimit, LibraryEffect>>> = {
  "snapshots-unordered": "history",
  "tags-unordered": "history",
  "shape-absent": "commit",
  "updates-broken": "commit",
  "chunks-uncounted": "misread",
};

const limit = (problem: LibraryLimit, place: Place, file: string): Finding =>
  finding("icechunk-library-limit", place, { problem, effect: EFFECTS[problem] ?? "refused", file });

export function libraryLimits({ info }: Repository, snapshot: Snapshot, { nodes }: Hierarchy): readonly Finding[] {
  const file = snapshotPath(snapshot.id);
  const ofSnapshot: readonly (readonly [LibraryLimit, boolean])[] = [
    ["uncompressed", snapshot.header.isPlain === true],
    ["field-absent", snapshot.lacking.length > 0],
  ];
  const sorted = snapshot.nodes.map(({ path }) => path).toSorted(compareText);
  const listed = [...snapshot.manifestSizes.keys()];
  // Identifiers as text are in the order of their bytes.
  const placed = new Set(listed.toSorted().filter((id, at) => listed[at] === id));
  return [
    ...(info === undefined ? [] : limitsOf(REPOSITORY_LIMITS, info).map((one) => limit(one, WHOLE_SET, REPO_PATH))),
    ...ofSnapshot.flatMap(([problem, isSo]) => (isSo ? [limit(problem, WHOLE_SET, file)] : [])),
    ...snapshot.nodes.flatMap((one, at) => {
      const path = one.path.slice(1);
      const facts = { one, node: nodes.get(path), snapshot, placed, isPlaced: sorted[at] === one.path };
      return limitsOf(NODE_LIMITS, facts).map((problem) => limit(problem, nodeAt(path), file));
    }),
  ];
}

type Limits<T> = readonly (readonly [LibraryLimit, (of: T) => boolean])[];
const limitsOf = <T>(limits: Limits<T>, of: T): readonly LibraryLimit[] =>
  limits.filter(([, isSo]) => isSo(of)).map(([problem]) => problem);

const REPOSITORY_LIMITS: Limits<NonNullable<Repository["info"]>> = [
  ["uncompressed", ({ header }) => header.isPlain === true],
  ["version", ({ header, version }) => Math.min(header.format, version) < 2],
  ["branches-unordered", ({ branches }) => !isSorted([...branches.keys()])],
  ["tags-unordered", ({ tags }) => !isSorted([...tags.keys()])],
  ["snapshots-unordered", ({ snapshots }) => !isSorted([...snapshots.keys()])],
  // The state after the newest operation is this file: it has no backup.
  ["updates-broken", ({ updates }) => updates.length === 0 || updates[0]?.backup !== undefined],
];

interface NodeFacts {
  readonly one: SnapshotNode;
  readonly node: HierarchyNode | undefined;
  readonly snapshot: Snapshot;
  /** Manifests that the snapshot lists at their place. */
  readonly placed: ReadonlySet<string>;
  /** True if the node stands at its place. */
  readonly isPlaced: boolean;
}

const NODE_LIMITS: Limits<NodeFacts> = [
  ["nodes-unordered", ({ isPlaced }) => !isPlaced],
  ["path-above", ({ one }) => one.path.split("/").includes("..")],
  ["node-kind", ({ one, node }) => one.kind === "group" && node?.kind === "array"],
  [
    "manifest-unlisted",
    ({ one, snapshot }) => one.kind === "array" && one.manifests.some(({ id }) => !snapshot.manifestSizes.has(id)),
  ],
  [
    "manifests-unordered",
    ({ one, snapshot, placed }) =>
      one.kind === "array" && one.manifests.some(({ id }) => snapshot.manifestSizes.has(id) && !placed.has(id)),
  ],
  [
    "chunks-uncounted",
    ({ one, node }) => gridOf(node).some((chunks, axis) => countedChunks(one, axis, chunks) < chunks),
  ],
  [
    "shape-absent",
    ({ one, node, snapshot }) =>
      one.kind === "array" &&
      snapshot.header.format === 2 &&
      gridOf(node).some((_, axis) => one.shape[axis] === undefined || one.shape[axis].chunkLength !== undefined),
  ],
];

const gridOf = (node: HierarchyNode | undefined): readonly number[] =>
  node?.kind === "array" ? storedGrid(node.metadata) : [];
const countedChunks = (one: SnapshotNode, axis: number, known: number) =>
  (one.kind === "array" ? one.shape[axis]?.chunks : undefined) ?? known;

/** Limits of a manifest, once it is loaded; reported for each array in it. */
export function manifestLimits(
  { id, size, header, arrays }: Manifest,
  { nodes, manifestSizes }: Snapshot,
): readonly Finding[] {
  // A size of 0 counts as not known.
  const isCut = size > (manifestSizes.get(id) || size);
  const problem = header.isPlain === true ? "uncompressed" : isCut ? "manifest-cut" : undefined;
  if (problem === undefined) return [];
  const inside = new Set(arrays.map(({ node }) => node));
  const paths = nodes.filter((node) => inside.has(node.id)).map(({ path }) => path.slice(1));
  return paths.map((path) => limit(problem, nodeAt(path), manifestPath(id)));
}

/** Rust compares texts by their UTF-8. */
const isSorted = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || compareText(names[at - 1] as string, name) < 0);
