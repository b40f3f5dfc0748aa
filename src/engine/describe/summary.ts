/** What the screen is told when a set has been opened. */
import { gridOf } from "../../core/chunk-grid.ts";
import type { Hierarchy, HierarchyNode } from "../../core/hierarchy.ts";
import type { NodeSummary, PagesSummary, SetSummary } from "../../core/open-set.ts";
import { isDocument, type EngineSet } from "../engine-set.ts";
import type { ArrayPages } from "../table/array-pages.ts";
import type { TableTally } from "../table/tally.ts";

export function summaryOf(set: EngineSet, id: number): SetSummary {
  const { name, url, choice, bytesReceived, documentBytes, metadataKeys, nodes, findings } = set;
  return {
    id,
    name,
    url,
    choice,
    ...(set.ref === undefined ? {} : { ref: set.ref }),
    ...(set.repository === undefined ? {} : { repository: set.repository.summary }),
    format: set.format.label,
    ...(set.format.recognised === undefined ? {} : { recognised: set.format.recognised }),
    isDocument: isDocument(set),
    ...pagesOf(set),
    ...(set.unlisted === true ? { unlisted: true } : {}),
    revision: set.revision,
    rendered: set.format.hasTemplates,
    bytesReceived,
    documentBytes,
    references: set.keys,
    metadataKeys,
    chunkReferences: set.table.rows,
    arrays: nodes.filter((node) => node.kind === "array").length,
    groups: nodes.filter((node) => node.kind === "group").length,
    states: set.tally.states,
    bytesReferenced: set.tally.bytes,
    // Of references that cannot be read the dictionary may have more.
    targets: set.tally.targetReferences.reduce((sum: number, references) => sum + Number(references > 0), 0),
    tableBytes: set.table.byteLength,
    openMilliseconds: set.milliseconds,
    nodes,
    findings,
  };
}

function pagesOf({ index }: EngineSet): Pick<SetSummary, "pages"> {
  const all = [...index.paged.values()];
  const [first] = all;
  if (first === undefined) return {};
  const sum = (of: (pages: ArrayPages) => number) => all.reduce((total, pages) => total + of(pages), 0);
  const { unit } = first.pages;
  return {
    pages: {
      unit,
      count: sum(({ pages }) => pages.count),
      loaded: sum((one) => one.loaded),
      failed: sum((one) => one.failed),
    },
  };
}

export function pagesSummary({ pages, loaded, failed }: ArrayPages): PagesSummary {
  return { unit: pages.unit, count: pages.count, loaded, failed };
}

/** All nodes, parents before children, in the order to show. */
export function nodeSummaries(
  hierarchy: Hierarchy,
  tally: TableTally,
  pagesOf: (path: string) => ArrayPages | undefined = () => undefined,
): readonly NodeSummary[] {
  const summaries: NodeSummary[] = [];
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const node = hierarchy.nodes.get(path);
    if (node !== undefined) summaries.push(nodeSummary(node, tally, pagesOf(path)));
    waiting.push(...hierarchy.childrenOf(path).toReversed());
  }
  return summaries;
}

function nodeSummary(node: HierarchyNode, tally: TableTally, pages: ArrayPages | undefined): NodeSummary {
  const { kind, path, name } = node;
  if (node.kind === "broken") return { kind, path, name, reason: node.reason };
  if (node.kind === "group") return { kind, path, name };
  const { shape, chunks, dataType, dimensionNames, sharding } = node.metadata;
  const grid = gridOf(shape, chunks);
  const cells = tally.arrays.get(path)?.cells ?? grid.reduce((product, count) => product * count, 1);
  const present = tally.arrays.get(path)?.present ?? 0;
  const more = {
    ...(pages === undefined ? {} : { unknown: pages.unknownCells, pages: pagesSummary(pages) }),
    ...(sharding === undefined ? {} : { shardShape: sharding.shape }),
  };
  const base = { kind, path, name, shape, chunks, grid, dtype: dataType.text, cells, present, ...more };
  return dimensionNames === undefined ? base : { ...base, dimensionNames };
}
