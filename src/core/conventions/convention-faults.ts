/** Finds what breaks a MUST of OME-NGFF 0.4 and 0.5, or of the conventions proj, spatial and multiscales. */
import { declaredBy, type GeoConvention, geoMusts, hasCrs, layoutOf } from "./geo-musts.ts";
import { arraysOfLevel, type Level, type LevelSet, mainArray } from "./levels.ts";
import { type Must, mustSink, type MustSink, objectsOf } from "./must.ts";
import { omeMusts, type OmePlace, omePlace } from "./ome-musts.ts";
import { disproportions, type SizedLevel } from "./proportion.ts";
import { levelsOf, numbersOf } from "./read-levels.ts";
import { groupedBy } from "../basics.ts";
import { finding, type Finding, nodeAt } from "../findings/finding.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import type { ArrayNode, Hierarchy, HierarchyNode } from "../metadata/array-metadata.ts";
import { attribute, textAttribute } from "../metadata/attribute.ts";
import { parentPath } from "../metadata/hierarchy-path.ts";

/** `unlisted`: unknown nodes may exist. */
export function conventionFaults(hierarchy: Hierarchy, unlisted: boolean): readonly Finding[] {
  const found: Finding[] = [];
  const nodes = [...hierarchy.nodes.values()];
  const zarrFormat = nodes.find((node) => node.kind === "array")?.metadata.zarrFormat;
  const told = new Set<string>();
  const withCrs = pathsAbove(nodes);
  for (const node of nodes) {
    const { attributes } = node;
    if (node.kind === "broken" || !isJsonObject(attributes)) continue;
    const read = levelsOf(node.path, attributes);
    const malformed = new Set(read.findings.map(({ facts }) => facts["member"]));
    const musts: Must[] = [];
    const into = (must: Must) => void (malformed.has(must.member) || musts.push(must));
    const place = node.kind === "group" ? omePlace(attributes) : undefined;
    if (place?.version !== undefined) {
      const sink = mustSink(`OME-NGFF ${place.version}`, into, "multiscale-md");
      const images = [...read.sets.entries()].filter(([, { convention }]) => convention === "ome");
      for (const [at, image] of images) imageAxes(image, `${place.prefix}multiscales[${at}].axes`, hierarchy, sink);
      omeMusts(place, zarrFormat).forEach(into);
      for (const [at, image] of images)
        imageLevels(image, `${place.prefix}multiscales[${at}].datasets`, hierarchy, sink);
      if (images[0] !== undefined) channels(images[0][1], place, hierarchy, sink);
      relatives(node, place, { hierarchy, unlisted }, sink);
    }
    const parents = ancestors(node.path);
    const declared = parents.flatMap((path) => {
      const above = hierarchy.nodes.get(path)?.attributes;
      return isJsonObject(above) ? declaredBy(above) : [];
    });
    const hasCrsNear = [node.path, ...parents].some((path) => withCrs.has(path));
    const near = { above: new Set<GeoConvention>(declared), hasCrsNear, isGroup: node.kind === "group" };
    geoMusts(attributes, near).forEach(into);
    geoShapes(node, attributes, hierarchy, into);
    // The first level, channel or well that breaks a rule is told, as is the first node that declares nothing.
    const keyOf = ({ rule, convention, member }: Must) =>
      member.startsWith("zarr_conventions:") ? convention : `${node.path} ${rule} ${member.replaceAll(/\d+/g, "")}`;
    for (const [key, [must, ...more]] of groupedBy(musts, keyOf)) {
      const facts = more.length === 0 ? must : { ...must, more: more.length };
      if (!told.has(key)) found.push(finding("convention-must", nodeAt(node.path), facts));
      told.add(key);
    }
  }
  return found;
}

const MAX_DEPTH = 64;

function ancestors(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = parentPath(path); at !== undefined && above.length < MAX_DEPTH; at = parentPath(at)) above.push(at);
  return above;
}

/** Paths of nodes with a CRS, and of those above them. */
function pathsAbove(nodes: readonly HierarchyNode[]): ReadonlySet<string> {
  const own = nodes.filter(({ attributes }) => isJsonObject(attributes) && hasCrs(attributes));
  return new Set(own.flatMap(({ path }) => [path, ...ancestors(path)]));
}

