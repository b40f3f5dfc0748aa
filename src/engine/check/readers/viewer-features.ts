/** Features of a set's metadata that map libraries, image viewers, rioxarray and Zarr.jl treat differently. */
import { groupedBy } from "#core/basics.ts";
import type { JsonValue } from "#core/json/json.ts";
import type { ArrayMetadata, ArrayNode } from "#core/metadata/array-metadata.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import type { FeatureId } from "#core/readers/rules.ts";
import type { FeatureUse } from "#core/readers/verdict.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** zarrita 0.6.2, with the codec that vizarr registers. */
const VIZARR_CODECS = names(
  "blosc lz4 zstd gzip zlib transpose bytes crc32c vlen-utf8 json2 bitround sharding_indexed jpeg2k",
);
/** Codecs that its documentation lists, for each version of Zarr. */
const NEUROGLANCER_CODECS = {
  2: names("blosc gzip zlib zstd"),
  3: names("crc32c blosc bytes gzip sharding_indexed transpose zstd"),
} as const;
/** Those that Zarr.jl 0.10.0 registers. */
const ZARR_JL_CODECS = {
  2: names("blosc zlib zstd vlen-array vlen-utf8 fletcher32 fixedscaleoffset shuffle quantize delta"),
  3: names("bytes sharding_indexed transpose gzip blosc zstd crc32c"),
} as const;
/** Those that zarr-js 3.3.0 has arrays for, as written. */
const MAPS_TYPES = {
  2: /^(?:<i1|<u1|\|b1|\|u1|<i2|<u2|<i4|<u4|<f4|<f8|<U\d+|\|S\d+)$/,
  3: /^(?:uint8|int16|int32|float32|float64)$/,
} as const;

export function viewerArrayFeatures(node: ArrayNode): readonly FeatureId[] {
  const { metadata } = node;
  const { zarrFormat, decoding, order, separator, shape, dataType, sharding } = metadata;
  const ids = [...decoding.map(({ id }) => id), ...(sharding === undefined ? [] : ["sharding_indexed"])];
  const isV2 = zarrFormat === 2;
  // Which of v2's codecs is the compressor the metadata do not keep: of several one is a filter.
  const hasFilters = isV2 && ids.length > 1;
  const lacks = (known: ReadonlySet<string>) => ids.some((id) => !known.has(id));
  const found: readonly (readonly [FeatureId, boolean])[] = [
    ["coordinates-packed", isPackedPlace(node)],
    ["order-f", order === "F" && shape.length > 1],
    ["slash-keys-v2", isV2 && separator === "/" && shape.length > 1],
    ["filters-v2", hasFilters],
    ["codec-neuroglancer-lacks", !hasFilters && lacks(NEUROGLANCER_CODECS[zarrFormat])],
    ["codec-zarr-jl-lacks", lacks(ZARR_JL_CODECS[zarrFormat])],
    ["codec-vizarr-lacks", ids.some((id) => !VIZARR_CODECS.has(id.replace(/^numcodecs\./, "")))],
    ["codec-maps-lacks", !hasFilters && !isCodecOfMaps(metadata)],
    ["int64-v2", isV2 && dataType.kind === "int" && dataType.itemSize === 8],
    ["integers-64", isInteger(dataType) && dataType.itemSize === 8],
    ["type-neuroglancer-lacks", !isTypeOfNeuroglancer(dataType, isV2)],
    ["type-vizarr-lacks", !isInteger(dataType) && dataType.kind !== "float"],
    ["type-zarr-jl-lacks", !isTypeOfZarrJl(dataType, isV2)],
    ["type-maps-lacks", !MAPS_TYPES[zarrFormat].test(dataType.text)],
  ];
  return found.filter(([, isThere]) => isThere).map(([feature]) => feature);
}

/** zarr-js undoes the compressor of Zarr v2, of v3 the first codec alone, inside shards as well. */
function isCodecOfMaps({ zarrFormat, decoding }: ArrayMetadata): boolean {
  const first = decoding.at(-1);
  if (zarrFormat === 2) return first === undefined || first.id === "zlib" || first.id === "gzip";
  return first?.id === "gzip" || (first?.id === "blosc" && first.configuration.get("cname") === "zlib");
}

const isInteger = ({ kind }: DataType): boolean => kind === "int" || kind === "uint";

function isTypeOfNeuroglancer(type: DataType, isV2: boolean): boolean {
  if (type.kind === "float") return type.itemSize === 4;
  return type.kind === "uint" || (type.kind === "int" && (type.itemSize < 8 || isV2));
}

function isTypeOfZarrJl(type: DataType, isV2: boolean): boolean {
  if (isInteger(type) || type.kind === "bool") return true;
  if (type.kind === "float") return type.itemSize <= 8;
  if (type.kind === "complex") return type.itemSize <= 16;
  if (!isV2) return false;
  return ["bytes", "unicode", "object", "datetime"].includes(type.kind);
}

