/** Arrays that hold the coordinates of a dimension: one dimension, of the array's own name. */
import { parentPath } from "./hierarchy-path.ts";
import type { ArrayNode, HierarchyNode } from "./array-metadata.ts";

export const parentOf = ({ path }: Pick<HierarchyNode, "path">): string => parentPath(path) ?? "";

export function isCoordinate({ name, metadata }: ArrayNode): boolean {
  return metadata.shape.length === 1 && metadata.dimensionNames?.[0] === name;
}
