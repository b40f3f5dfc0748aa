/** Reads the changes of one commit from its transaction log, for a line in a list of commits. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import type { CommitChanges, NodeTouched } from "#core/repository.ts";
import { fetchTransactionLog } from "#formats/icechunk/repository.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { fetchSnapshot, type Snapshot, type TransactionLog } from "#formats/icechunk/index.ts";
import { checkSnapshot } from "./history.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import type { OpenedRepository } from "./set-repository.ts";

/** A node's path, and how many chunks it has. */
interface Known {
  readonly path: string;
  readonly chunks?: number;
}

/** @throws RefscopeError of `fetchTransactionLog`, `fetchSnapshot`, or where it is not a snapshot of the repository */
export function changesReader(opened: OpenedRepository) {
  const known = new Map<string, Known>([...opened.ids].map(([path, id]) => [id, { path, ...gridSize(opened, path) }]));
  return async (snapshot: string, context: CallContext): Promise<CommitChanges> => {
    checkSnapshot(opened.repository, snapshot);
    const [objects, zstd] = [icechunkObjects(opened.store, context), icechunkZstd(context.signal)];
    const log = await fetchTransactionLog(objects, zstd, snapshot, { countsOnly: true });
    if (log === undefined) return { snapshot, isUntold: true, arrays: [], nodes: [] };
    // Nodes that later commits deleted, or that only other branches have; the snapshot may have expired.
    if (idsIn(log).some((id) => !known.has(id))) {
      const { nodes } = await fetchSnapshot(objects, zstd, snapshot);
      for (const node of nodes)
        if (!known.has(node.id)) known.set(node.id, { path: node.path.slice(1), ...shapeSize(node) });
    }
    return changesOf(log, snapshot, known);
  };
}

function gridSize({ hierarchy }: OpenedRepository, path: string): Pick<Known, "chunks"> {
  const node = hierarchy.nodes.get(path);
  return node?.kind === "array" ? { chunks: cellCount(storedGrid(node.metadata)) } : {};
}

function shapeSize(node: Snapshot["nodes"][number]): Pick<Known, "chunks"> {
  return node.kind === "array" ? { chunks: cellCount(node.shape.map(({ chunks }) => Number(chunks))) } : {};
}

const idsIn = (log: TransactionLog): readonly string[] => [
  ...log.newGroups,
  ...log.newArrays,
  ...log.updatedGroups,
  ...log.updatedArrays,
  ...log.updatedChunks.map(({ node }) => node),
];

function changesOf(log: TransactionLog, snapshot: string, known: ReadonlyMap<string, Known>): CommitChanges {
  const made = new Set(log.newArrays);
  const touched = (kind: NodeTouched["kind"], node: NodeTouched["node"], ids: readonly string[]) =>
    ids.map((id): NodeTouched => ({ kind, node, ...pathOf(known, id) }));
  // Chunks and attributes of a new array are not news beside it.
  const updated = log.updatedArrays.filter((id) => !made.has(id));
  return {
    snapshot,
    isUntold: false,
    arrays: log.updatedChunks
      .map(({ node, count }) => ({ ...known.get(node), count, isNew: made.has(node) }))
      .sort((a, b) => b.count - a.count),
    nodes: [
      ...touched("added", "array", log.newArrays),
      ...touched("added", "group", log.newGroups),
      ...touched("removed", "array", log.deletedArrays),
      ...touched("removed", "group", log.deletedGroups),
      ...log.moved.map(({ from, to, kind }) => ({
        kind: "moved" as const,
        node: kind,
        path: to.slice(1),
        before: from.slice(1),
      })),
      ...touched("updated", "array", updated),
      ...touched(
        "updated",
        "group",
        log.updatedGroups.filter((id) => !log.newGroups.includes(id)),
      ),
    ],
  };
}

const pathOf = (known: ReadonlyMap<string, Known>, id: string): Pick<NodeTouched, "path"> => {
  const path = known.get(id)?.path;
  return path === undefined ? {} : { path };
};
