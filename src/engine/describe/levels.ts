/** Levels that groups of a set declare: what each node is in them, and what there is at each level. */
import type { CardLevel, CardLevels } from "#core/dataset-card.ts";
import { georeferenceOf, type Georeference } from "#core/conventions/georeference.ts";
import { elementSizeWords, levelWords } from "#core/conventions/level-labels.ts";
import { levelsOf, pixelOf, type LevelsRead } from "#core/conventions/read-levels.ts";
import { arraysOfLevel, type Level, type LevelMark, type LevelSet, mainArray } from "#core/conventions/levels.ts";
import { parentPath } from "#core/metadata/hierarchy-path.ts";
import type { Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { oncePer } from "../kept.ts";
import { attribute } from "#core/metadata/attribute.ts";

/** A set that grows is described again and again; its groups stay what they are. */
export const levelsRead = oncePer((node: HierarchyNode): LevelsRead =>
  node.kind === "group" ? levelsOf(node.path, node.attributes) : NO_LEVELS,
);

const NO_LEVELS: LevelsRead = { sets: [], findings: [] };

/** Marks by path. If several groups name a node, the first counts. */
export function marksIn(hierarchy: Hierarchy): ReadonlyMap<string, LevelMark> {
  const marks = new Map<string, LevelMark>();
  for (const node of hierarchy.nodes.values()) {
    for (const { levels } of levelsRead(node).sets) {
      for (const [index, { path, factors }] of levels.entries()) {
        if (marks.has(path)) continue;
        marks.set(path, { group: node.path, index, ...(factors === undefined ? {} : { factors }) });
      }
    }
  }
  return marks;
}

/** Levels of a group for its overview. `unlisted`: unknown nodes may exist. */
export function cardLevels(hierarchy: Hierarchy, path: string, unlisted: boolean): readonly CardLevels[] {
  const node = hierarchy.nodes.get(path);
  if (node === undefined) return [];
  return levelsRead(node).sets.map((set) => ({
    convention: conventionWords(set),
    ...(set.name === undefined || set.name === "" ? {} : { name: set.name }),
    ...(set.resampling === undefined ? {} : { resampling: set.resampling }),
    levels: set.levels.map((level, index) => cardLevel(hierarchy, set, level, index, unlisted)),
  }));
}

function conventionWords({ convention, version, axes }: LevelSet): string {
  if (convention === "multiscales") return "multiscales convention";
  const name = version === undefined ? "OME-NGFF’s form" : `OME-NGFF ${version}`;
  return axes.length === 0 ? name : `${name}, axes ${axes.map((axis) => axis.name).join(", ")}`;
}

function cardLevel(hierarchy: Hierarchy, set: LevelSet, level: Level, index: number, unlisted: boolean): CardLevel {
  const { path } = level;
  const node = hierarchy.nodes.get(path);
  const arrays = node === undefined ? [] : arraysOfLevel(hierarchy, node);
  const main = mainArray(arrays);
  const own = level.pixel ?? pixelOf(attribute(node?.attributes, "spatial:transform"));
  const size = elementSizeWords(own === undefined ? level : { ...level, pixel: own }, set);
  return {
    path,
    words: levelWords({ index, ...(level.factors === undefined ? {} : { factors: level.factors }) }),
    kind: node?.kind ?? (unlisted ? "unknown" : "absent"),
    arrays: arrays.length,
    ...(main === undefined ? {} : { shape: main.metadata.shape, chunks: main.metadata.chunks, array: main.path }),
    ...(size === undefined ? {} : { elementSize: size }),
  };
}

/**
 * Georeference of a node by its own attributes; the CRS of a group is that of the arrays directly in it (geo-proj,
 * §Inheritance).
 */
export function georeferenceAt({ nodes }: Hierarchy, node: HierarchyNode): Georeference | undefined {
  const dimensions = node.kind === "array" ? (node.metadata.dimensionNames ?? []) : undefined;
  const { georeference: own } = georeferenceOf(node.path, node.attributes, dimensions);
  if (own?.crs !== undefined || node.kind !== "array") return own;
  const parent = nodes.get(parentPath(node.path) ?? "");
  const above = parent?.kind === "group" ? georeferenceOf(parent.path, parent.attributes).georeference : undefined;
  return above?.crs === undefined ? own : { ...own, crs: above.crs };
}
