/**
 * Which array of one snapshot is which of the other: by the node's id, which stays through all snapshots; an array that
 * was deleted and recreated at the same path is compared with the one before it. Arrays with different numbers of
 * dimensions have no chunk in common: the one was removed, the other added.
 */
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { MAX_CELLS } from "./changed-cells.ts";
import type { SideArray, SnapshotSide } from "./snapshot-side.ts";

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
