/** What zarr-python must be told before it opens arrays with rectilinear chunk grids. */
import type { HierarchyNode } from "../../core/metadata/hierarchy.ts";

const LINE = 'zarr.config.set({"array.rectilinear_chunks": True})  # zarr 3.2 or later: rectilinear chunk grids';

/** A line of Python behind the import of zarr; none where no array needs it. */
export function rectilinearOption(nodes: Iterable<HierarchyNode>): readonly string[] {
  for (const node of nodes) if (node.kind === "array" && node.metadata.isRectilinear === true) return ["", LINE];
  return [];
}
