/** For tests: an opened set with one array. */
import type { SetSummary } from "#core/open-set.ts";
import { SOME_WORDS } from "#core/testing/format-words.ts";

const NO_STATES = { missing: 0, inline: 0, whole: 0, range: 0, native: 0, bad: 0, unknown: 0, virtual: 0 };
const COUNTS = { bytesReceived: 1, documentBytes: 1, references: 4, metadataKeys: 1, chunkReferences: 3, arrays: 1 };
const SIZES = { groups: 0, bytesReferenced: 0, targets: 0, tableBytes: 0, openMilliseconds: 1, isCounted: true };

export function summaryOf(id: number, url: string): SetSummary {
  const node = { kind: "array", path: "sst", name: "sst", shape: [4, 4], chunks: [2, 2], grid: [2, 2] } as const;
  return {
    ...COUNTS,
    ...SIZES,
    recognised: { kind: "references" },
    isDocument: true,
    words: SOME_WORDS,
    revision: 0,
    id,
    name: url,
    url,
    choice: undefined,
    format: "Kerchunk JSON, Version 1",
    states: NO_STATES,
    nodes: [{ kind: "group", path: "", name: "/" }, node],
    findings: [],
    coverage: [],
  };
}
