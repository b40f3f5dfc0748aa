/** Dimensions of one name with different lengths in a group, and dimensions without a coordinate where others have one. */
import { finding, nodeAt } from "#core/findings/finding.ts";
import { groupedBy } from "#core/grouped.ts";
import { parentPath } from "#core/metadata/hierarchy-path.ts";
import type { ArrayNode, Hierarchy } from "#core/metadata/array-metadata.ts";
import { isJsonObject } from "#core/json/json.ts";
import { nearPaths } from "#core/metadata/near-paths.ts";
import { attribute } from "#core/metadata/attribute.ts";
import { sizeConflicts } from "#core/metadata/dimension-sizes.ts";
import type { SetRule } from "#engine/rules/rule.ts";

export const dimensions: SetRule = {
  id: "dimensions",
  codes: ["dimension-size-disagrees", "coordinate-absent"],
  run({ hierarchy, arrays }, sink) {
    for (const [group, members] of groupedBy(arrays, ({ path }) => parentPath(path) ?? "")) {
      if (isPyramid(hierarchy, group)) continue;
      for (const { node, dimensions: wrong, order, isCertain } of sizeConflicts(members)) {
        sink(finding("dimension-size-disagrees", nodeAt(node.path), { dimensions: wrong, order, isCertain }));
      }
      for (const { name, first, length, arrays: users } of uncoordinated(hierarchy, members)) {
        sink(finding("coordinate-absent", nodeAt(first), { name, length, arrays: users }));
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

/** Corners, bounds, lengths of text, and names that tools make up. */
const NEEDS_NONE =
  /^(?:nv\d*|n_?vert(?:ices|ex)?|vert(?:ices|ex)|corners?|b(?:ou)?nds?|nb(?:ou)?nds?|.*_?bnds|.*bounds|d2|two|phony_dim_?\d*|dim_?\d+|(?:max)?_?str(?:ing|len|_?dim)?\w*|\w*(?:str|char)_?(?:len|\d+)\w*|n_?char\w*)$/i;

/** `first`: an array that has the dimension. */
function uncoordinated(hierarchy: Hierarchy, members: readonly ArrayNode[]) {
  const users = new Map<string, { first: string; length: number; arrays: number }>();
  const covered = new Set<string>();
  let coordinates = 0;
  for (const node of members) {
    const { shape, dimensionNames } = node.metadata;
    for (const name of auxiliaryDimensions(hierarchy, node)) covered.add(name);
    for (const [axis, name] of (dimensionNames ?? []).entries()) {
      if (name === undefined || NEEDS_NONE.test(name)) continue;
      const user = users.get(name) ?? { first: node.path, length: shape[axis] ?? 0, arrays: 0 };
      users.set(name, user);
      user.arrays += 1;
    }
  }
  const lacking = [...users].flatMap(([name, user]) => {
    const has = nearPaths(user.first, name).some((path) => hierarchy.nodes.get(path)?.kind === "array");
    coordinates += Number(has);
    return has || covered.has(name) ? [] : [{ name, ...user }];
  });
  return coordinates === 0 ? [] : lacking;
}

/** Dimensions of the arrays that the attribute `coordinates` names. */
function auxiliaryDimensions({ nodes }: Hierarchy, node: ArrayNode): readonly string[] {
  const listed = attribute(node.attributes, "coordinates");
  if (typeof listed !== "string") return [];
  return listed.split(/\s+/).flatMap((name) => {
    const found = name === "" ? undefined : nearPaths(node.path, name).map((path) => nodes.get(path));
    const array = found?.find((one) => one?.kind === "array");
    return array?.kind === "array" ? (array.metadata.dimensionNames ?? []).filter((one) => one !== undefined) : [];
  });
}