function arrayOf(hierarchy: Hierarchy, { path }: Level): ArrayNode | undefined {
  const node = hierarchy.nodes.get(path);
  return node && mainArray(arraysOfLevel(hierarchy, node));
}

/** Axes are as many as dimensions, if all levels have one number of these. */
function imageAxes({ axes, levels }: LevelSet, member: string, hierarchy: Hierarchy, sink: MustSink): void {
  const ranks = new Set(levels.flatMap((level) => arrayOf(hierarchy, level)?.metadata.shape.length ?? []));
  const [rank] = ranks;
  if (ranks.size !== 1 || rank === axes.length || axes.length === 0) return;
  const names = axes.map(({ name }) => name).join(", ");
  sink(member, `a list of ${rank} axes, as the arrays have ${rank} dimensions`, names, { rule: "axes" });
}

/** Channels of `omero`: one for each of the image. */
function channels(
  { axes, levels }: LevelSet,
  { inside, prefix }: OmePlace,
  hierarchy: Hierarchy,
  sink: MustSink,
): void {
  const list = objectsOf(attribute(inside.get("omero"), "channels"));
  const shape = levels[0] === undefined ? undefined : arrayOf(hierarchy, levels[0])?.metadata.shape;
  const at = axes.findIndex(({ type }) => type === "channel");
  const count = shape?.length === axes.length ? shape[at] : undefined;
  if (list === undefined || list.length === 0 || count === undefined || list.length === count) return;
  const about = { rule: "channels", section: "omero-md" } as const;
  sink(`${prefix}omero.channels`, `a list of ${count}, one for each channel`, String(list.length), about);
}

/** Levels against their arrays. That all have one type is what readers demand, not the text. */
function imageLevels({ axes, levels, version }: LevelSet, member: string, hierarchy: Hierarchy, sink: MustSink): void {
  const arrays = levels.map((level) => arrayOf(hierarchy, level)?.metadata);
  const sized = levels.map(({ scale }, at) => {
    const shape = arrays[at]?.shape;
    return scale && shape && { scale, shape };
  });
  const names = axes.map(({ name }) => name);
  const ranks = new Set(arrays.flatMap((array) => array?.shape.length ?? []));
  proportion(sized, names, sink, (level) => `${member}[${level}].coordinateTransformations`);
  const [first] = arrays;
  for (const [at, array] of arrays.entries()) {
    if (array === undefined || first === undefined) continue;
    const { shape, dataType, dimensionNames = [], zarrFormat } = array;
    // The axes are told where all arrays have another number of dimensions.
    const rank = axes.length === 0 || ranks.size === 1 ? first.shape.length : axes.length;
    const inside = `${member}[${at}]`;
    const ofRank = `an array of ${rank} dimensions, as there are axes`;
    if (shape.length !== rank) sink(inside, ofRank, `${shape.length} dimensions`, { rule: "axes" });
    const ofType = `an array of ${first.dataType.text}, the data type of level 0`;
    if (dataType.text.replace(/^[<>|]/, "") !== first.dataType.text.replace(/^[<>|]/, ""))
      sink(inside, ofType, dataType.text, { rule: "level-type" });
    const own = dimensionNames.map((name) => name ?? "");
    if (version !== "0.5" || zarrFormat !== 3 || shape.length !== names.length || own.join("\0") === names.join("\0"))
      continue;
    // Names of another kind confuse nobody; the same in another order do.
    const isTurned = own.toSorted().join("\0") === names.toSorted().join("\0");
    const about = { rule: isTurned ? "level-names" : "note", section: "axes-md" } as const;
    const found = own.length === 0 ? "nothing" : `[${own.join(", ")}]`;
    sink(`dimension_names of ${inside}`, `[${names.join(", ")}], the names of the axes`, found, about);
  }
  const sizes = arrays.flatMap((array) => array?.shape.reduce((all, length) => all * length, 1) ?? []);
  if (sizes.length > 1 && sizes.every((size, at) => size > (sizes[at - 1] ?? 0)))
    sink(member, "from the largest level to the smallest", "the smallest first", { rule: "level-order" });
}

const TIMES: ReadonlyMap<number, string> = new Map([
  [0.5, "half"],
  [1, "once"],
  [2, "twice"],
]);

