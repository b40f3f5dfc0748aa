/** An open set as the engine holds it. The screen gets summaries and windows of it. */
import type { Finding } from "../core/finding.ts";
import type { ArrayNode, Hierarchy, MetadataDocument } from "../core/hierarchy.ts";
import { RefscopeError } from "../core/errors.ts";
import type { NodeSummary } from "../core/open-set.ts";
import type { ReadingResult } from "../core/reference.ts";
import type { ReferenceTable } from "../core/reference-table.ts";
import type { TableIndex } from "./table-index.ts";
import type { TableTally } from "./tally.ts";
import type { TargetReader } from "./target-reader.ts";

/** The `ReadingResults` of rows, as the engine writes them. */
type KeptResults = Map<string, Map<number, ReadingResult>>;

export interface EngineSet {
  readonly name: string;
  readonly url: string | undefined;
  readonly choice: string | undefined;
  readonly format: SetFormat;
  readonly bytesReceived: number;
  readonly documentBytes: number;
  /** Reference keys as Python's dict counts them, and how many of them are metadata. */
  readonly keys: number;
  readonly metadataKeys: number;
  readonly table: ReferenceTable;
  readonly index: TableIndex;
  /** Counts over the whole set. */
  readonly tally: TableTally;
  readonly hierarchy: Hierarchy;
  /** Metadata documents by store key. */
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly nodes: readonly NodeSummary[];
  readonly findings: readonly Finding[];
  readonly results: KeptResults;
  /** Finds and reads targets; knows the locations and dropped files, which may change. */
  readonly targets: TargetReader;
  readonly milliseconds: number;
}

export interface SetFormat {
  /** "Kerchunk JSON, Version 1". */
  readonly label: string;
  readonly version: 0 | 1;
  readonly hasTemplates: boolean;
  /** Whether `gen`, which is not rendered yet, may make a reference of this key, also in place of one that is there. */
  readonly mayGenerate: (key: string) => boolean;
  /** From an inline value as the table's pool keeps it to its bytes. */
  readonly decodeInline: (raw: Uint8Array) => InlineBytes;
}

export interface InlineBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names what is odd about the value; `bad-base64` and `lone-surrogate` have no bytes. */
  readonly oddity?: "non-ascii" | "bad-base64" | "lone-surrogate";
}

/** The array at `path`. Throws `no-such-array`, with the reason where the node is broken. */
export function arrayNode(set: EngineSet, path: string): ArrayNode {
  const node = set.hierarchy.nodes.get(path);
  if (node?.kind === "array") return node;
  throw new RefscopeError({
    code: "no-such-array",
    doing: "Looking up an array",
    where: path === "" ? "/" : path,
    expected: "an array",
    found: node === undefined ? "nothing at this path" : node.kind === "broken" ? node.reason : "a group",
  });
}

export function noteResult(set: EngineSet, array: string, ordinal: number, result: ReadingResult): void {
  const known = set.results.get(array);
  if (known === undefined) set.results.set(array, new Map([[ordinal, result]]));
  else known.set(ordinal, result);
}
