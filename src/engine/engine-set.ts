/** An open set as the engine holds it. The screen gets summaries and windows of it. */
import type { ArrayBlame, BlamedChunks, ChunkLife } from "../core/blame.ts";
import type { Anatomy, AnatomyCost, Expiry } from "../core/anatomy.ts";
import type { Suggestions } from "../core/repair.ts";
import type { RepairSearch } from "../core/repair-offer.ts";
import { nearestName } from "#core/words/near-name.ts";
import { failure, type Finding, nodeAt, targetAt } from "../core/findings/finding.ts";
import { outOfReach, isUnbuilt } from "../core/findings/out-of-reach.ts";
import type { ArrayNode, Hierarchy, MetadataDocument } from "../core/metadata/array-metadata.ts";
import type { ByteRange, CallContext, RequestReport, Resolution } from "../core/byte-source.ts";
import type { FormatWords, OpenSet, Recognition } from "../core/open-set.ts";
import type { KeptReading } from "../core/table/reference.ts";
import type {
  Ancestry,
  ChangedChunks,
  ComparisonMethod,
  OlderOperations,
  CommitChanges,
  CommitGraph,
  RepositoryHistory,
  RepositorySummary,
  SnapshotChanges,
} from "../core/repository.ts";
import type { Traffic } from "../core/file-bytes.ts";
import type { SourceFile } from "../core/source-file.ts";
import type { ReferenceTable } from "../core/table/reference-table.ts";
import type { Version1Renderer } from "../core/table/version1.ts";
import type { JsonObject } from "../core/json/json.ts";
import type { Checksum } from "../formats/icechunk/references.ts";
import type { KerchunkDocument, RowOrigins } from "../formats/kerchunk-json/index.ts";
import type { SetSource, TargetReader } from "./chunk/sources.ts";
import type { ShardReader } from "./chunk/shard-reader.ts";
import type { TableIndex } from "./table/table-index.ts";
import type { TableTally } from "./table/tally.ts";

/** The `ReadingResults` of rows, as the engine writes them. */
type KeptResults = Map<string, Map<number, KeptReading>>;

export class Met {
  readonly results: KeptResults = new Map();
  /** Without those for want of an answer from their sources: on maps and in tables these are not read. */
  readonly answered: KeptResults = new Map();
  /** How many readings were noted: rises where a result is noted anew, too. */
  readings = 0;
  /** How many of the results are failures, by array. */
  readonly failures = new Map<string, number>();
  /** And of these, how many for want of a decoder of ours. */
  readonly unbuilt = new Map<string, number>();
  /** And for want of an answer from their sources. */
  readonly unreached = new Map<string, number>();
  /** Tells if a target that was requested for a chunk ever answered, by its place. */
  readonly answers = new Map<string, boolean>();
  /** Right ranges of chunks by the source files, by the wrong reference's target, offset and length. */
  readonly indexed = new Map<string, ByteRange>();
  /** Filters that a chunk was stored with, if not all, as `.zarray` has them; by the same. */
  readonly unfiltered = new Map<string, readonly string[]>();
  /** Bytes that searches for fixes of causes have read unasked, and the end of the one that is under way. */
  searched = 0;
  searching: Promise<void> = Promise.resolve();
  /** Results of searches for fixes of single chunks, by array and coordinates; the caller limits them. */
  readonly suggestions = new Map<string, Suggestions>();
  /** The last search for fixes of each cause, by its places. */
  readonly searches = new Map<string, KeptSearch>();
}

export interface KeptSearch {
  /** The question: an answer to another is no last word. */
  readonly of: string;
  readonly isUnasked: boolean;
  readonly found: readonly RepairSearch[];
}

