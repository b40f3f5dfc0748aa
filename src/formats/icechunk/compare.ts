/**
 * What changed between two snapshots, from the transaction logs of the commits between them: all that was touched, by
 * path, in the official reader's way (a chunk that was set and deleted again counts as changed).
 */
import type { Snapshot } from "./snapshot.ts";
import { updatedChunk, type MovedNode, type TransactionLog } from "./transaction-log.ts";

export interface SnapshotComparison {
  /** Paths, sorted. Nodes that neither snapshot has (made and deleted in between) are left out. */
  readonly newGroups: readonly string[];
  readonly newArrays: readonly string[];
  readonly deletedGroups: readonly string[];
  readonly deletedArrays: readonly string[];
  readonly updatedGroups: readonly string[];
  readonly updatedArrays: readonly string[];
  /** Chunk coordinates by the array's path, each once, in C order. */
  readonly updatedChunks: ReadonlyMap<string, readonly (readonly number[])[]>;
  /** Oldest first. */
  readonly moved: readonly MovedNode[];
}

/** `logs`: of the commits after `from` up to `to`, oldest first; `from` is an ancestor of `to`. */
export function compareByLogs(from: Snapshot, to: Snapshot, logs: readonly TransactionLog[]): SnapshotComparison {
  const paths = new Map([...from.nodes, ...to.nodes].map(({ id, path }) => [id, path]));
  const named = (pick: (log: TransactionLog) => readonly string[]): readonly string[] => {
    const found = new Set(logs.flatMap(pick).flatMap((id) => paths.get(id) ?? []));
    return [...found].sort();
  };
  return {
    newGroups: named((log) => log.newGroups),
    newArrays: named((log) => log.newArrays),
    deletedGroups: named((log) => log.deletedGroups),
    deletedArrays: named((log) => log.deletedArrays),
    updatedGroups: named((log) => log.updatedGroups),
    updatedArrays: named((log) => log.updatedArrays),
    updatedChunks: chunksByPath(logs, paths),
    moved: logs.flatMap((log) => log.moved),
  };
}

function chunksByPath(logs: readonly TransactionLog[], paths: ReadonlyMap<string, string>) {
  const byPath = new Map<string, Map<string, readonly number[]>>();
  for (const changed of logs.flatMap((log) => log.updatedChunks)) {
    const path = paths.get(changed.node);
    if (path === undefined) continue;
    const chunks = byPath.get(path) ?? new Map<string, readonly number[]>();
    byPath.set(path, chunks);
    for (let index = 0; index < changed.count; index += 1) {
      const coordinates = updatedChunk(changed, index);
      chunks.set(coordinates.join("/"), coordinates);
    }
  }
  return new Map([...byPath].map(([path, chunks]) => [path, [...chunks.values()].sort(inOrder)]));
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((cell, at) => cell !== b[at]);
  return axis < 0 ? a.length - b.length : (a[axis] ?? 0) - (b[axis] ?? -1);
}
