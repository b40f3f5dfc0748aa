/** Repairs of what a check found: searched for, tried, and offered as edits of the document. Plain data. */
import type { Evidence, ForeseenChunk, Trial } from "./lab.ts";
import type { TableEdit } from "../studio.ts";

/** What a repair is looked for: a chunk of a grid, or a key that fits none. */
export type RepairSubject =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "key"; readonly key: string }
  /** What an array's metadata say of its grid. `chunks`: the chunk shape that lengths of references speak for. */
  | { readonly kind: "metadata"; readonly array: string; readonly chunks?: readonly number[] };

/** `safe`: nothing else can be meant, or no reader sees a difference. `needs-you`: two things may be meant. */
export type Certainty = "safe" | "likely" | "needs-you";

export type RepairChange =
  /** A reference that no reader asks for. */
  | { readonly kind: "remove" }
  /** The same number of bytes of the same target, later (negative: earlier). */
  | { readonly kind: "shift"; readonly bytes: number }
  /** Another number of bytes from the same offset. */
  | { readonly kind: "length"; readonly length: number }
  /** From another offset, and more or fewer bytes (negative); of many chunks, whose lengths differ. */
  | { readonly kind: "move"; readonly shift: number; readonly lengthen: number }
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

export type GridMember = "shape" | "chunks";

export interface RepairRange {
  readonly offset: number;
  readonly length: number;
}

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

export interface RepairOffer {
  readonly change: RepairChange;
  readonly certainty: Certainty;
  /** Key of the reference, and its array where it is a chunk of one. */
  readonly key: string;
  readonly array?: string;
  /** None where `refused` says why. */
  readonly edits: readonly TableEdit[];
  readonly refused?: NotEditable;
  /** The reference as written; "" where there is none. */
  readonly before: string;
  readonly after: string;
  readonly evidence: readonly RepairEvidence[];
  /** Absent where it is of one chunk or key, or of all keys of an array (`separator`). */
  readonly alike?: AlikeChunks;
  /** What is to be read again once it is applied, with the values that were seen. */
  readonly chunks: readonly ForeseenChunk[];
  /** To be tried in the microscope first, where that can move the range so. */
  readonly trial?: Trial;
}

/** What a search for repairs has cost. */
export interface RepairSpent {
  readonly bytes: number;
  readonly requests: number;
}

export interface RepairSearch {
  readonly subject: RepairSubject;
  /** The best first. */
  readonly offers: readonly RepairOffer[];
  readonly spent: RepairSpent;
  /** What ended the search before everything was tried. */
  readonly ended?: "bytes" | "requests" | "time";
}
