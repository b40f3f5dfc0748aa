/** Dimensions of one name with different lengths in a group. */
import { finding } from "../../../core/findings/finding.ts";
import { nodeAt } from "../../../core/findings/place.ts";
import { groupedBy } from "../../../core/grouped.ts";
import { parentPath } from "../../../core/hierarchy-path.ts";
import type { Hierarchy } from "../../../core/hierarchy.ts";
import { isJsonObject } from "../../../core/json.ts";
import { sizeConflicts } from "../dimension-sizes.ts";
import type { SetRule } from "../rule.ts";

export const dimensions: SetRule = {
  id: "dimensions",
  codes: ["dimension-size-disagrees"],
  needs: "metadata",
  cost: "counts",
  run({ hierarchy, arrays }, sink) {
    for (const [group, members] of groupedBy(arrays, ({ path }) => parentPath(path) ?? "")) {
      if (isPyramid(hierarchy, group)) continue;
      for (const { node, dimensions: wrong, order, isCertain } of sizeConflicts(members)) {
        sink(finding("dimension-size-disagrees", nodeAt(node.path), { dimensions: wrong, order, isCertain }));
      }
    }
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

/** One image at several resolutions (OME-Zarr, GeoZarr): its dimensions differ on purpose. */
function isPyramid({ nodes }: Hierarchy, group: string): boolean {
  const attributes = nodes.get(group)?.attributes;
  return isJsonObject(attributes) && ["multiscales", "ome"].some((name) => attributes.has(name));
}
