/** Groups and arrays as the screen lists them. */
import { colourHint } from "#core/cf/colour-hint.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import type { Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import type { NodeSummary, PagesSummary } from "#core/open-set.ts";
import type { PageUnit } from "#core/table/reference-pages.ts";
import type { ArrayPages } from "../table/array-pages.ts";
import { levelMarks } from "./level-marks.ts";
import type { TableTally } from "../table/tally.ts";

function pagesSummary(pages: ArrayPages): PagesSummary {
  const { loaded, failed } = pages;
  return { ...unitOf(pages), count: pages.pages.count, loaded, failed };
}

export function unitOf({ pages: { unit, words, isChunk } }: ArrayPages): PageUnit {
  return { unit, words, ...(isChunk === true ? { isChunk } : {}) };
}

/** All nodes, parents before children, in the order to show. */
export function nodeSummaries(
  hierarchy: Hierarchy,
  tally: TableTally,
  pagesOf: (path: string) => ArrayPages | undefined,
): readonly NodeSummary[] {
  const summaries: NodeSummary[] = [];
  const levels = levelMarks(hierarchy);
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const node = hierarchy.nodes.get(path);
    if (node !== undefined) {
      const level = levels.get(path);
      const summary = nodeSummary(node, tally, pagesOf(path));
      summaries.push(level === undefined ? summary : { ...summary, level });
    }
    waiting.push(...hierarchy.childrenOf(path).toReversed());
  }
  return summaries;
}

function nodeSummary(node: HierarchyNode, tally: TableTally, pages: ArrayPages | undefined): NodeSummary {
  const { kind, path, name } = node;
  if (node.kind === "broken") {
    const all = { kind, path, name, reason: node.reason };
    return pages === undefined ? all : { ...all, pages: pagesSummary(pages) };
  }
  if (node.kind === "group") return { kind, path, name };
  const { shape, chunks, dataType, dimensionNames, sharding, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  const cells = tally.arrays.get(path)?.cells ?? grid.reduce((product, count) => product * count, 1);
  const present = tally.arrays.get(path)?.present ?? 0;
  const unknown = pages?.unknownCells ?? tally.arrays.get(path)?.states.unknown ?? 0;
  const colours = colourHint(node.attributes);
  const more = {
    ...(pages === undefined && unknown === 0 ? {} : { unknown }),
    ...(pages === undefined ? {} : { pages: pagesSummary(pages) }),
    ...(dataType.kind === "object" ? {} : { itemSize: dataType.itemSize }),
    ...(sharding === undefined ? {} : { shardShape: sharding.shape }),
    ...(colours === undefined ? {} : { colours }),
  };
  const keys = { separator, ...(sharding === undefined ? {} : { shards: sharding.separator }) };
  const base = { kind, path, name, shape, chunks, grid, dtype: dataType.text, cells, present, keys, ...more };
  return dimensionNames === undefined ? base : { ...base, dimensionNames };
}
