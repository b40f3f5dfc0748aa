/** Finds contradictions in the levels that groups declare, and in georeferences: from metadata alone. */
import { georeferenceOf } from "#core/conventions/georeference.ts";
import { arraysOfLevel, type Level, type LevelSet, mainArray } from "#core/conventions/levels.ts";
import { finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import type { ArrayNode, Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { attribute } from "#core/metadata/attribute.ts";
import { levelsRead } from "../describe/levels.ts";

export function levelFaults(hierarchy: Hierarchy, unlisted: boolean): readonly Finding[] {
  const found: Finding[] = [];
  for (const node of hierarchy.nodes.values()) {
    const dimensions = unlisted && node.kind !== "array" ? undefined : dimensionsOf(hierarchy, node);
    found.push(...georeferenceOf(node.path, node.attributes, dimensions).findings);
    const { sets, findings } = levelsRead(node);
    found.push(...findings);
    for (const set of sets) found.push(...faultsOf({ hierarchy, node, unlisted }, set));
  }
  return found;
}

/** Dimensions of an array, or of all arrays in a group that names some; `undefined` where these have none. */
function dimensionsOf({ nodes }: Hierarchy, node: HierarchyNode): readonly (string | undefined)[] | undefined {
  if (node.kind === "array") return node.metadata.dimensionNames ?? [];
  if (attribute(node.attributes, "spatial:dimensions") === undefined) return undefined;
  const inside = [...nodes.values()].flatMap((one) =>
    one.kind === "array" && (node.path === "" || one.path.startsWith(`${node.path}/`))
      ? (one.metadata.dimensionNames ?? [])
      : [],
  );
  return inside.length === 0 ? undefined : [...new Set(inside)];
}

interface Around {
  readonly hierarchy: Hierarchy;
  readonly node: HierarchyNode;
  /** True if unknown nodes may exist. */
  readonly unlisted: boolean;
}

function faultsOf({ hierarchy, node, unlisted }: Around, set: LevelSet): readonly Finding[] {
  const found: Finding[] = [];
  const place = nodeAt(node.path);
  const isCoarsestFirst = growsAlong(hierarchy, set);
  for (const [level, one] of set.levels.entries()) {
    const { path } = one;
    const there = hierarchy.nodes.get(path);
    if (there === undefined) {
      if (!unlisted) found.push(finding("level-absent", place, { level, path }));
      continue;
    }
    const array = mainArray(arraysOfLevel(hierarchy, there));
    if (array === undefined) continue;
    const finer = finerThan(set, level, isCoarsestFirst);
    const other = finer === undefined ? undefined : arrayAt(hierarchy, finer.path, array.name);
    if (other === undefined || isSmaller(array, other)) continue;
    const [shape, otherShape] = [array.metadata.shape, other.metadata.shape];
    found.push(finding("level-not-smaller", place, { level, path: array.path, shape, other: other.path, otherShape }));
  }
  return found;
}

/** Pyramids of tiles (ndpyramid) begin with the coarsest level: the last is larger than the first. */
function growsAlong(hierarchy: Hierarchy, { levels }: LevelSet): boolean {
  const mains = levels.flatMap(({ path }) => {
    const node = hierarchy.nodes.get(path);
    return (node && mainArray(arraysOfLevel(hierarchy, node))) ?? [];
  });
  const [first, last] = [mains[0], mains.at(-1)];
  return (
    first !== undefined && last !== undefined && first !== last && !isSmaller(last, first) && isSmaller(first, last)
  );
}

/**
 * The level that one should be smaller than: of OME-NGFF the one before it ("from the largest to the smallest") or, where
 * the coarsest comes first, after it; of the convention multiscales the one it was made from, where its scale says that
 * it is coarser.
 */
function finerThan({ convention, levels }: LevelSet, index: number, isCoarsestFirst: boolean): Level | undefined {
  if (convention === "ome") return levels[isCoarsestFirst ? index + 1 : index - 1];
  const level = levels[index];
  const source = levels.find(({ path }) => path === level?.source);
  const isCoarser = level?.factors?.some((factor, at) => factor > (source?.factors?.[at] ?? factor)) === true;
  return isCoarser ? source : undefined;
}

/** Array of the same name in a group, else its largest. */
function arrayAt(hierarchy: Hierarchy, path: string, name: string): ArrayNode | undefined {
  const node = hierarchy.nodes.get(path);
  const arrays = node === undefined ? [] : arraysOfLevel(hierarchy, node);
  return arrays.find((array) => array.name === name) ?? mainArray(arrays);
}

function isSmaller({ metadata: { shape } }: ArrayNode, { metadata: { shape: other } }: ArrayNode): boolean {
  // Arrays of different ranks are not compared: that is another fault, or none.
  if (shape.length !== other.length) return true;
  // A length that cannot be halved any more stays as it is.
  return shape.every((length) => length <= 1) || shape.some((length, at) => length < (other[at] ?? 0));
}
