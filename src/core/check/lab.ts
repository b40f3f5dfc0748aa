/** Trials of a chunk's decode: what bytes look like, reading other than as declared, and likely repairs. Plain data. */
import type { ByteOrder } from "../metadata/data-type.ts";
import type { JsonChange } from "../json/json-changes.ts";
import type { TableEdit } from "../studio.ts";
import type { Finding } from "../findings/finding.ts";

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

/** What a repair changes; by how much a range moves is in its trial. */
export type Repair =
  /** Codecs are declared that were not applied to this chunk. */
  | { readonly kind: "codec-not-applied"; readonly codecs: readonly string[] }
  /** A codec was applied that is not declared. */
  | { readonly kind: "codec-undeclared"; readonly codec: string; readonly detail?: UndeclaredDetail }
  | { readonly kind: "codec-order"; readonly codecs: readonly string[] }
  /** Of shuffle, in bytes. */
  | { readonly kind: "element-size"; readonly size: number; readonly declared: number }
  | { readonly kind: "byte-order"; readonly byteOrder: Exclude<ByteOrder, "none"> }
  | { readonly kind: "offset" }
  | { readonly kind: "length" };

export type RepairKind = Repair["kind"];

export type UndeclaredDetail =
  /** The codec is a checksum of 4 bytes, before or after the others. */
  | { readonly kind: "checksum"; readonly place: "start" | "end" }
  | { readonly kind: "with-shuffle" }
  | { readonly kind: "element-size"; readonly size: number };

/** What speaks for a repair. Values "as declared" are those of the declared reading. */
export type Evidence =
  /** Checksums of these codecs hold. */
  | { readonly kind: "checksum-holds"; readonly codecs: readonly string[] }
  /** Streams of these codecs decode from their first byte to their last. */
  | { readonly kind: "stream-whole"; readonly codecs: readonly string[] }
  /** The stored bytes are as many as those of the plain chunk. */
  | { readonly kind: "plain-size" }
  /** With these codecs it does not decode. */
  | { readonly kind: "decodes-without"; readonly codecs: readonly string[] }
  | { readonly kind: "decodes-in-order" }
  /** The first or last 4 bytes are the checksum of all others. */
  | { readonly kind: "is-checksum"; readonly codec: string; readonly place: "start" | "end"; readonly of: number }
  | { readonly kind: "begins-like"; readonly codec: string }
  /** At the new offset. */
  | { readonly kind: "stream-begins"; readonly codec: string }
  /** The range touches that of a reference before or after it. */
  | { readonly kind: "adjoins"; readonly neighbour: "before" | "after" }
  /** The jump from row to row is where the rows end. */
  | { readonly kind: "rows-end" }
  | { readonly kind: "even-steps" }
  /** Bits of entropy per byte. */
  | { readonly kind: "more-order"; readonly bits: number; readonly declared: number }
  /** Shares, 0 to 1, of what no text or measurement has among values that are not zero. */
  | {
      readonly kind: "fewer-absurd";
      readonly of: "characters" | "numbers";
      readonly share: number;
      readonly declared: number;
    }
  /** Mean bits of the differences between neighbours. */
  | { readonly kind: "smoother"; readonly bits: number; readonly declared: number }
  /** All values are small, as flags; as declared they are spread over several bytes of an element. */
  | { readonly kind: "flags"; readonly greatest: number; readonly places: number }
  /** How often the fill value occurs among values as stored, and when they are summed up as declared. */
  | { readonly kind: "fill-lost"; readonly fill: number; readonly stored: number; readonly summed: number }
  | { readonly kind: "nan-spreads" }
  | { readonly kind: "sums-wrap"; readonly count: number }
  | { readonly kind: "sums-grow" }
  | { readonly kind: "exact-size"; readonly bytes: number };

/** A repair that gives exactly the bytes that the chunk should have. */
export interface Suggestion {
  readonly repair: Repair;
  readonly trial: Trial;
  readonly evidence: readonly Evidence[];
  /** 0 to 1, for ranking. */
  readonly score: number;
}

/** Why nothing was searched for: there is no reference or a bad one, no bytes, or more than may be kept. */
export type NothingSearched = "no-reference" | "bad-reference" | "no-bytes" | "too-large";

export interface Suggestions {
  /** The best first; none where the chunk reads well as declared. */
  readonly suggestions: readonly Suggestion[];
  /** Whether the chunk decodes as declared; or why nothing was searched for. */
  readonly declared: "decodes" | "fails" | NothingSearched;
  /** Bytes that the chunk should have; 0 where that is not known. */
  readonly expected: number;
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
