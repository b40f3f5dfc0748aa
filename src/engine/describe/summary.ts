/** Summary of an opened set for the screen. */
import type { SetSummary, NodeSummary, PagesSummary } from "#core/open-set.ts";
import { isDataFile, isDocument, type EngineSet } from "../engine-set.ts";
import type { ArrayPages } from "../table/array-pages.ts";
import { targetCount, type TableTally } from "../table/tally.ts";
import { colourHint } from "#core/cf/colour-hint.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import type { Hierarchy, HierarchyNode } from "#core/metadata/array-metadata.ts";
import type { PageUnit } from "#core/table/reference-pages.ts";
import type { LevelMark } from "#core/conventions/levels.ts";
import { isJsonObject } from "#core/json/json.ts";

export function summaryOf(set: EngineSet, id: number): SetSummary {
  const { name, url, choice, bytesReceived, documentBytes, metadataKeys, nodes, findings, coverage } = set;
  return {
    id,
    name,
    url,
    choice,
    ...(set.ref === undefined ? {} : { ref: set.ref }),
    ...(set.repository === undefined ? {} : { repository: set.repository.summary }),
    format: set.format.label,
    recognised: set.format.recognised,
    words: set.format.words,
    isDocument: isDocument(set),
    ...(isDataFile(set) ? { isFile: true } : {}),
    ...(isDocument(set) ? { version: set.format.version } : {}),
    ...pagesOf(set),
    ...(set.unlisted === true ? { unlisted: true } : {}),
    revision: set.revision,
    isCounted: set.isCounted,
    rendered: set.format.hasTemplates === true,
    bytesReceived,
    documentBytes,
    references: set.keys,
    metadataKeys,
    chunkReferences: set.table.rows,
    arrays: nodes.filter((node) => node.kind === "array").length,
    groups: nodes.filter((node) => node.kind === "group").length,
    states: set.tally.states,
    bytesReferenced: set.tally.bytes,
    targets: targetCount(set.tally),
    tableBytes: set.table.byteLength,
    openMilliseconds: set.milliseconds,
    nodes,
    findings,
    coverage,
  };
}

function pagesOf({ index }: EngineSet): Pick<SetSummary, "pages"> {
  const all = [...index.paged.values()];
  const [first] = all;
  if (first === undefined) return {};
  const sum = (of: (pages: ArrayPages) => number) => all.reduce((total, pages) => total + of(pages), 0);
  return {
    pages: {
      ...unitOf(first),
      count: sum(({ pages }) => pages.count),
      loaded: sum((one) => one.loaded),
      failed: sum((one) => one.failed),
    },
  };
}

// Groups and arrays as the screen lists them.

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
  const bad = Math.max(0, cells - present - unknown - (tally.arrays.get(path)?.states.missing ?? 0));
  const colours = colourHint(node.attributes);
  const more = {
    ...(pages === undefined && unknown === 0 ? {} : { unknown }),
    ...(bad === 0 ? {} : { bad }),
    ...(pages === undefined ? {} : { pages: pagesSummary(pages) }),
    ...(dataType.kind === "object" ? {} : { itemSize: dataType.itemSize }),
    ...(sharding === undefined ? {} : { shardShape: sharding.shape }),
    ...(colours === undefined ? {} : { colours }),
  };
  const keys = { separator, ...(sharding === undefined ? {} : { shards: sharding.separator }) };
  const base = { kind, path, name, shape, chunks, grid, dtype: dataType.text, cells, present, keys, ...more };
  return dimensionNames === undefined ? base : { ...base, dimensionNames };
}

// Marks of nodes in the levels that a set's groups declare. The code that reads these is fetched if there are any.

/** A set that grows is described again and again; its hierarchy stays what it is. */
const MARKS = new WeakMap<Hierarchy, ReadonlyMap<string, LevelMark>>();
const NONE: ReadonlyMap<string, LevelMark> = new Map();

/** Marks by path; empty before `readLevelMarks`. */
export const levelMarks = (hierarchy: Hierarchy): ReadonlyMap<string, LevelMark> => MARKS.get(hierarchy) ?? NONE;

/** To be waited for before nodes are listed. */
export async function readLevelMarks(hierarchy: Hierarchy): Promise<void> {
  if (MARKS.has(hierarchy) || !hasAttribute(hierarchy, /^(?:multiscales|ome)$/)) return;
  const { marksIn } = await import("./levels.ts");
  MARKS.set(hierarchy, marksIn(hierarchy));
}

/** True if any group or array has an attribute of such a name. */
export function hasAttribute({ nodes }: Hierarchy, name: RegExp): boolean {
  for (const { attributes } of nodes.values()) {
    if (!isJsonObject(attributes)) continue;
    for (const key of attributes.keys()) if (name.test(key)) return true;
  }
  return false;
}
