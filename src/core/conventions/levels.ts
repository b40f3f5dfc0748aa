/** One picture at several resolutions, as the attributes of a group declare it. */
import type { ArrayNode, Hierarchy, HierarchyNode } from "../metadata/array-metadata.ts";

export interface LevelSet {
  /**
   * `multiscales`: the Zarr convention of that name (zarr-conventions/multiscales, v1). `ome`: OME-NGFF, whose versions
   * before 0.5 have the list directly among the attributes; other tools write lists like it.
   */
  readonly convention: "multiscales" | "ome";
  /** Version of OME-NGFF, as written. */
  readonly version?: string;
  readonly name?: string;
  /** Axes of OME-NGFF: one for each dimension of the arrays. */
  readonly axes: readonly LevelAxis[];
  /** How coarser levels were made, as written. */
  readonly resampling?: string;
  readonly levels: readonly Level[];
}

export interface LevelAxis {
  readonly name: string;
  /** `space`, `time`, `channel`, … */
  readonly type?: string;
  readonly unit?: string;
}

export interface Level {
  /** Path of the array or group, from the root of the set. */
  readonly path: string;
  /** Path of the level that it was made from. */
  readonly source?: string;
  /** How many times coarser than the level that all were made from, by axis; finer below 1. */
  readonly factors?: readonly number[];
  /** Size of an element by axis, in the units of the axes. */
  readonly scale?: readonly number[];
  /** Size of an element along x and y in the units of the CRS (`spatial:transform`). */
  readonly pixel?: readonly [x: number, y: number];
}

/** Role of a node in the levels of a group. */
export interface LevelMark {
  /** Path of the group that declares them. */
  readonly group: string;
  /** From 0, in the order of the list. */
  readonly index: number;
  readonly factors?: readonly number[];
}

/** The level's array, or the arrays directly in its group. */
export function arraysOfLevel(hierarchy: Hierarchy, node: HierarchyNode): readonly ArrayNode[] {
  if (node.kind === "array") return [node];
  return hierarchy.childrenOf(node.path).flatMap((child) => {
    const found = hierarchy.nodes.get(child);
    return found?.kind === "array" ? [found] : [];
  });
}

/** The one with the most elements: axes and scalars lie beside what is measured. */
export function mainArray(arrays: readonly ArrayNode[]): ArrayNode | undefined {
  const elements = ({ metadata }: ArrayNode) => metadata.shape.reduce((product, length) => product * length, 1);
  return arrays.reduce<ArrayNode | undefined>(
    (best, one) => (best === undefined || elements(one) > elements(best) ? one : best),
    undefined,
  );
}