/** Features of the whole set, or of a group's grid. */
export function viewerSetFeatures({ hierarchy, tally }: EngineSet): readonly FeatureUse[] {
  const root = hierarchy.nodes.get("");
  const ome = attribute(root?.attributes, "ome") ?? root?.attributes;
  const whole = { count: 1, of: 1, unit: "set" } as const;
  const uses: FeatureUse[] = [];
  if (!isPyramidOfMaps(root?.attributes)) uses.push({ feature: "pyramid-absent", ...whole });
  const isImage = OME.some((name) => attribute(ome, name) !== undefined);
  if (root?.kind !== "array" && !isImage) uses.push({ feature: "ome-absent", ...whole });
  const scales = attribute(ome, "multiscales");
  const version = attribute(ome, "version") ?? attribute(Array.isArray(scales) ? scales[0] : undefined, "version");
  const isOfV3 =
    version === "0.5" &&
    [...hierarchy.nodes.values()].some((node) => node.kind === "array" && node.metadata.zarrFormat === 2);
  if (Array.isArray(scales) && version === undefined) uses.push({ feature: "ome-version-absent", ...whole });
  else if (scales !== undefined && (isOfV3 || !OME_OF_NEUROGLANCER.has(version)))
    uses.push({ feature: "ome-version-other", ...whole });
  const arrays = arraysWithoutPlane(hierarchy.nodes);
  const count = arrays.reduce((sum, path) => sum + (tally.arrays.get(path)?.cells ?? 0), 0);
  const [first] = arrays;
  if (first !== undefined && count > 0)
    uses.push({ feature: "spatial-dimensions-absent", count, of: tally.cells, unit: "chunk", arrays, first });
  return uses;
}

/** OME versions that its documentation lists. */
const OME_OF_NEUROGLANCER: ReadonlySet<unknown> = new Set(["0.4", "0.5-dev", "0.5"]);

/** Attributes by which vizarr knows what to show; it sends `bioformats2raw.layout` on to another tool. */
const OME = ["multiscales", "plate", "well", "bioformats2raw.layout"];

function isPyramidOfMaps(attributes: JsonValue | undefined): boolean {
  const list = attribute(attributes, "multiscales");
  const datasets = attribute(Array.isArray(list) ? list[0] : undefined, "datasets");
  return attribute(Array.isArray(datasets) ? datasets[0] : undefined, "pixels_per_tile") !== undefined;
}

const STANDARD_NAMES = {
  x: /^(?:longitude|projection_x_coordinate)$/i,
  y: /^(?:latitude|projection_y_coordinate)$/i,
} as const;

/**
 * Arrays in whose group rioxarray finds no dimensions for x and y: by name, else by attributes of coordinates (its
 * `cf.py`).
 */
function arraysWithoutPlane(nodes: EngineSet["hierarchy"]["nodes"]): readonly string[] {
  const arrays = [...nodes.values()].filter((node) => node.kind === "array");
  return [...groupedBy(arrays, parentOf)].flatMap(([group, members]) => {
    // The convention that it reads since 0.22.
    const says = [nodes.get(group), ...members].some((node) => attribute(node?.attributes, "spatial:dimensions"));
    const dimensions = new Set(members.flatMap(({ metadata }) => metadata.dimensionNames ?? []));
    const isAlong = (axis: "x" | "y") => members.some((node) => isCoordinateAlong(node, axis));
    const isNamed = ["x y", "longitude latitude"].some((pair) => pair.split(" ").every((name) => dimensions.has(name)));
    if (says || isNamed || (isAlong("x") && isAlong("y"))) return [];
    return members.filter(({ metadata }) => metadata.shape.length > 1).map(({ path }) => path);
  });
}

/** GDAL knows coordinates of x and y by these names as well. */
const PLACE_NAMES = /^(?:x|y|lat|lon|latitude|longitude)$/i;

function isPackedPlace(node: ArrayNode): boolean {
  const isPlace = isCoordinateAlong(node, "x") || isCoordinateAlong(node, "y") || PLACE_NAMES.test(node.name);
  const [scale = 1, offset = 0] = ["scale_factor", "add_offset"].map((name) => attribute(node.attributes, name));
  return isPlace && node.metadata.shape.length === 1 && (Number(scale) !== 1 || Number(offset) !== 0);
}

function isCoordinateAlong({ name, metadata, attributes }: ArrayNode, axis: "x" | "y"): boolean {
  const { dimensionNames } = metadata;
  if (dimensionNames?.length !== 1 || dimensionNames[0] !== name) return false;
  const standard = textAttribute(attributes, "standard_name") ?? "";
  return textAttribute(attributes, "axis")?.toLowerCase() === axis || STANDARD_NAMES[axis].test(standard);
}
