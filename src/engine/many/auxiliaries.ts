/**
 * Coordinates that stand along no dimension alone (CF §5: the attribute `coordinates`), such as the latitudes of a
 * curvilinear grid.
 */
import type { BesideValue } from "../../core/axis.ts";
import { scalingOf } from "../../core/cf.ts";
import { hasNumbers } from "../../core/data-type.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { nearPaths } from "../../core/near-paths.ts";
import { attribute } from "../describe/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import { roleOf, textOf } from "./axis.ts";

export interface Auxiliary {
  readonly node: ArrayNode;
  /** Of the array: those that the coordinate has, in its own order. */
  readonly dimensions: readonly number[];
}

/** Names are whatever somebody wrote: so many are looked up. */
const MAX_NAMES = 64;
/** So many are said. */
const MAX_FOUND = 4;

/** Those of numbers, with two dimensions or more, which the array has too. */
export function auxiliariesOf(set: EngineSet, array: ArrayNode): readonly Auxiliary[] {
  const names = attribute(array.attributes, "coordinates");
  if (typeof names !== "string") return [];
  const found = names.split(/\s+/, MAX_NAMES).flatMap((name): readonly Auxiliary[] => {
    const node = name === "" ? undefined : nodeNear(set, array, name);
    const dimensions = node === undefined ? undefined : sharedDimensions(array, node);
    return node === undefined || dimensions === undefined ? [] : [{ node, dimensions }];
  });
  return found.slice(0, MAX_FOUND);
}

/** In the array's group or one above it. */
function nodeNear({ hierarchy }: EngineSet, { path }: ArrayNode, name: string): ArrayNode | undefined {
  const nodes = nearPaths(path, name).map((near) => hierarchy.nodes.get(near));
  return nodes.find((node) => node?.kind === "array");
}

function sharedDimensions({ metadata: of }: ArrayNode, { metadata }: ArrayNode): readonly number[] | undefined {
  const { shape, dimensionNames = [], dataType } = metadata;
  if (shape.length < 2 || !hasNumbers(dataType)) return undefined;
  const dimensions = shape.map((length, dimension) => {
    const name = dimensionNames[dimension];
    const at = name === undefined ? -1 : (of.dimensionNames?.indexOf(name) ?? -1);
    return of.shape[at] === length ? at : -1;
  });
  return dimensions.includes(-1) ? undefined : dimensions;
}

/** Nothing where there is no value. */
export function besideValue(node: ArrayNode, value: number | undefined): readonly BesideValue[] {
  if (value === undefined || Number.isNaN(value)) return [];
  const time = scalingOf(node.metadata, node.attributes)?.time;
  const found = { name: node.name, role: roleOf(node), units: textOf(node, "units"), value };
  return [time === undefined ? found : { ...found, time }];
}