export interface EngineSet extends OpenSet {
  readonly format: SetFormat;
  /** Reference keys as Python's dict counts them, and how many of them are metadata. */
  readonly keys: number;
  readonly table: ReferenceTable;
  /** Error that fsspec raises on the whole document, in words; absent if it reads it. */
  readonly refused: Finding | undefined;
  readonly index: TableIndex;
  /** Counts over the whole set. */
  readonly tally: TableTally;
  readonly hierarchy: Hierarchy;
  /** Metadata documents by store key. */
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  /** Facts met while it was read: the only part of the set that reading changes. */
  readonly met: Met;
  /** Finds and reads targets; knows the locations and dropped files, which may change. */
  readonly targets: TargetReader;
  readonly milliseconds: number;
  refresh(context: CallContext): Promise<void>;
  /** Resolution of a key of the store itself; absent if the format has no objects of its own. */
  readonly resolveKey?: (key: string) => Resolution;
  /** Place of a native chunk, if that is not the object of its own key. By its ordinal, or by its row in the table. */
  readonly nativePlace?: (array: string, chunk: NativeChunkId) => NativePlace | undefined;
  /** Findings on a chunk's target once read: whether it is still what the format recorded. */
  readonly targetFindings?: (array: string, ordinal: number, request: RequestReport) => Promise<readonly Finding[]>;
  /** True if anything was recorded of any target, as far as references are loaded. */
  readonly recordsTargets?: () => boolean;
  /** Facts of an Icechunk repository beyond the table, to write it again. */
  readonly recorded?: RecordedFacts;
  /** History of the repository, if the set is one of its snapshots. */
  readonly repository?: SetRepository;
  /** Readers of shards, if arrays have them. */
  readonly shards?: ReadonlyMap<number, ShardReader>;
  /** The document with the references of shards, where these were expanded to their inner chunks. */
  readonly unexpanded?: DocumentSet;
  /** Contents of the data file, if the set is one. */
  readonly sourceFile?: SourceFile;
  readonly fileReading?: FileReading;
}

export interface RecordedFacts {
  /** State of a virtual chunk's source when it was written. */
  checksumAt(array: string, ordinal: number): Checksum | undefined;
  /** Absolute form of a location (`vcc://`). @throws RefscopeError */
  urlOf(location: string): string;
  /** Longest prefix first, as stored. */
  readonly containers: readonly { readonly prefix: string; readonly stored: JsonObject }[];
}

/** True if its chunks are in the file itself: those that a DMR++ document lists are in another file. */
export const isDataFile = ({ sourceFile }: Pick<EngineSet, "sourceFile">): boolean =>
  sourceFile !== undefined && sourceFile.target === undefined;

/** How the data file was indexed. */
export interface FileReading {
  readonly size: number;
  /** Cost of reading it by ranges; counted now for a file at hand, unless it is large. */
  traffic(context: CallContext): Promise<Traffic | undefined>;
}