function proportion(
  levels: readonly (SizedLevel | undefined)[],
  axes: readonly string[],
  sink: MustSink,
  memberOf: (level: number) => string,
): void {
  const [first, ...more] = disproportions(levels);
  if (first === undefined) return;
  const { level, reference } = first;
  const same = [first, ...more].filter((one) => one.level === level && one.reference === reference);
  const [own, other] = [levels[level], levels[reference]];
  const scale = own?.scale.map((size, axis) => {
    const factor = same.find((one) => one.axis === axis)?.factor;
    return factor === undefined ? size : Number(((other?.scale[axis] ?? 1) * factor).toPrecision(12));
  });
  const along = (lengths: readonly number[] = []) => same.map(({ axis }) => lengths[axis]).join(" × ");
  const times = [...new Set(same.map(({ factor }) => TIMES.get(factor) ?? `${factor} times`))].join(" or ");
  const names = same.map(({ axis }) => axes[axis] ?? `dimension ${axis}`).join(" and ");
  const expected = `a scale of [${scale?.join(", ")}], ${times} that of level ${reference} along ${names}, as level ${level} has ${along(own?.shape)} elements there and level ${reference} ${along(other?.shape)}`;
  const write = `[${scale?.join(", ")}]`;
  sink(memberOf(level), expected, `[${own?.scale.join(", ")}]`, { rule: "level-scale", write });
}

interface Around {
  readonly hierarchy: Hierarchy;
  readonly unlisted: boolean;
}

/** Groups that a group's metadata names: §plate-md, §well-md, §labels-md, §label-md. */
function relatives(
  { path: group }: HierarchyNode,
  { inside, prefix }: OmePlace,
  { hierarchy, unlisted }: Around,
  sink: MustSink,
): void {
  const { nodes } = hierarchy;
  const insideOf = (path: string) => omePlace(nodes.get(path)?.attributes)?.inside;
  const there = (rule: Must["rule"], section: string, member: string, path: JsonValue | undefined) => {
    if (typeof path === "string" && !unlisted && !nodes.has(within(group, path)))
      sink(`${prefix}${member}`, "the path of a group", `“${path}”, where there is none`, { rule, section });
  };
  for (const [at, one] of (objectsOf(attribute(inside.get("plate"), "wells")) ?? []).entries())
    there("plate", "plate-md", `plate.wells[${at}].path`, one.get("path"));
  const plate = insideOf(within(group, "../.."))?.get("plate");
  const ids = objectsOf(attribute(plate, "acquisitions"))?.map((one) => one.get("id"));
  for (const [at, one] of (objectsOf(attribute(inside.get("well"), "images")) ?? []).entries()) {
    const [member, value] = [`well.images[${at}]`, one.get("acquisition")];
    there("well", "well-md", `${member}.path`, one.get("path"));
    const expected = "the id of an acquisition of the plate";
    if (ids !== undefined && (value === undefined ? ids.length > 1 : !ids.includes(value)))
      sink(`${prefix}${member}.acquisition`, expected, { value }, { section: "well-md" });
  }
  const labels = inside.get("labels");
  for (const [at, path] of (Array.isArray(labels) ? labels.slice(0, MAX_LABELS) : []).entries())
    there("note", "labels-md", `labels[${at}]`, path);
  const label = inside.get("image-label");
  if (!isJsonObject(label)) return;
  const image = attribute(label.get("source"), "image");
  there("note", "label-md", "image-label.source.image", image);
  const levelsIn = (of: JsonObject | undefined) =>
    objectsOf(objectsOf(of?.get("multiscales"))?.[0]?.get("datasets"))?.length;
  const other = levelsIn(insideOf(within(group, typeof image === "string" ? image : "../..")));
  const own = levelsIn(inside);
  const expected = `a list of ${other ?? "levels"}, as its image has`;
  if (own === undefined || (other !== undefined && own !== other))
    sink(`${prefix}multiscales[0].datasets`, expected, String(own ?? "nothing"), { section: "label-md" });
}

const MAX_LABELS = 1000;

