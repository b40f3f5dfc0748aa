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

/** @throws RefscopeError of `fetchSnapshot` */
export async function snapshotSide(
  { store }: OpenedRepository,
  id: string,
  context: CallContext,
): Promise<SnapshotSide> {
  const snapshot = await fetchSnapshot(icechunkObjects(store, context), icechunkZstd(context.signal), id);
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
