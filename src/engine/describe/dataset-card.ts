/** Describes a group as a dataset. Makes no request: uses loaded metadata and counts. */
import { scalingOf } from "#core/cf/cf.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import type {
  CardAttribute,
  CardDimension,
  CardGroup,
  CardVariable,
  DatasetCard,
  VariableRole,
} from "#core/dataset-card.ts";
import { failure, nodeAt } from "#core/findings/finding.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { writeJson } from "#core/json/parse-json.ts";
import type { EngineSet } from "../engine-set.ts";
import { levelMarks } from "./summary.ts";
import { cardLevels, georeferenceAt } from "./levels.ts";
import { arraysOfLevel } from "#core/conventions/levels.ts";
import { textAttribute, variableTitle } from "#core/metadata/attribute.ts";

/** Card of a group; for an array, of the dataset that holds it alone. */
export function datasetCard(set: EngineSet, path: string): DatasetCard {
  const node = set.hierarchy.nodes.get(path);
  if (node === undefined) throw failure("no-such-node", nodeAt(path), {});
  const arrays = arraysOfLevel(set.hierarchy, node);
  const roles = rolesOf(arrays, node);
  const text = (name: string) => textAttribute(node.attributes, name);
  const georeference = georeferenceAt(set.hierarchy, node);
  const [title, summary, conventions] = [text("title"), text("summary"), text("Conventions")];
  return {
    path,
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary }),
    ...(conventions === undefined ? {} : { conventions }),
    dimensions: dimensionsOf(atFullResolution(set, arrays), roles),
    variables: arrays.map((array) => variableOf(set, array, roles.get(array.path) ?? "data")),
    groups: node.kind === "group" ? groupsIn(set, path) : [],
    levels: cardLevels(set.hierarchy, path, set.unlisted === true),
    ...(georeference === undefined ? {} : { georeference }),
    ...attributesOf(node.attributes),
  };
}

/** Without coarser levels, whose dimensions are shorter on purpose; all, where there are only such. */
function atFullResolution({ hierarchy }: EngineSet, arrays: readonly ArrayNode[]): readonly ArrayNode[] {
  const marks = levelMarks(hierarchy);
  const finest = arrays.filter(({ path }) => (marks.get(path)?.index ?? 0) === 0);
  return finest.length === 0 ? arrays : finest;
}

function groupsIn({ hierarchy }: EngineSet, path: string): readonly CardGroup[] {
  const groups = hierarchy.childrenOf(path).flatMap((child) => {
    const node = hierarchy.nodes.get(child);
    return node?.kind === "group" ? [node] : [];
  });
  const arrays = new Map(groups.map((group) => [group.path, 0]));
  const depth = path === "" ? 1 : path.split("/").length + 1;
  for (const node of groups.length === 0 ? [] : hierarchy.nodes.values()) {
    const child = node.path.split("/").slice(0, depth).join("/");
    const count = arrays.get(child);
    if (node.kind === "array" && count !== undefined) arrays.set(child, count + 1);
  }
  return groups.map((group) => ({ path: group.path, name: group.name, arrays: arrays.get(group.path) ?? 0 }));
}

/** Roles of variables by path. */
function rolesOf(arrays: readonly ArrayNode[], node: HierarchyNode): ReadonlyMap<string, VariableRole> {
  const named = new Set([node, ...arrays].flatMap(coordinatesNamedBy));
  const roles = new Map(arrays.map((array) => [array.path, roleOf(array, named)]));
  // If nothing is described as data, no variable is less described than the rest.
  const isDescribed = [...roles.values()].includes("data");
  if (!isDescribed) for (const [path, role] of roles) if (role === "other") roles.set(path, "data");
  return roles;
}

/** CF §5: names with blanks between them. */
function coordinatesNamedBy({ attributes }: Pick<HierarchyNode, "attributes">): readonly string[] {
  return textAttribute(attributes, "coordinates")?.trim().split(/\s+/) ?? [];
}

function roleOf({ name, metadata, attributes }: ArrayNode, named: ReadonlySet<string>): VariableRole {
  if (metadata.shape.length === 1 && metadata.dimensionNames?.[0] === name) return "dimension";
  if (named.has(name)) return "coordinate";
  const isDescribed = variableTitle(attributes) !== undefined || textAttribute(attributes, "units") !== undefined;
  return isDescribed ? "data" : "other";
}

/** Those of data variables first: the order in which readers name them. */
function dimensionsOf(
  arrays: readonly ArrayNode[],
  roles: ReadonlyMap<string, VariableRole>,
): readonly CardDimension[] {
  const lengths = new Map<string, Set<number>>();
  const add = ({ metadata: { shape, dimensionNames } }: ArrayNode) => {
    for (const [at, name] of (dimensionNames ?? []).entries()) {
      const length = shape[at];
      if (name === undefined || name === "" || length === undefined) continue;
      lengths.set(name, (lengths.get(name) ?? new Set()).add(length));
    }
  };
  const isData = ({ path }: ArrayNode) => roles.get(path) === "data";
  for (const array of arrays.filter(isData)) add(array);
  for (const array of arrays.filter((one) => !isData(one))) add(array);
  const coordinates = new Set(arrays.flatMap(({ path, name }) => (roles.get(path) === "dimension" ? [name] : [])));
  return [...lengths].map(([name, all]) => ({ name, lengths: [...all], hasCoordinate: coordinates.has(name) }));
}

function variableOf(set: EngineSet, node: ArrayNode, role: VariableRole): CardVariable {
  const { path, name, metadata, attributes } = node;
  const { dataType } = metadata;
  const [title, units] = [variableTitle(attributes), textAttribute(attributes, "units")];
  const scaling = scalingOf(metadata, attributes);
  const tally = set.tally.arrays.get(path);
  return {
    path,
    name,
    role,
    ...(title === undefined ? {} : { title }),
    ...(units === undefined ? {} : { units }),
    type: {
      kind: dataType.kind,
      itemSize: dataType.itemSize,
      isBigEndian: dataType.byteOrder === "big",
      text: dataType.text,
    },
    isPacked: scaling !== undefined && (scaling.scaleFactor !== 1 || scaling.addOffset !== 0),
    isTime: scaling?.time !== undefined,
    hasNumbers: hasNumbers(dataType),
    bytes: tally?.bytes ?? 0,
    bad: tally?.states.bad ?? 0,
  };
}

const MAX_ATTRIBUTES = 60;
/** Characters. */
const MAX_ATTRIBUTE = 600;

function attributesOf(attributes: JsonValue | undefined): Pick<DatasetCard, "attributes" | "attributeCount"> {
  const all = isJsonObject(attributes) ? [...attributes] : [];
  return {
    attributes: all.slice(0, MAX_ATTRIBUTES).map(([name, value]): CardAttribute => {
      const text = typeof value === "string" ? value : writeJson(value);
      return { name, text: text.slice(0, MAX_ATTRIBUTE), isCut: text.length > MAX_ATTRIBUTE };
    }),
    attributeCount: all.length,
  };
}
