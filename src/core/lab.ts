/** Trials of a chunk's decode: what bytes look like, reading other than as declared, and likely repairs. Plain data. */
import type { ByteOrder } from "./data-type.ts";
import type { JsonChange } from "./json-changes.ts";
import type { TableEdit } from "./studio.ts";
import type { Finding } from "./findings/finding.ts";

/** What the bytes after a stage look like, whatever they are said to be. */
export interface BytesLook {
  /** Shannon entropy of the bytes in bits per byte, 0 (all the same) to 8 (noise, or well compressed). */
  readonly entropy: number;
  /** Bytes that the entropy was computed over: all of them, or as many from the beginning. */
  readonly counted: number;
  /** The format whose signature the bytes begin with. */
  readonly signature?: Signature;
}

export interface Signature {
  /** `zlib`, `gzip`, `zstd`, `blosc`, `lz4`, `hdf5`, `tiff`, `grib`, `png`, `jpeg`, … */
  readonly name: string;
  /** For people: "Blosc, lz4, byte shuffle, 4-byte elements". */
  readonly label: string;
  /** Fields of the header, decoded. */
  readonly facts: readonly { readonly term: string; readonly value: string }[];
}

/** One codec of a chain as the user set it. */
export interface TrialStep {
  readonly id: string;
  /** JSON text of an object; "" is an empty one. */
  readonly configuration: string;
  /** Switched off: the bytes pass as they are. */
  readonly off?: boolean;
}

/** How to read a chunk otherwise than its metadata and its reference say. An empty trial is the declared reading. */
export interface Trial {
  /** In the order of decoding; absent = as the metadata say. */
  readonly steps?: readonly TrialStep[];
  /** Absent = as the metadata say. */
  readonly byteOrder?: Exclude<ByteOrder, "none">;
  /** Bytes that the range begins later; negative = earlier. The end moves along. */
  readonly shift?: number;
  /** Bytes that the range is longer; negative = shorter. */
  readonly lengthen?: number;
}

export type RepairKind =
  /** A codec is declared that was not applied to this chunk. */
  | "codec-not-applied"
  /** A codec was applied that is not declared. */
  | "codec-undeclared"
  | "codec-order"
  | "element-size"
  | "byte-order"
  | "offset"
  | "length";

/** A repair that gives exactly the bytes that the chunk should have. */
export interface Suggestion {
  readonly kind: RepairKind;
  /** "Read 12 bytes later". */
  readonly title: string;
  readonly trial: Trial;
  /** Sentences: what speaks for it. */
  readonly evidence: readonly string[];
  /** 0 to 1, for ranking. */
  readonly score: number;
}

export interface Suggestions {
  /** The best first; none where the chunk reads well as declared. */
  readonly suggestions: readonly Suggestion[];
  /** One sentence: why there are none, or what was found. */
  readonly summary: string;
  /** Readings that were tried. */
  readonly tried: number;
}

/** A member of a codec's configuration that is known well enough for a field of its own. */
export interface CodecField {
  /** Name of the member. */
  readonly name: string;
  readonly kind: "number" | "text" | "json";
  /** What is often written there; with `only`, what alone may be. */
  readonly often: readonly string[];
  readonly only?: true;
}

/** What is known of a codec, for people. */
export interface CodecDescription {
  /** As Zarr v2 spells it, else as Zarr v3 does. */
  readonly id: string;
  /** Under which it is found too, beside those with `numcodecs.` before them. */
  readonly otherNames: readonly string[];
  /** What it does when it decodes, in one short sentence. */
  readonly words: string;
  /** Members that decoding depends on. */
  readonly fields: readonly CodecField[];
  /** Where it may be put into a chain by hand: JSON text of the configuration to begin with. */
  readonly insertable?: string;
}

/** What an edit is made for: the reference of one chunk, or metadata and references of its array. */
export type RepairScope = "chunk" | "array";

/**
 * What a trial does to a chunk of the array:
 * - `better`: it failed and reads, or its values are far more like numbers that were measured
 * - `same`: the same values
 * - `worse`: it read and fails, its values are far less plausible, or others although the old ones decoded exactly
 * - `undecided`: other values, and nothing shows which are right
 * - `failing`: it fails as before
 * - `unread`: its bytes cannot be had
 */
export type ChunkVerdict = "better" | "same" | "worse" | "undecided" | "failing" | "unread";

export type ReadOutcome =
  | { readonly kind: "failed"; readonly error: Finding }
  | { readonly kind: "missing" }
  | { readonly kind: "no-values" }
  /** Smallest and largest value as text; absent where there is none. */
  | { readonly kind: "reads"; readonly range?: readonly [smallest: string, largest: string] };

/** Why a repair is not the array's: some chunks read worse, none better, or too few certainly better. */
export type AgainstRepair = "worse" | "none-better" | "undecided";

export interface CheckedChunk {
  readonly coordinates: readonly number[];
  readonly key: string;
  readonly verdict: ChunkVerdict;
  /** What reading it gives as declared, and with the trial. */
  readonly before: ReadOutcome;
  readonly after: ReadOutcome;
  /** Fingerprint of the trial's values; absent where it gave none. */
  readonly fingerprint?: string;
}

/** A repair of an array, tried on a sample of its chunks. */
export interface RepairCheck {
  readonly chunks: readonly CheckedChunk[];
  /** Chunks of the array that have a reference. */
  readonly of: number;
  /** What ended the sample before it was complete. */
  readonly stopped?: "bytes" | "time";
  /** Why it is not offered; absent where it is. */
  readonly refused?: AgainstRepair;
  /** What applying it does, and what that changes. */
  readonly edits: readonly TableEdit[];
  readonly documents: readonly DocumentChange[];
  readonly ranges: RangeChange | undefined;
}

export interface DocumentChange {
  readonly key: string;
  readonly changes: readonly JsonChange[];
}

/** All ranges of the array move; those of the sample's first chunks are examples. */
export interface RangeChange {
  readonly count: number;
  readonly examples: readonly { readonly key: string; readonly before: string; readonly after: string }[];
}

/** A chunk that was repaired, and the values that it should have then, where they are known. */
export interface ForeseenChunk {
  readonly coordinates: readonly number[];
  readonly fingerprint?: string;
}

/** Chunks of an edited set, read again after a repair was applied. */
export interface ReadAgain {
  readonly read: number;
  /** Those that fail or give unexpected values. */
  readonly wrong: readonly { readonly key: string; readonly found: ReadOutcome }[];
}
