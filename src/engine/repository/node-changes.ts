/** Nodes of two snapshots: what was added, removed, moved, and whose metadata changed. */
import type { NodeChange } from "../../core/repository.ts";
import type { SideNode, SnapshotSide } from "./snapshot-side.ts";

/** What logs say beyond the two snapshots. */
export interface LoggedNodes {
  /** Ids. */
  readonly updated: ReadonlySet<string>;
  /** Where a node that is only in `to` was first, by its id. */
  readonly firstPaths: ReadonlyMap<string, string>;
}

/**
 * By id. Without logs, "updated" are nodes of both with different metadata; with logs all that these name, as the official
 * reader has it, also where the metadata are the same in the end or the node is new.
 */
export function nodeChanges(from: SnapshotSide, to: SnapshotSide, logged?: LoggedNodes): readonly NodeChange[] {
  const changes: NodeChange[] = [];
  for (const node of to.nodes.values()) {
    const old = from.nodes.get(node.id);
    const before = old?.path ?? logged?.firstPaths.get(node.id) ?? node.path;
    if (old === undefined) changes.push(changeOf("added", node));
    if (before !== node.path) changes.push({ ...changeOf("moved", node), before });
    if (logged?.updated.has(node.id) ?? isUpdated(old, node)) changes.push(changeOf("updated", node));
  }
  for (const node of from.nodes.values()) {
    if (to.nodes.has(node.id)) continue;
    changes.push(changeOf("removed", node));
    if (logged?.updated.has(node.id) === true) changes.push(changeOf("updated", node));
  }
  return changes.sort(byPath);
}

const changeOf = (kind: NodeChange["kind"], { kind: node, path }: SideNode): NodeChange => ({ kind, node, path });

export const isUpdated = (old: SideNode | undefined, node: SideNode): boolean =>
  old !== undefined && !sameBytes(old.metadata, node.metadata);

function byPath(a: NodeChange, b: NodeChange): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
