/** Features in the metadata as written that stop readers which open a group with everything in it. */
import { attempt } from "#core/basics.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { ArrayNode, BrokenNode } from "#core/metadata/array-metadata.ts";
import { parentOf, parentPath } from "#core/metadata/hierarchy-path.ts";
import type { FeatureId, ReaderRule } from "#core/readers/rules.ts";
import type { FeatureUse } from "#core/readers/verdict.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "#engine/engine-set.ts";

/** They open a group, the root unless another is named, and fail where one array in it fails. */
const GROUP_READERS: ReadonlySet<string> = new Set(["xarray", "rioxarray", "titiler"]);

/** Features that a reader meets when it opens an array, before any chunk is read. */
const MET_ON_OPENING: ReadonlySet<FeatureId> = new Set<FeatureId>([
  "dimension-names-refused",
  "dimension-names-wrong",
  "codec-order",
  "fill-value-refused",
  "fill-value-doubtful",
  "fill-refused",
  "metadata-invalid",
  "type-zarr-python-lacks",
  "codec-zarr-python-lacks",
  "storage-transformers",
  "rectilinear-grid",
]);

/** For an array in the root group, a reader that opens the whole group opens nothing. */
export function useBy(reader: string, { feature, effect }: ReaderRule, use: FeatureUse): FeatureUse {
  const { arrays = [] } = use;
  if (effect !== "refuses" || !MET_ON_OPENING.has(feature) || !GROUP_READERS.has(reader)) return use;
  return arrays.some((path) => parentPath(path) === "") ? { ...use, count: 1, of: 1, unit: "set" } : use;
}

/** Metadata that no reader can take, and metadata that are not understood or did not come here. */
const INVALID: ReadonlySet<string> = new Set(["metadata-broken", "metadata-invalid"]);

export function groupFeatures(set: EngineSet): readonly FeatureUse[] {
  const { hierarchy, tally, unlisted = false } = set;
  const nodes = [...hierarchy.nodes.values()];
  const arrays = nodes.filter((node) => node.kind === "array");
  const broken = nodes.filter((node) => node.kind === "broken");
  const cellsOf = (path: string) => tally.arrays.get(path)?.cells ?? 0;
  const inArrays = (feature: FeatureId, among: readonly ArrayNode[]): readonly FeatureUse[] => {
    const [first] = among;
    if (first === undefined) return [];
    const count = among.reduce((sum, { path }) => sum + cellsOf(path), 0);
    const paths = among.map(({ path }) => path);
    // Arrays without any element have no chunks.
    const extent = count === 0 ? { count: among.length, of: arrays.length } : { count, of: tally.cells };
    return [{ feature, ...extent, unit: "chunk", arrays: paths, first: first.path }];
  };
  const inDocuments = (feature: FeatureId, among: readonly BrokenNode[]): readonly FeatureUse[] => {
    const paths = among.map(({ path }) => path);
    if (paths.length === 0) return [];
    return [{ feature, count: paths.length, of: arrays.length + broken.length, unit: "document", arrays: paths }];
  };
  const whole = { count: 1, of: 1, unit: "set" } as const;
  const isUnseen = unlisted && arrays.length + broken.length === 0;
  const inGroups = arrays.filter(({ path }) => (parentPath(path) ?? "") !== "");
  return [
    ...(unlisted ? [{ feature: "unlisted", ...whole } as const] : []),
    ...(isUnseen ? [{ feature: "unseen", ...whole } as const] : []),
    ...inArrays("nested-arrays", inGroups),
    ...inArrays("coordinates-elsewhere", placedElsewhere(arrays)),
    ...inArrays(
      "dimension-names-refused",
      arrays.filter((node) => node.path !== "" && refusesNames(set, node)),
    ),
    ...inDocuments(
      "metadata-invalid",
      broken.filter(({ reason }) => INVALID.has(reason.code)),
    ),
    ...inDocuments(
      "metadata-unread",
      broken.filter(({ reason }) => !INVALID.has(reason.code)),
    ),
  ];
}

const isPlace = ({ attributes }: ArrayNode): boolean =>
  /^(?:latitude|longitude)$/.test(textAttribute(attributes, "standard_name") ?? "") ||
  /^degrees?_?(?:north|east)$/i.test(textAttribute(attributes, "units") ?? "");

/** Arrays whose latitude and longitude, of as many elements in two dimensions, are in other groups alone. */
function placedElsewhere(arrays: readonly ArrayNode[]): readonly ArrayNode[] {
  const places = arrays.filter(isPlace);
  const groups = new Set(places.map(parentOf));
  const planeOf = ({ metadata }: ArrayNode) => metadata.shape.slice(-2).join();
  const planes = new Set(places.filter(({ metadata }) => metadata.shape.length === 2).map(planeOf));
  return arrays.filter(
    (node) =>
      node.metadata.shape.length > 1 && !isPlace(node) && !groups.has(parentOf(node)) && planes.has(planeOf(node)),
  );
}

/**
 * True if xarray refuses the names, by its `_get_zarr_dims_and_attrs` and `Variable`: a test compares it with recorded
 * outcomes.
 */
function refusesNames(set: EngineSet, { path, metadata, attributes }: ArrayNode): boolean {
  const { shape, zarrFormat, dimensionNames } = metadata;
  // A scalar in Zarr v3 needs no names; zarr-python itself refuses a value that is no list of as many names.
  const given = zarrFormat === 3 ? (dimensionNames ?? []).map((name) => name ?? null) : namesOfVersion2();
  // Names are keys of a dict, which lists and objects cannot be, and one name has one length.
  const isNone = (name: JsonValue) => Array.isArray(name) || isJsonObject(name);
  return (
    given?.length !== shape.length || given.some((name, at) => isNone(name) || shape[given.indexOf(name)] !== shape[at])
  );

  function namesOfVersion2() {
    const written = attribute(attributes, "_ARRAY_DIMENSIONS") ?? ncZarrNames(set, path);
    return written === undefined ? undefined : iterated(written);
  }
}

/** Result of Python's `tuple`, where a text is one name; `undefined` if it raises. */
function iterated(names: JsonValue): readonly JsonValue[] | undefined {
  if (typeof names === "string") return [names];
  if (isJsonObject(names)) return [...names.keys()];
  return Array.isArray(names) ? (names as readonly JsonValue[]) : undefined;
}

/** Dimension names in netCDF-C's own member, which it writes in place of an attribute. */
function ncZarrNames({ documents }: EngineSet, path: string): JsonValue | undefined {
  const key = `${path}/.zarray`;
  const parse = (name: string) => attempt(() => parseJson(documents.get(name)?.text ?? "").value);
  const document = parse(key) ?? attribute(attribute(parse(".zmetadata"), "metadata"), key);
  return attribute(attribute(document, "_NCZARR_ARRAY"), "dimrefs");
}
