/** Types of the package: plain data. Imports nothing of the engine, so that its promises stand alone. */

export interface OpenOptions {
  /** Which of several datasets, by the id that the error lists. */
  readonly choice?: string;
  /** Branch, tag or snapshot of an Icechunk repository. */
  readonly ref?: string;
  /** Lets a dataset from a public address read loopback and private addresses. */
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
}

export interface Problem {
  /** Stable: `range-past-end`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly title: string;
  readonly message: string;
  /** Advice: what to do. */
  readonly remedy: string | undefined;
  /** Path of the array or group, or a chunk's coordinates in it, or the address of a source. */
  readonly path: string | undefined;
  readonly chunk: readonly number[] | undefined;
  readonly source: string | undefined;
  /** How often it was met. */
  readonly count: number;
}

/** `missing`: there is none, so that readers give the fill value. `bad`: it is not well-formed. */
export type ReferenceState = "missing" | "inline" | "range" | "whole" | "native" | "virtual" | "bad";

export interface ChunkReference {
  readonly coordinates: readonly number[];
  readonly key: string;
  readonly state: ReferenceState;
  /** Target as written; `null` if the dataset gives none. Absent if it has no target. */
  readonly target?: string | null;
  /** Bytes. */
  readonly offset?: number;
  readonly length?: number;
}

export interface ReferenceWindow {
  /** Chunks of the array's grid. */
  readonly total: number;
  readonly references: readonly ChunkReference[];
}

export interface Values {
  readonly shape: readonly number[];
  /** Type as NumPy writes it: `<f4`; `|O` for texts. */
  readonly dtype: string;
  /** Little-endian, in C order; of `|O` a JSON list. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Chunks that could not be read, by key: their elements in `bytes` are the fill value. */
  readonly failed: ReadonlyMap<string, Problem>;
  /** Chunks without a reference. */
  readonly missing: number;
}

export interface ReadOptions {
  /** True for values as xarray decodes them: scaled, masked, times as `<M8[ns]`. */
  readonly cf?: boolean;
  readonly signal?: AbortSignal;
}

export interface Group {
  readonly kind: "group";
  /** Without leading slash; `""` is the root. */
  readonly path: string;
  /** JSON text, numbers as they were written. */
  readonly attributes: string;
}

export interface ZarrArray extends Omit<Group, "kind"> {
  readonly kind: "array";
  readonly shape: readonly number[];
  /** Lengths along each dimension; the longest, where they are unequal. */
  readonly chunks: readonly number[];
  /** Type as NumPy writes it, or Zarr's name if NumPy has no such type. */
  readonly dtype: string;
  readonly dimensionNames: readonly (string | undefined)[] | undefined;
  /** Chunks in C order of the grid: `from` the first, `count` at most 10,000 of them. */
  references(window?: { readonly from?: number; readonly count?: number }): Promise<ReferenceWindow>;
  /** `select` as NumPy's basic indexing ("0, 10:20, :") or by places ("time=2015-07-04,lat=30N..60N"); all without it. */
  read(select?: string, options?: ReadOptions): Promise<Values>;
}

export interface CheckOptions {
  /** Sources are asked whether they are there and unchanged. */
  readonly network?: boolean;
  /** Chunks that are decoded: of each array so many, or all. */
  readonly deep?: number | "all";
  readonly signal?: AbortSignal;
}

export interface Checked {
  readonly problems: readonly Problem[];
  /** Chunks that the dataset has, that were decoded, that failed, and whose source is out of reach. */
  readonly chunks: {
    readonly of: number;
    readonly decoded: number;
    readonly failed: number;
    readonly unreached: number;
  };
  /** Sources that it has, that were asked, and that answered. */
  readonly sources: { readonly of: number; readonly asked: number; readonly answered: number };
}

/** A change that was tried. */
export interface Repair {
  /** Code of the problem that it fixes. */
  readonly code: string;
  readonly title: string;
  /** `safe`: nothing else can be meant. */
  readonly certainty: "safe" | "likely" | "needs-you";
  readonly key: string;
  /** JSON of the reference, or of the member of the metadata. */
  readonly before: string;
  readonly after: string;
  /** Evidence for it. */
  readonly evidence: readonly string[];
}

/** Interface of zarrita's `AsyncReadable`. */
export interface StoredObjects {
  /** Throws where a chunk fails: it is never the fill value. */
  get(key: `/${string}`, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array | undefined>;
}

export interface DecodedStore extends StoredObjects {
  /** Arrays that Zarr v2 cannot hold, and why: the store has neither their metadata nor their chunks. */
  leftOut(): Promise<readonly Problem[]>;
}

export type StoredRange = { readonly offset: number; readonly length: number } | { readonly suffixLength: number };

export interface StoredBytes extends StoredObjects {
  getRange(
    key: `/${string}`,
    range: StoredRange,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Uint8Array | undefined>;
}

export interface Dataset {
  readonly name: string;
  /** "Kerchunk JSON, Version 1". */
  readonly format: string;
  /** Reference keys, metadata among them. */
  readonly keys: number;
  /** Parents before children. */
  readonly hierarchy: readonly (Group | ZarrArray)[];
  /** Throws where there is no such array. */
  array(path: string): ZarrArray;
  /** Problems found on opening. */
  problems(): Promise<readonly Problem[]>;
  check(options?: CheckOptions): Promise<Checked>;
  /** Repairs of the problems that `check` found last, or of those found on opening. */
  repairs(): Promise<readonly Repair[]>;
  /** Every chunk comes decoded, little-endian and in C order, under plain Zarr v2 metadata: no codec is needed. */
  zarrita(): DecodedStore;
  /** Metadata and chunks as they are stored. */
  raw(): StoredBytes;
  /**
   * The references in another form. Rejects where it cannot hold them. What it cannot express, or writes otherwise, are
   * its problems; nothing is written before the files are asked for.
   */
  write(form: "kerchunk-parquet" | "icechunk", options?: WriteOptions): Promise<Written>;
}

export interface WriteOptions {
  /** Place in which sources with relative or local paths will lie: `https://…`, `s3://…`, `file:///…`. */
  readonly prefix?: string;
  /** Icechunk: of the commit. */
  readonly message?: string;
  readonly signal?: AbortSignal;
}

export interface Written {
  readonly problems: readonly Problem[];
  /** Put them in this order: the last one makes the others a dataset. Paths are below the dataset's own folder. */
  readonly files: AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }>;
}

/** Files by their path. */
export interface GivenFile {
  readonly path: string;
  readonly blob: Blob;
}