/** Operations of the repository that a set is a snapshot of. Files are fetched when they are needed. */
export interface SetRepository {
  readonly summary: RepositorySummary;
  /** Ids of the nodes shown, by path. */
  readonly nodeIds: ReadonlyMap<string, string>;
  /** Opens another state of it: `branch:NAME`, `snapshot:ID`. Throws as opening does. */
  at(ref: string, context: CallContext): Promise<EngineSet>;
  /** Prefixes of the containers that virtual chunks may be in. */
  readonly containers: readonly string[];
  history(context: CallContext): Promise<RepositoryHistory>;
  ancestry(from: string, limit: number, context: CallContext): Promise<Ancestry>;
  graph(window: GraphWindow, context: CallContext): Promise<CommitGraph>;
  /** From the transaction log of a commit. */
  changesIn(snapshot: string, context: CallContext): Promise<CommitChanges>;
  olderOperations(file: string, context: CallContext): Promise<OlderOperations>;
  /** Kept for the two below. */
  compare(what: ComparedSnapshots, context: CallContext): Promise<SnapshotChanges>;
  /** A comparison of millions of chunks holds as many numbers. */
  forgetComparison(): void;
  /** From the last comparison. Throws `nothing-compared`. */
  changedChunks(path: string, from: number, to: number): ChangedChunks;
  /** From the last comparison, within the open set's grid of the array; `undefined` where there is none. */
  changesOf(array: string): ChangedOrdinals | undefined;
  /** Which commit last wrote each chunk of an array; `snapshot` is the open one if not given. Kept for the two below. */
  blame(asked: BlameAsked, context: CallContext): Promise<ArrayBlame>;
  /** Chunks [from, to) of the last blame of the array. Throws `nothing-compared`. */
  blamedChunks(array: string, from: number, to: number): BlamedChunks;
  /** The last blame, if it is of this array: `BlamedChunks.by` for each chunk of the open set's grid. */
  blameOf(array: string): Uint32Array<ArrayBuffer> | undefined;
  /** All that commits did to one chunk, newest first. */
  chunkLife(asked: BlameAsked & { readonly chunk: readonly number[] }, context: CallContext): Promise<ChunkLife>;
  /** Known without reading anything. */
  anatomyCost(): Promise<AnatomyCost>;
  /** Reads all snapshots and manifests, once. */
  anatomy(context: CallContext): Promise<Anatomy>;
  /** Simulated, from the anatomy; `before`: ISO, without it only garbage is collected. */
  expiry(before: string | undefined, context: CallContext): Promise<Expiry>;
  /** True if the store reports a missing file as absent, as the official library demands; one request. */
  answersAbsence(context: CallContext): Promise<boolean | undefined>;
}

/** A blame with its columns, as it is kept. */
export interface KeptBlame {
  readonly blame: ArrayBlame;
  chunks(from: number, to: number): BlamedChunks;
  /** `by` for each chunk of the open set's grid of the array. */
  map(): Uint32Array<ArrayBuffer>;
}

export interface BlameAsked {
  readonly array: string;
  readonly snapshot?: string;
}

/** Two compared snapshots, as they are kept for questions about single arrays. */
export interface Comparison extends Pick<SetRepository, "changedChunks" | "changesOf"> {
  readonly changes: SnapshotChanges;
}

/** An anatomy, as it is kept for questions about dates. */
export interface Weighed {
  readonly anatomy: Anatomy;
  /** `before`: ISO; without it only garbage is collected. */
  expire(before: string | undefined): Expiry;
}

