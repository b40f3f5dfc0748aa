/** A snapshot as one side of a comparison: its nodes by id, with the grids of what their references are of. */
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import { codecTable } from "#codecs/codec-table.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { Hierarchy, MetadataDocument } from "#core/metadata/array-metadata.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { fetchSnapshot, type ArrayNodeData, type ManifestRef, type Snapshot } from "#formats/icechunk/index.ts";
import { innerChunksOf } from "./changed-ordinals.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import type { OpenedRepository } from "./set-repository.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { MAX_CELLS } from "./changed-cells.ts";

export interface SnapshotSide {
  readonly id: string;
  readonly nodes: ReadonlyMap<string, SideNode>;
}

export type SideNode = SideGroup | SideArray;

interface SideGroup {
  readonly kind: "group";
  readonly id: string;
  /** Without a leading slash. */
  readonly path: string;
  /** Its `zarr.json`, as it was written. */
  readonly metadata: Uint8Array;
}

export interface SideArray {
  readonly kind: "array";
  readonly id: string;
  readonly path: string;
  readonly metadata: Uint8Array;
  /** Chunks along each dimension; shards, where the array has them. */
  readonly grid: readonly number[];
  /** Inner chunks in each shard; 1 if the array has no shards. */
  readonly innerChunks: number;
  readonly manifests: readonly ManifestRef[];
}

/** `only`: with this node alone. @throws RefscopeError of `fetchSnapshot` */
export async function snapshotSide(
  { store }: OpenedRepository,
  id: string,
  context: CallContext,
  only?: (node: Snapshot["nodes"][number]) => boolean,
): Promise<SnapshotSide> {
  const all = await fetchSnapshot(icechunkObjects(store, context), icechunkZstd(context.signal), id);
  const snapshot = only === undefined ? all : { ...all, nodes: all.nodes.filter(only) };
  const { hierarchy } = buildHierarchy(snapshotDocuments(snapshot).values(), [], await codecTable());
  return { id, nodes: new Map(snapshot.nodes.map((node) => [node.id, sideNode(node, hierarchy)])) };
}

function sideNode(node: Snapshot["nodes"][number], hierarchy: Hierarchy): SideNode {
  const { id, metadata } = node;
  const path = node.path.slice(1);
  if (node.kind === "group") return { kind: "group", id, path, metadata };
  const { manifests } = node;
  return { kind: "array", id, path, metadata, manifests, ...gridOfNode(node, hierarchy.nodes.get(path)) };
}

/** From the node's `zarr.json`, as readers do; where that cannot be read, Icechunk's own copy of the shape. */
function gridOfNode({ shape }: ArrayNodeData, read: ReturnType<Hierarchy["nodes"]["get"]>) {
  if (read?.kind !== "array") return { grid: shape.map(({ chunks }) => Number(chunks)), innerChunks: 1 };
  return { grid: storedGrid(read.metadata), innerChunks: innerChunksOf(read.metadata) };
}

// The metadata documents of a snapshot's nodes, by store key.

/** A repository without nodes shows an undeclared root, as any set does. */
export function snapshotDocuments({ nodes }: Snapshot): ReadonlyMap<string, MetadataDocument> {
  const decoder = new TextDecoder();
  return new Map(
    nodes.map(({ path, metadata }) => {
      const key = path === "/" ? "zarr.json" : `${path.slice(1)}/zarr.json`;
      return [key, { key, text: decoder.decode(metadata) }] as const;
    }),
  );
}

/**
 * Which array of one snapshot is which of the other: by the node's id, which stays through all snapshots; an array
 * that was deleted and recreated at the same path is compared with the one before it. Arrays with different numbers of
 * dimensions have no chunk in common: the one was removed, the other added.
 */
export interface ArrayPair {
  readonly from: SideArray | undefined;
  readonly to: SideArray | undefined;
  /** Path in `to`; for an array that is only there, in `from`. */
  readonly path: string;
  /** Path in `from`, if it differs. */
  readonly before: string | undefined;
  /** A grid that both grids fit into; `undefined` where it has more chunks than can be numbered. */
  readonly box: readonly number[] | undefined;
}

export function pairArrays(from: SnapshotSide, to: SnapshotSide): readonly ArrayPair[] {
  const removed = new Map<string, SideArray>();
  for (const node of from.nodes.values()) {
    if (node.kind === "array" && to.nodes.get(node.id)?.kind !== "array") removed.set(node.path, node);
  }
  const pairs: ArrayPair[] = [];
  for (const node of to.nodes.values()) {
    if (node.kind !== "array") continue;
    const same = from.nodes.get(node.id);
    const before = same?.kind === "array" ? same : removed.get(node.path);
    if (before?.grid.length === node.grid.length) {
      if (before !== same) removed.delete(node.path);
      pairs.push(pairOf(before, node));
    } else {
      if (before !== undefined && before === same) pairs.push(pairOf(before, undefined));
      pairs.push(pairOf(undefined, node));
    }
  }
  for (const node of removed.values()) pairs.push(pairOf(node, undefined));
  return pairs.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function pairOf(from: SideArray | undefined, to: SideArray | undefined): ArrayPair {
  const path = to?.path ?? from?.path ?? "";
  const before = from === undefined || from.path === path ? undefined : from.path;
  return { from, to, path, before, box: boxOf(from?.grid, to?.grid) };
}

/** For grids with the same number of dimensions. */
function boxOf(from: readonly number[] | undefined, to: readonly number[] | undefined): readonly number[] | undefined {
  const [one, other] = [to ?? from ?? [], from ?? to ?? []];
  const box = one.map((cells, axis) => Math.max(cells, other[axis] ?? 0));
  return cellCount(box) <= MAX_CELLS ? box : undefined;
}
