/** Summary of an opened set for the screen. */
import type { SetSummary } from "#core/open-set.ts";
import { isDataFile, isDocument, type EngineSet } from "../engine-set.ts";
import type { ArrayPages } from "../table/array-pages.ts";
import { targetCount } from "../table/tally.ts";
import { unitOf } from "./node-summaries.ts";

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
