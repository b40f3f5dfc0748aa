/** Rules about what the metadata of arrays say: dimensions, coordinates, codecs, and sizes of manifests. */
import { finding, nodeAt, type Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { parentPath, nearPaths, isCoordinate, parentOf } from "#core/metadata/hierarchy-path.ts";
import type { ArrayNode, Hierarchy, ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { isJsonObject } from "#core/json/json.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { attribute } from "#core/metadata/attribute.ts";
import { sizeConflicts } from "#core/metadata/dimension-sizes.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { nearestName } from "#core/words/near-name.ts";
import { longestAlong } from "#core/metadata/chunk-grid.ts";
import { textOf } from "#engine/many/axis.ts";

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

/** Codecs in the metadata that no reader has, or that few have. */
export const codecs: SetRule = {
  id: "codecs",
  codes: ["codec-unregistered", "codec-package-needed"],
  async run({ arrays }, sink) {
    const names = new Set(arrays.flatMap(({ metadata }) => idsOf(metadata)));
    // Opening a set of Zarr v2 needs no codecs; nor does one without any.
    const known = names.size === 0 ? undefined : await knownCodecs();
    for (const { path, metadata } of known === undefined ? [] : arrays) {
      for (const codec of new Set(idsOf(metadata))) {
        if (known?.isBuilt(codec, metadata.zarrFormat) === true) continue;
        const words = known?.words(codec, metadata.zarrFormat);
        const nearest = nearestName(codec, known?.names ?? []);
        if (words === undefined) sink(finding("codec-unregistered", nodeAt(path), { codec, nearest }));
        else sink(finding("codec-package-needed", nodeAt(path), { codec, words }));
      }
    }
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

const idsOf = ({ decoding, sharding }: ArrayMetadata): readonly string[] =>
  [...decoding, ...(sharding?.indexCodecs ?? [])].map(({ id }) => id);

async function knownCodecs() {
  const [{ codecDescriptions, codecTraits, findCodec, findCodecV3 }, { knownByName }] = await Promise.all([
    import("#codecs/find-codec.ts"),
    import("#codecs/not-built.ts"),
  ]);
  const find = (id: string, zarrFormat: 2 | 3) => (zarrFormat === 3 ? findCodecV3(id) : findCodec(id));
  const registered = (id: string, zarrFormat: 2 | 3) =>
    zarrFormat === 3 && codecTraits(id) !== undefined ? "a codec with a registered name" : undefined;
  return {
    names: codecDescriptions().flatMap(({ id, otherNames }) => [id, ...otherNames]),
    isBuilt: (id: string, zarrFormat: 2 | 3) => find(id, zarrFormat) !== undefined,
    words: (id: string, zarrFormat: 2 | 3) => knownByName(id) ?? registered(id, zarrFormat),
  };
}

// Icechunk's manifests that are so large that reading one chunk is slow: each is fetched whole.

/** Some 50 MB where locations are packed, more where they are not. */
const LARGE = 2_000_000;
/** Pages of an array that are looked at. */
const MAX_PAGES = 100_000;

export const manifestSizes: SetRule = {
  id: "manifest-sizes",
  codes: ["icechunk-manifest-large"],
  run({ set, arrays, index, counts }, sink) {
    const looked = set.repository === undefined ? [] : arrays;
    for (const { path } of looked) {
      const paged = index.paged.get(index.arrayIds.get(path) ?? -1);
      const references = counts.arrays.get(path)?.references ?? 0;
      if (paged === undefined || references < LARGE || paged.pages.unit !== "manifest") continue;
      const { pages } = paged;
      let most = 0;
      for (let page = 0; page < Math.min(pages.count, MAX_PAGES); page += 1) most = Math.max(most, pages.cellsOf(page));
      // The number of references of a page with few loaded chunks is unknown.
      const largest = Math.min(most, references);
      if (largest >= LARGE)
        sink(finding("icechunk-manifest-large", nodeAt(path), { references: largest, manifests: pages.count }));
    }
    return { unit: "arrays", of: looked.length, lookedAt: looked.length, sampled: 0 };
  },
};

// Coordinates by their metadata alone: projected ones without a map projection, and such as cost many requests to
// open.

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

/** The CRS may stand in the list of levels, too, where ndpyramid names it. */
const hasCrs = (attributes: ArrayNode["attributes"]): boolean =>
  isJsonObject(attributes) &&
  ([...attributes.keys()].some((name) => CRS_ATTRIBUTE.test(name)) ||
    /"crs":"/.test(writeJson(attributes.get("multiscales") ?? null).slice(0, 20_000)));

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
