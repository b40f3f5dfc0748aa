/**
 * A fix: a change of references or metadata that was tried, and what speaks for it. One concept, whether it was found for the
 * bytes of one chunk or for a cause that a check found. Plain data.
 */
import type { Trial } from "./check/lab.ts";
import type { ByteOrder } from "./metadata/data-type.ts";

/** What a repair is looked for: a chunk of a grid, or a key that fits none. */
export type RepairSubject =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "key"; readonly key: string }
  /** What an array's metadata say of its grid. `chunks`: the chunk shape that lengths of references speak for. */
  | { readonly kind: "metadata"; readonly array: string; readonly chunks?: readonly number[] };

export type RepairChange = DecodingChange | ReferenceChange;

/** How the bytes of a chunk, or of all chunks of an array, are read. */
export type DecodingChange =
  /** Codecs are declared that were not applied to this chunk. */
  | { readonly kind: "codec-not-applied"; readonly codecs: readonly string[] }
  /** A codec was applied that is not declared. */
  | { readonly kind: "codec-undeclared"; readonly codec: string; readonly detail?: UndeclaredDetail }
  | { readonly kind: "codec-order"; readonly codecs: readonly string[] }
  /** Of shuffle, in bytes. */
  | { readonly kind: "element-size"; readonly size: number; readonly declared: number }
  | { readonly kind: "byte-order"; readonly byteOrder: Exclude<ByteOrder, "none"> }
  /** Bytes that the range begins later, and by which it is longer; negative: earlier, shorter. */
  | { readonly kind: "move"; readonly shift: number; readonly lengthen: number };

export type ReferenceChange =
  /** A reference that no reader asks for. */
  | { readonly kind: "remove" }
  /** Another number of bytes from the same offset. */
  | { readonly kind: "length"; readonly length: number }
  /** The same bytes of targets whose address begins otherwise. */
  | { readonly kind: "prefix"; readonly from: string; readonly to: string }
  | { readonly kind: "range"; readonly offset: number; readonly length: number }
  /** The same bytes of another target, or `range`: other bytes of it. */
  | { readonly kind: "target"; readonly target: string | null; readonly range?: RepairRange }
  /** Another shape, or chunk shape, in the array's metadata. */
  | { readonly kind: "metadata"; readonly member: GridMember; readonly to: readonly number[] }
  /** The key of the chunk that it must be. */
  | { readonly kind: "rename"; readonly to: string }
  /** Keys of the array's chunks, written as its metadata say. */
  | { readonly kind: "separator"; readonly from: string; readonly to: string; readonly references: number };

export type UndeclaredDetail =
  /** The codec is a checksum of 4 bytes, before or after the others. */
  | { readonly kind: "checksum"; readonly place: "start" | "end" }
  | { readonly kind: "with-shuffle" }
  | { readonly kind: "element-size"; readonly size: number };

export type GridMember = "shape" | "chunks";

export interface RepairRange {
  readonly offset: number;
  readonly length: number;
}

/** What the bytes say. Values "as declared" are those of the declared reading. */
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

/** What speaks for a repair: what the lab found, and what other references say. */
export type RepairEvidence =
  | Evidence
  /** The reference of this key ends where the range begins, or begins where it ends. */
  | { readonly kind: "begins-behind"; readonly key: string }
  | { readonly kind: "ends-before"; readonly key: string }
  /** No other reference has a byte of the range. */
  | { readonly kind: "unclaimed" }
  /** The chunks before and behind it in the array are as far from it as from each other. */
  | { readonly kind: "even-distance"; readonly bytes: number }
  /** In the target of this chunk, which is laid out alike, it begins at the same offset. */
  | { readonly kind: "same-layout"; readonly key: string; readonly target: string | null }
  /** Chunks beside this one have the target. */
  | { readonly kind: "target-of-neighbours"; readonly key: string }
  | { readonly kind: "near-name"; readonly name: string }
  /** The target as written cannot be read. */
  | { readonly kind: "target-unread" }
  | { readonly kind: "outside-grid"; readonly grid: readonly number[] }
  | { readonly kind: "wrong-rank"; readonly rank: number }
  | { readonly kind: "no-chunk-key" }
  /** The same bytes have another reference, which is read. */
  | { readonly kind: "bytes-referenced-by"; readonly key: string }
  /** Of the chunks without a reference, only that of this key can be meant. */
  | { readonly kind: "only-missing"; readonly key: string }
  /** As many keys of the array are those of chunks that have no reference. */
  | { readonly kind: "keys-fit"; readonly keys: number }
  /** As written these do not decode, or cannot be read; changed alike, all of them do. */
  | { readonly kind: "all-alike"; readonly read: number }
  /** The grid that follows has a key for each of its chunks, and none is outside. */
  | { readonly kind: "keys-fill-grid"; readonly grid: readonly number[] }
  /** Of the dimension; `by`: an array that has it. */
  | { readonly kind: "length-elsewhere"; readonly dimension: string; readonly length: number; readonly by: string }
  /** So many chunks were read, and decode so to the bytes that they should have. */
  | { readonly kind: "chunks-decode"; readonly read: number }
  /** A chunk without compression has as many bytes, and nothing else. */
  | { readonly kind: "only-size"; readonly bytes: number };

/** `safe`: nothing else can be meant, or no reader sees a difference. `needs-you`: two things may be meant. */
export type Certainty = "safe" | "likely" | "needs-you";

export interface Repair {
  readonly change: RepairChange;
  readonly evidence: readonly RepairEvidence[];
  /** How a chunk is read so: absent where that is no other reading of its range. */
  readonly trial?: Trial;
}

/** That gives exactly the bytes that the chunk should have. */
export interface Suggestion extends Repair {
  readonly change: DecodingChange;
  readonly evidence: readonly Evidence[];
  readonly trial: Trial;
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

/** Why a repair is no edit: the format cannot be edited here, gen made the reference, or they are too many. */
export type NotEditable = "not-a-document" | "generated" | "too-many";

/** Of a repair that many chunks have in common: references that it changes, and how many of them were read so. */
export interface AlikeChunks {
  readonly references: number;
  readonly read: number;
}

/** What a search may cost that somebody asks for; where chunks are large, as many bytes as a few of them have. */
export const SEARCH_COST = {
  one: { bytes: 4 * 2 ** 20, requests: 40 },
  all: { bytes: 16 * 2 ** 20, requests: 400 },
  most: 64 * 2 ** 20,
} as const;

/** Where a cause is met at more places, one repair is looked for that holds for all of them. */
export const FEW_PLACES = 12;

/** What is said of a repair where it is offered. */
export interface OfferedRepair extends Repair {
  readonly certainty: Certainty;
  /** Key of the reference, and its array where it is a chunk of one. */
  readonly key: string;
  readonly array?: string;
  readonly refused?: NotEditable;
  /** The reference as written; "" where there is none. */
  readonly before: string;
  readonly after: string;
  /** Absent where it is of one chunk or key, or of all keys of an array (`separator`). */
  readonly alike?: AlikeChunks;
}
