/** Coordinates by their metadata alone: projected ones without a map projection, and such as cost many requests to open. */
import { finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import { groupedBy } from "#core/grouped.ts";
import { isJsonObject } from "#core/json/json.ts";
import { longestAlong } from "#core/metadata/chunk-grid.ts";
import { parentPath } from "#core/metadata/hierarchy-path.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textOf } from "#engine/many/axis.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { isCoordinate, parentOf } from "#core/metadata/coordinate-nodes.ts";

/** Requests that opening may cost before it is worth a word. */
const MANY_REQUESTS = 100;

export const coordinatesAsWritten: SetRule = {
  id: "coordinates-as-written",
  codes: ["crs-absent", "coordinate-chunks-many"],
  run(view, sink) {
    for (const members of groupedBy(view.arrays, parentOf).values()) {
      const coordinates = members.filter(isCoordinate);
      for (const found of [withoutCrs(view, members, coordinates), manyChunks(view, coordinates)])
        if (found !== undefined) sink(found);
    }
    return { unit: "arrays", of: view.arrays.length, lookedAt: view.arrays.length, sampled: 0 };
  },
};

const isAlong = (axis: "x" | "y") => (node: ArrayNode) =>
  textOf(node, "standard_name") === `projection_${axis}_coordinate`;

/** CF's grid mappings, rioxarray's and odc-geo's variables, GeoZarr's and STAC's attributes; GDAL's `_CRS`. */
const CRS_ATTRIBUTE =
  /^(?:grid_mapping(?:_name)?|crs(?:_wkt)?|spatial_ref|_CRS|proj:.+|esri_pe_string|proj4(?:text|string)?)$/i;
const CRS_ARRAY = /^(?:crs|spatial_ref)$/i;

function withoutCrs(
  { hierarchy }: SetView,
  members: readonly ArrayNode[],
  coordinates: readonly ArrayNode[],
): Finding | undefined {
  const [x, y] = [coordinates.find(isAlong("x")), coordinates.find(isAlong("y"))];
  if (x === undefined || y === undefined) return undefined;
  const names = [x.name, y.name];
  const over = members.filter(({ metadata }) => names.every((name) => metadata.dimensionNames?.includes(name)));
  if (over.length === 0 || members.some((node) => CRS_ARRAY.test(node.name) || hasCrs(node.attributes)))
    return undefined;
  for (let path = parentPath(x.path); path !== undefined; path = parentPath(path))
    if (hasCrs(hierarchy.nodes.get(path)?.attributes)) return undefined;
  // Scan angles of a satellite have no other meaning than its own projection.
  const units = textOf(x, "units") ?? "m";
  if (/^(?:u|micro)?rad(?:ians?)?$/i.test(units)) return undefined;
  const isSeries = over.some(({ metadata }) => metadata.shape.length > 2);
  const facts = { x: x.path, y: y.path, units, arrays: over.map(({ path }) => path), isSeries };
  return finding("crs-absent", nodeAt(x.path), facts);
}

const hasCrs = (attributes: ArrayNode["attributes"]): boolean =>
  isJsonObject(attributes) && [...attributes.keys()].some((name) => CRS_ATTRIBUTE.test(name));

function manyChunks({ counts }: SetView, coordinates: readonly ArrayNode[]): Finding | undefined {
  const costs = coordinates.map((node) => {
    const states = counts.arrays.get(node.path)?.states;
    return {
      node,
      requests:
        states === undefined ? 0 : states.whole + states.range + states.native + states.virtual + states.unknown,
    };
  });
  const requests = costs.reduce((sum, one) => sum + one.requests, 0);
  const slow = costs.filter((one) => one.requests * 10 > requests).toSorted((a, b) => b.requests - a.requests);
  const [first] = slow;
  if (first === undefined || requests < MANY_REQUESTS) return undefined;
  const chunk = longestAlong(first.node.metadata.chunks[0] ?? 1);
  return finding("coordinate-chunks-many", nodeAt(first.node.path), {
    requests,
    arrays: slow.map(({ node }) => node.path),
    chunk,
  });
}
