/** An open set as the page and the terminal see it: plain data, small enough to cross to the main thread. */
import type { Together } from "./check/preflight.ts";
import type { ColourHint } from "./cf/colour-hint.ts";
import type { RECOGNITIONS } from "./words/recognition-words.ts";
import type { ToldBy } from "./words/sentences.ts";
import type { Locations, RequestReport } from "./byte-source.ts";
import type { ChunkEdges, KeySeparator, KeysOfArray } from "./metadata/chunk-grid.ts";
import type { LevelMark } from "./conventions/levels.ts";
import type { Finding } from "./findings/finding.ts";
import type { ChunkState, KeptReading, ReadingResult } from "./table/reference.ts";
import type { PageUnit } from "./table/reference-pages.ts";
import type { RepositorySummary } from "./repository.ts";
import type { ShardMap } from "./table/shard-map.ts";
import type { RowOrigin } from "./table/version1.ts";

/** Source to open. Files keep their path inside the dropped folder. */
export type OpenSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "files"; readonly files: readonly LocalFile[] }
  | { readonly kind: "text"; readonly text: string; readonly name: string };

export interface LocalFile {
  /** `folder/sub/name.nc`; no leading slash. */
  readonly path: string;
  readonly blob: Blob;
}

/** Counts of the targets of one host. */
export interface HostSummary {
  readonly host: string;
  readonly targets: number;
  readonly references: number;
  readonly bytes: number;
}

