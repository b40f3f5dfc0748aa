/** Arrays that hold the coordinates of a dimension: one dimension, of the array's own name. */
import type { ArrayNode, HierarchyNode } from "../../core/hierarchy.ts";
import type { CheckView } from "./rule.ts";

export const parentOf = ({ path }: Pick<HierarchyNode, "path">): string =>
  path.slice(0, Math.max(0, path.lastIndexOf("/")));

export function isCoordinate({ name, metadata }: ArrayNode): boolean {
  return metadata.shape.length === 1 && metadata.dimensionNames?.[0] === name;
}

/** The array named like a dimension, in the group of the array that has it or above. */
export function coordinateOf({ hierarchy }: CheckView, node: ArrayNode, dimension: string): HierarchyNode | undefined {
  for (let group = parentOf(node); ; group = parentOf({ path: group })) {
    const found = hierarchy.nodes.get(group === "" ? dimension : `${group}/${dimension}`);
    if (found !== undefined || group === "") return found;
  }
}
