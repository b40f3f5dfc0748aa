/**
 * Fixes as edits of a document: offered for a cause or tried on an array, and what they do to its chunks. Plain data.
 */
import type { Finding } from "./findings/finding.ts";
import type { JsonChange } from "./json/json-changes.ts";
import type { OfferedRepair, RepairSubject } from "./repair.ts";
import type { TableEdit } from "./studio.ts";

/** With the edits of the document that it is. */
export interface RepairOffer extends OfferedRepair {
  /** None where `refused` says why. */
  readonly edits: readonly TableEdit[];
  /** Chunks to read again once it is applied, with the values that were seen. */
  readonly chunks: readonly ForeseenChunk[];
}

/** Cost of a search for repairs so far. */
export interface RepairSpent {
  readonly bytes: number;
  readonly requests: number;
}

export interface RepairSearch {
  readonly subject: RepairSubject;
  /** The best first. */
  readonly offers: readonly RepairOffer[];
  readonly spent: RepairSpent;
  /** Limit that ended the search before everything was tried. */
  readonly ended?: "bytes" | "requests" | "time";
}

/** Scope of an edit: the reference of one chunk, or metadata and references of its array. */
export type RepairScope = "chunk" | "array";

/**
 * Effect of a trial on a chunk of the array:
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
  /** Results of reading it as declared, and with the trial. */
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
  /** Limit that ended the sample before it was complete. */
  readonly stopped?: "bytes" | "time";
  /** Why it is not offered; absent where it is. */
  readonly refused?: AgainstRepair;
  /** Edits of applying it, and their effect. */
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
  /** Absent: that of the edit. */
  readonly array?: string;
  readonly coordinates: readonly number[];
  readonly fingerprint?: string;
}

/** Chunks of an edited set, read again after a repair was applied. */
export interface ReadAgain {
  readonly read: number;
  /** Those that fail or give unexpected values. */
  readonly wrong: readonly { readonly key: string; readonly found: ReadOutcome }[];
}