/** One of several sets in what was opened (a list of GRIB messages, a file→set map, several dropped files). */
export interface SetChoice {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

/** The choice of all data files as one dataset: no file has an empty path. With a question mark it is only examined. */
export const ALL_TOGETHER = "\ntogether";

export type StateCounts = Readonly<Record<ChunkState, number>>;

export interface NodeSummary {
  readonly kind: "group" | "array" | "broken";
  readonly path: string;
  readonly name: string;
  /** For arrays. */
  readonly shape?: readonly number[];
  /** Edges of its chunks along each dimension: a length, or runs of lengths. */
  readonly chunks?: readonly ChunkEdges[];
  readonly grid?: readonly number[];
  readonly dtype?: string;
  /** Bytes of an element; absent where elements have no fixed size. */
  readonly itemSize?: number;
  readonly dimensionNames?: readonly (string | undefined)[];
  readonly colours?: ColourHint;
  /** Cells of the grid, and how many have a reference that is not bad. */
  readonly cells?: number;
  readonly present?: number;
  /** Cells of which it is not known yet. */
  readonly unknown?: number;
  /** Cells whose references cannot be used, or were refused. Absent = 0. */
  readonly bad?: number;
  /** How keys of its chunks are written; inner chunks have none, their shards do. */
  readonly keys?: KeysOfArray;
  /** Edges of its shards, where the chunks are inner chunks, which are all of one shape. */
  readonly shardShape?: readonly ChunkEdges[];
  readonly pages?: PagesSummary;
  /** Level, if a group declares the node as one resolution of a picture. */
  readonly level?: LevelMark;
  /** For broken nodes. */
  readonly reason?: Finding;
}

/** How much of what there is was looked at. What is neither looked at nor sampled was not reached. */
export interface Coverage {
  readonly unit: "sets" | "arrays" | "references" | "targets" | "chunks";
  readonly of: number;
  readonly lookedAt: number;
  /** Judged by a sample. */
  readonly sampled: number;
}

export interface RuleCoverage extends Coverage {
  readonly rule: string;
}

/** Sign by which a set was recognised. */
export type Recognition = ToldBy<typeof RECOGNITIONS, "kind">;

/** Facts of an open set that both sides of the worker know. */
export interface OpenSet {
  /** File name or last part of the URL; with the choice's label where one was made. */
  readonly name: string;
  /** The URL it was opened from, if it was one. */
  readonly url: string | undefined;
  readonly choice: string | undefined;
  /** Branch, tag or snapshot of a repository, as it was asked for; absent = none was. */
  readonly ref?: string;
  /** True if there may be groups and arrays that cannot be listed: they are requested by path. */
  readonly unlisted?: boolean;
  /** Counts up as more becomes known of the set. */
  readonly revision: number;
  /** True once its references were counted: before, states, targets and bytes are unknown, and no rule was run. */
  readonly isCounted: boolean;
  /** Bytes of the document as received and after decompression. */
  readonly bytesReceived: number;
  readonly documentBytes: number;
  readonly metadataKeys: number;
  /** Parents before children, in the order to show. */
  readonly nodes: readonly NodeSummary[];
  readonly findings: readonly Finding[];
  /** Coverage of the rules that gave them. */
  readonly coverage: readonly RuleCoverage[];
}

export interface SetSummary extends OpenSet {
  /** Handle for every later call. */
  readonly id: number;
  /** Summary of the repository, if the set is one of its snapshots. */
  readonly repository?: RepositorySummary;
  /** "Kerchunk JSON, Version 1". */
  readonly format: string;
  readonly recognised: Recognition;
  readonly words: FormatWords;
  /** True if it is one document that can be edited and exported. */
  readonly isDocument: boolean;
  /** It is a data file, indexed: its references are the file's own. */
  readonly isFile?: true;
  /** Kerchunk JSON only. */
  readonly version?: 0 | 1;
  /** Pages of references, where they are fetched one by one. */
  readonly pages?: PagesSummary;
  /** True if templates or gen were rendered: rows then have an origin to show. */
  readonly rendered?: boolean;
  /** Keys that are references: metadata keys and chunk keys, as Python's reader counts them. */
  readonly references: number;
  readonly chunkReferences: number;
  readonly arrays: number;
  readonly groups: number;
  readonly states: StateCounts;
  /** Sum of the lengths of range references and of inline bytes (as written). */
  readonly bytesReferenced: number;
  readonly targets: number;
  /** Bytes the reference table holds in memory. */
  readonly tableBytes: number;
  readonly openMilliseconds: number;
}

/** Words for the parts of sets of a format. */
export interface FormatWords {
  /** "reference", "References": what a set is counted in. */
  readonly unit: string;
  readonly heading: string;
  /** True if keys of metadata are counted, too. */
  readonly countsMetadata: boolean;
  /** "Document", "Metadata": what was read to open the set. */
  readonly source: string;
  /** "No reference": instead of the reference of a missing chunk. */
  readonly missing: string;
  /** "it was lost when the references were made": of a missing chunk that should hold data. */
  readonly lost: string;
  /** "nothing was requested" where that a chunk is missing is known without asking; else "". */
  readonly unrequested: string;
  /** "reference set": where the bytes of an inline chunk stand. */
  readonly inlineIn: string;
}

export interface PagesSummary extends PageUnit {
  readonly count: number;
  readonly loaded: number;
  readonly failed: number;
}

export interface TargetSummary {
  readonly id: number;
  readonly url: string;
  readonly references: number;
  readonly bytes: number;
}

/** Targets that cannot be read from here, known without a request. */
export interface UnreadableTargets {
  readonly count: number;
  /** Distinct targets that were looked at, and that there are; `null` counts as one. */
  readonly lookedAt: number;
  readonly of: number;
  /** The first few. */
  readonly examples: readonly { readonly target: string | null; readonly finding: Finding }[];
}

export interface OpenRequest {
  readonly source: OpenSource;
  readonly locations: Locations;
  /** Id of a `SetChoice`. */
  readonly choice?: string;
  /** Other values for templates of a Version 1 set: fsspec's `template_overrides`. */
  readonly overrides?: readonly (readonly [name: string, value: string])[];
  /** Most references that the set's gens may make; absent = the default. */
  readonly most?: number;
  /** Groups and arrays to ask for, where a store cannot be listed. */
  readonly paths?: readonly string[];
  /** Branch, tag or snapshot of a repository; absent = the branch `main`. */
  readonly ref?: string;
  /** Answer with all that it may be, whatever is recognised. */
  readonly ask?: boolean;
}

/** The opened set, or what there is to choose from: then ask again with a choice. `array`: that the address names. */
export type OpenAnswer = { readonly kind: "set"; readonly set: SetSummary; readonly array?: string } | Choose;

export interface Choose {
  readonly kind: "choose";
  readonly title: string;
  readonly choices: readonly SetChoice[];
  /** Result of holding the data files together, if that was requested. */
  readonly together?: Together;
}

/** `usual`: nine in ten are not longer. */
export type ChunkLengths = Readonly<Record<"minimum" | "median" | "usual" | "maximum", number>>;

/** The whole set, a group or an array. */
export interface Overview {
  readonly path: string;
  readonly states: StateCounts;
  readonly bytes: number;
  /**
   * Hosts by scheme and host as resolved: `https://bucket.s3.amazonaws.com`, `relative`, `null URL`; most references
   * first.
   */
  readonly hosts: readonly HostSummary[];
  /** The targets with most references, at most 50. */
  readonly targets: readonly TargetSummary[];
  readonly targetCount: number;
  /** Bytes of ranges and native chunks; where there are none, of inline values. */
  readonly lengths: ChunkLengths | undefined;
  /** Opens this very set in Python. */
  readonly python: string;
  /** Lines with the packages that all formats share; the same if there is no shorter form. */
  readonly pythonLong: string;
}

export interface DimensionSummary {
  readonly name: string | undefined;
  readonly length: number;
  readonly chunk: ChunkEdges;
  /** Number of chunks along it. */
  readonly chunks: number;
  /** First and last coordinate with units, where a 1-D coordinate array of that name could be read without a request. */
  readonly first?: string;
  readonly last?: string;
  readonly units?: string;
}

export interface ArrayDetail {
  readonly path: string;
  readonly zarrFormat: 2 | 3;
  readonly dimensions: readonly DimensionSummary[];
  readonly dtype: string;
  readonly order: "C" | "F";
  /** Its chunk grid is written as a rectilinear one, also where all edges are alike. */
  readonly isRectilinear?: true;
  readonly separator: KeySeparator;
  /** Bytes of one whole decoded chunk, of the smallest where they differ; absent for object types. */
  readonly leastChunkBytes?: number | undefined;
  /** The same of the largest. */
  readonly chunkBytes: number | undefined;
  readonly codecs: readonly CodecSummary[];
  /** JSON text as written, `undefined` where there is none. */
  readonly fillValue: string | undefined;
  readonly fillAttribute: string | undefined;
}

export interface NodeDetail {
  readonly path: string;
  readonly kind: "group" | "array" | "broken";
  readonly reason?: Finding;
  readonly array?: ArrayDetail;
  /** JSON text of the attributes as stored, `undefined` where there are none. */
  readonly attributes: string | undefined;
  /** Characters of all of it, where `attributes` is but its beginning. */
  readonly attributesLength?: number;
  /** All metadata documents of this node as stored. */
  readonly documents: readonly NodeDocument[];
}

export interface NodeDocument {
  readonly key: string;
  readonly text: string | undefined;
  /** Characters of all of it, where `text` is but its beginning. */
  readonly length?: number;
  readonly problem?: Finding;
}

export type SortColumn = "key" | "state" | "target" | "offset" | "length" | "end";

export interface ViewFilter {
  /** Results of reading to keep. Empty or absent = all. */
  readonly results?: readonly ReadingResult[];
  /** Empty or absent = all. */
  readonly states?: readonly ChunkState[];
  /** Ids in the target dictionary. Empty or absent = all. */
  readonly targets?: readonly number[];
  /** Text contained in the target URL as written (case-sensitive, as URLs are). */
  readonly targetText?: string;
  /** Text that `textAs` says the meaning of. */
  readonly keyText?: string;
  /** Without it, the text is a part of the key, or of the target URL if no key has it. */
  readonly textAs?: "key" | "file";
  /** Chunk coordinates, both ends included; only where the scope is one array. */
  readonly coordinates?: readonly { readonly dimension: number; readonly from: number; readonly to: number }[];
  /** Bytes, both ends included. */
  readonly length?: { readonly from?: number; readonly to?: number };
}

/**
 * Rows of a view: where `scope` is an array, every cell of its grid (missing ones too) and its stray keys; where it is
 * a group, every reference of the arrays below it. A grid of more than 50 million cells lists only what has a reference
 * (`listsMissing` false).
 */
export interface ViewSpec {
  readonly scope: string;
  readonly filter: ViewFilter;
  readonly sort?: { readonly column: SortColumn; readonly descending: boolean };
}

export interface Facets {
  /**
   * Counts under all filters but the state filter. Missing cells of a grid too large to list them are counted too, while
   * nothing but states is filtered.
   */
  readonly states: StateCounts;
  /** Under all filters but that of results; strays are not tried. */
  readonly results: Readonly<Record<ReadingResult, number>>;
  /** The targets with most rows under all filters but the target filter, at most 200, and how many there are. */
  readonly targets: readonly TargetSummary[];
  readonly targetCount: number;
}

export interface ViewInfo {
  readonly view: number;
  readonly rows: number;
  /** Rows of the scope without any filter. */
  readonly total: number;
  readonly listsMissing: boolean;
  readonly facets: Facets;
}

/** Rows whose key, or whose target URL, has a text. */
export type TextRows = Readonly<Record<"key" | "file", number>>;

export interface ViewRow {
  /** Position in the view. */
  readonly index: number;
  readonly key: string;
  /** Array's path, and chunk coordinates where the key is a chunk of its grid. */
  readonly array: string | undefined;
  readonly coordinates: readonly number[] | undefined;
  readonly state: ChunkState;
  /** For a native chunk in another object than its key's: that object's key; it has no id. */
  readonly target: string | null | undefined;
  readonly targetId: number | undefined;
  readonly offset: number | undefined;
  readonly length: number | undefined;
  readonly end: number | undefined;
  /** Why it is bad or a stray. */
  readonly reasons: readonly Finding[];
  /** Origin of the reference; absent if the set renders nothing, and for missing chunks. */
  readonly origin?: RowOrigin;
  readonly result: ReadingResult;
  /** More of that; absent where reading was not tried. */
  readonly read?: KeptReading;
}

export interface RowsAnswer {
  readonly rows: readonly ViewRow[];
}

/** A shard of a sharded array (Zarr v3 `sharding_indexed`). */
export interface ShardAnswer {
  /** Coordinates of the shard. */
  readonly coordinates: readonly number[];
  /** Bytes of a decoded inner chunk; `undefined` for object types. */
  readonly chunkBytes: number | undefined;
  readonly state:
    | { readonly kind: "missing" }
    /** The index cannot be read or is damaged as a whole. */
    | { readonly kind: "failed"; readonly error: Finding }
    | {
        readonly kind: "shard";
        readonly map: ShardMap;
        /** The shard's key, or what represents it; and where its bytes are. */
        readonly name: string;
        readonly target: string | null;
        readonly offset: number;
        readonly request: RequestReport;
      };
}

/**
 * `change`: what differs between the two snapshots that were compared last; `blame`: the commits of the array's last
 * blame.
 */
export type RasterColour = "state" | "target" | "length" | "reading" | "change" | "blame";

/** A picture of two dimensions of the chunk grid, others fixed. */
export interface RasterSpec {
  readonly array: string;
  /** Dimension down the rows, and along the columns; `undefined` for a 0-d or 1-d grid. */
  readonly rowDimension: number | undefined;
  readonly columnDimension: number | undefined;
  /** A coordinate for every dimension; those of the two shown are ignored. */
  readonly fixed: readonly number[];
  readonly colour: RasterColour;
  /** Window in cells, `to` excluded. */
  readonly rows: { readonly from: number; readonly to: number };
  readonly columns: { readonly from: number; readonly to: number };
  /** Maximum pixels of the picture; more cells than that share one. */
  readonly width: number;
  readonly height: number;
}

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Cells behind one pixel, down and along. 1 = every cell has its own pixel. */
  readonly cellsDown: number;
  readonly cellsAlong: number;
  /**
   * A code a pixel: for `state` the index in STATES of the worst cell (bad, missing, unknown, range, virtual, whole,
   * inline, native), for `reading` 0 not tried, 1 ok, 2 failed (worst of the cells), for `change` 0 unchanged, else 1 +
   * the index in CHANGES of the most significant change of the cells (removed, changed, added, set); unused for the others.
   */
  readonly codes: Uint8Array<ArrayBuffer>;
  /**
   * For `target` the target id + 1 of the first cell with one (0 = none), for `length` the longest length (-1 = none), for
   * `blame` the index of the newest commit + 1 (0 = none).
   */
  readonly values: Float64Array<ArrayBuffer>;
  /** Over the window, for the legend. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** A rectangle of a decoded chunk's values, two dimensions shown, others fixed. */
export interface SliceSpec {
  readonly reading: number;
  readonly rowDimension: number | undefined;
  readonly columnDimension: number | undefined;
  readonly fixed: readonly number[];
  readonly scaled: boolean;
}

export interface Slice {
  readonly rows: number;
  readonly columns: number;
  /** Every n-th element was taken (1 = all), so that no more than about a million are sent. */
  readonly strideDown: number;
  readonly strideAlong: number;
  /** Row-major; NaN = missing. */
  readonly values: Float64Array<ArrayBuffer>;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** Values as exact text, for the table. */
export interface CellsSpec extends SliceSpec {
  /** Present if no dimension runs along the columns: a column for each field of a structure. */
  readonly fields?: boolean;
  readonly rows: { readonly from: number; readonly to: number };
  readonly columns: { readonly from: number; readonly to: number };
}

export interface Cells {
  /** `texts[row][column]`; `null` = missing (scaled view) or past the array's edge. */
  readonly texts: readonly (readonly (string | null)[])[];
  /** Integers that the texts represent, in the raw view of datetime64 and timedelta64. */
  readonly counts?: readonly (readonly (string | null)[])[];
}

export interface CodecSummary {
  readonly id: string;
  readonly label: string;
  /** The effect of the codec in words, if known. */
  readonly words: string | undefined;
  /** JSON text. */
  readonly configuration: string;
  readonly supported: boolean;
}