export interface GraphWindow {
  /** Only the snapshots that lead to this one; absent: all. */
  readonly of?: string;
  /** Format 1 fetches a file a snapshot: at most this many. */
  readonly limit: number;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

export interface ComparedSnapshots {
  readonly from: string;
  readonly to: string;
  readonly method: ComparisonMethod;
}

/** Changed chunks of an array by ordinal in its grid, ascending. */
export interface ChangedOrdinals {
  readonly ordinals: Float64Array<ArrayBuffer>;
  /** Index in `CHANGES`, for each. */
  readonly kinds: Uint8Array<ArrayBuffer>;
}

/** A chunk of which there is a reference; its row in the table where nothing says which chunk it is. */
export type NativeChunkId = { readonly ordinal: number } | { readonly row: number };

/** A range of an object of the store, in bytes. */
export interface NativePlace {
  readonly key: string;
  readonly range: { readonly offset: number; readonly length: number };
}

/** A set that is one Kerchunk JSON document: it can be edited and exported. */
export interface DocumentSet extends EngineSet {
  readonly format: DocumentFormat;
  /** Origins of rows, and the renderer that made them. */
  readonly origins: RowOrigins;
  readonly renderer: Version1Renderer | undefined;
  /** Source of the document, to open it again. */
  readonly source: SetSource;
  /** Its parts beside the table; `metadata` with rows of this set's table. */
  readonly document: DocumentParts;
  /** The document's text, or that of the set chosen in it; absent where it is larger than 4 MiB or no UTF-8. */
  readonly documentText: string | undefined;
}

export type DocumentParts = Pick<
  KerchunkDocument,
  "version" | "metadata" | "templates" | "gen" | "otherMembers" | "documentBytes"
>;

export const isDocument = (set: EngineSet): set is DocumentSet => "document" in set;

/** Throws `not-a-document` where the set is not a Kerchunk JSON document. */
export function documentSet(set: EngineSet): DocumentSet {
  if (isDocument(set)) return set;
  throw failure("not-a-document", targetAt(set.name), { format: set.format.label });
}

export function repositoryOf({ repository, name, format }: EngineSet): SetRepository {
  if (repository !== undefined) return repository;
  throw failure("no-repository", targetAt(name), { format: format.label });
}

export interface DocumentFormat extends SetFormat {
  readonly version: 0 | 1;
}

export interface SetFormat {
  /** "zarr": the format's id. */
  readonly kind: string;
  readonly words: FormatWords;
  /** A script that opens this dataset in Python, as short as it can be: `ds`; the long form has a `store` and `group` too. */
  readonly python: (set: EngineSet, form?: "long") => string | Promise<string>;
  /** "Kerchunk JSON, Version 1". */
  readonly label: string;
  readonly recognised: Recognition;
  /** For a store: what its documents say, also where it has no arrays. */
  readonly zarrFormat?: 2 | 3;
  /** True if something was rendered. */
  readonly hasTemplates?: boolean;
  /**
   * Tells if `gen`, when it was not rendered to its end, may make a reference of this key, also in place of another.
   */
  readonly mayGenerate?: (key: string) => boolean;
  /** True if its readers take the existing part of a range that reaches past the end of its target. */
  readonly takesShortRanges?: boolean;
  /** From an inline value as the table's pool keeps it to its bytes. */
  readonly decodeInline: (raw: Uint8Array) => InlineBytes;
  /** For people: an inline value as it would be written; absent where the pool has its text. */
  readonly inlineText?: (raw: Uint8Array) => string;
}

export interface InlineBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names what is odd about the value; `bad-base64` and `lone-surrogate` have no bytes. */
  readonly oddity?: "non-ascii" | "bad-base64" | "lone-surrogate";
}

const arrayPaths = ({ hierarchy }: EngineSet): readonly string[] =>
  [...hierarchy.nodes].flatMap(([path, { kind }]) => (kind === "array" ? [path] : []));

/** The array at `path`. Throws `no-such-array`, with the reason where the node is broken. */
export function arrayNode(set: EngineSet, path: string): ArrayNode {
  const node = set.hierarchy.nodes.get(path);
  if (node?.kind === "array") return node;
  if (node?.kind === "broken") throw failure("no-such-array", nodeAt(path), { found: "broken", cause: node.reason });
  if (node !== undefined) throw failure("no-such-array", nodeAt(path), { found: "group" });
  throw failure("no-such-array", nodeAt(path), { found: "nothing", near: nearestName(path, arrayPaths(set)) });
}

/** True if its source gave nothing: whether the chunk is right is not known. */
export const isUnreached = (one: KeptReading): boolean =>
  one.result === "failed" && one.why !== undefined && outOfReach(one.why) !== undefined;

export function noteResult({ met }: EngineSet, array: string, ordinal: number, kept: KeptReading): void {
  const known = met.results.get(array) ?? new Map<number, KeptReading>();
  const before = known.get(ordinal);
  const note = (counts: Map<string, number>, is: (one: KeptReading) => boolean) => {
    const change = Number(is(kept)) - Number(before !== undefined && is(before));
    if (change !== 0) counts.set(array, (counts.get(array) ?? 0) + change);
  };
  note(met.failures, ({ result }) => result === "failed");
  note(met.unbuilt, (one) => one.result === "failed" && one.why !== undefined && isUnbuilt(one.why));
  note(met.unreached, isUnreached);
  met.results.set(array, known.set(ordinal, kept));
  const answered = met.answered.get(array) ?? new Map<number, KeptReading>();
  if (isUnreached(kept)) answered.delete(ordinal);
  else met.answered.set(array, answered.set(ordinal, kept));
  met.readings += 1;
}