/** A path relative to a group. */
function within(group: string, path: string): string {
  const parts = group === "" ? [] : group.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

type Plane = readonly [height: number, width: number];

/** Lengths along y and x of the arrays of a node that have both dimensions. */
function planesOf(
  node: HierarchyNode | undefined,
  hierarchy: Hierarchy,
  dimensions: JsonValue | undefined,
): readonly Plane[] {
  const [y, x] = Array.isArray(dimensions) ? dimensions.slice(-2) : [];
  return (node === undefined ? [] : arraysOfLevel(hierarchy, node)).flatMap(
    ({ metadata: { shape, dimensionNames = [] } }) => {
      const [height, width] = [y, x].map((name) => shape[dimensionNames.findIndex((one) => one === name)]);
      return height === undefined || width === undefined ? [] : [[height, width] as const];
    },
  );
}

/** Shapes, scales and transforms against the arrays: §spatial:shape, and multiscales, §transform object. */
function geoShapes(
  node: HierarchyNode,
  attributes: JsonObject,
  hierarchy: Hierarchy,
  into: (must: Must) => void,
): void {
  const dimensions = attributes.get("spatial:dimensions");
  const spatial = mustSink("the Zarr convention spatial", into, "spatial:shape");
  const [first, second] = Array.isArray(dimensions) ? dimensions.slice(-2).map(String) : [];
  if (/^(?:x|lon(?:gitude)?|easting)$/i.test(first ?? "") && /^(?:y|lat(?:itude)?|northing)$/i.test(second ?? "")) {
    const about = { rule: "spatial-shape", section: "spatial:dimensions", write: `["${second}", "${first}"]` } as const;
    return spatial("spatial:dimensions", "y first, then x", { value: dimensions }, about);
  }
  const shape = (of: JsonObject, prefix: string, planes: readonly Plane[]) => {
    const value = numbersOf(of.get("spatial:shape"))?.slice(-2);
    if (value === undefined || planes.length === 0 || planes.some((plane) => plane.join() === value.join())) return;
    const write = `[${planes[0]?.join(", ")}]`;
    const expected = `${write}, the height and width of the array`;
    spatial(`${prefix}spatial:shape`, expected, { value }, { rule: "spatial-shape", write });
  };
  const list = objectsOf(layoutOf(attributes));
  const inherited = attribute(hierarchy.nodes.get(parentPath(node.path) ?? "")?.attributes, "spatial:dimensions");
  const isPlaced = ["transform", "bbox", "shape"].some((name) => attributes.has(`spatial:${name}`));
  if (node.kind === "array" && isPlaced && (dimensions ?? inherited ?? null) === null)
    spatial("spatial:dimensions", "the names of two dimensions", "nothing", { section: "spatial:dimensions" });
  // The shape of a group of levels is that of one of them.
  if (list === undefined) return shape(attributes, "", planesOf(node, hierarchy, dimensions));
  const levels = list.map((one) => {
    const there = hierarchy.nodes.get(within(node.path, textAttribute(one, "asset") ?? ""));
    const planes = planesOf(there, hierarchy, attribute(there?.attributes, "spatial:dimensions") ?? dimensions);
    return { one, planes, plane: planes[0] };
  });
  for (const [at, { one, planes }] of levels.entries()) shape(one, `multiscales.layout[${at}].`, planes);
  const [, , x0 = 0, , , y0 = 0] = numbersOf(list[0]?.get("spatial:transform")) ?? [];
  const pixels = levels.map(({ one, plane }) => {
    const [a = 0, b, c = 0, d, e = 0, f = 0] = numbersOf(one.get("spatial:transform")) ?? [];
    // A level that begins elsewhere may be a part of the others.
    const isSame = Math.abs(c - x0) <= 2 * Math.abs(a) && Math.abs(f - y0) <= 2 * Math.abs(e);
    return plane && b === 0 && d === 0 && isSame ? { scale: [Math.abs(e), Math.abs(a)], shape: plane } : undefined;
  });
  proportion(pixels, ["y", "x"], spatial, (level) => `multiscales.layout[${level}].spatial:transform`);
  // Some writers mean a scale from the source, others one from the first level.
  const [steps] = levelsOf(node.path, attributes).sets.filter(({ convention }) => convention === "multiscales");
  const readings = [
    levels.map(({ one }) => numbersOf(attribute(one.get("transform"), "scale"))),
    (steps?.levels ?? []).map(({ factors }) => factors),
  ].map((scales) =>
    levels.map(({ plane }, at) =>
      plane && scales[at]?.length === 2 ? { scale: scales[at], shape: plane } : undefined,
    ),
  );
  if (readings.some((reading) => disproportions(reading).length === 0)) return;
  const sink = mustSink("the Zarr convention multiscales", into, "transform object");
  proportion(readings[1] ?? [], ["y", "x"], sink, (level) => `multiscales.layout[${level}].transform.scale`);
}
