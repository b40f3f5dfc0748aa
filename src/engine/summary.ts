/** What the screen is told when a set has been opened. */
import { gridOf } from "../core/chunk-grid.ts";
import type { Hierarchy, HierarchyNode } from "../core/hierarchy.ts";
import type { NodeSummary, SetSummary } from "../core/open-set.ts";
import type { EngineSet } from "./engine-set.ts";
import type { TableTally } from "./tally.ts";

export function summaryOf(set: EngineSet, id: number): SetSummary {
  const { name, url, choice, bytesReceived, documentBytes, metadataKeys, nodes, findings } = set;
  return {
    id,
    name,
    url,
    choice,
    format: set.format.label,
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

/** All nodes, parents before children, in the order to show. */
export function nodeSummaries(hierarchy: Hierarchy, tally: TableTally): readonly NodeSummary[] {
  const summaries: NodeSummary[] = [];
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const node = hierarchy.nodes.get(path);
    if (node !== undefined) summaries.push(nodeSummary(node, tally));
    waiting.push(...hierarchy.childrenOf(path).toReversed());
  }
  return summaries;
}

function nodeSummary(node: HierarchyNode, tally: TableTally): NodeSummary {
  const { kind, path, name } = node;
  if (node.kind === "broken") return { kind, path, name, reason: node.reason };
  if (node.kind === "group") return { kind, path, name };
  const { shape, chunks, dataType, dimensionNames } = node.metadata;
  const grid = gridOf(shape, chunks);
  const cells = tally.arrays.get(path)?.cells ?? grid.reduce((product, count) => product * count, 1);
  const present = tally.arrays.get(path)?.present ?? 0;
  const base = { kind, path, name, shape, chunks, grid, dtype: dataType.text, cells, present };
  return dimensionNames === undefined ? base : { ...base, dimensionNames };
}
