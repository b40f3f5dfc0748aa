/**
 * A fix: a change of references or metadata that was tried, and what speaks for it. One concept, whether it was found for the
 * bytes of one chunk or for a cause that a check found. Plain data.
 */
import type { Trial } from "./check/lab.ts";
import type {
  DECODING_TITLES,
  LINES_OF_BYTES,
  LINES_OF_REFERENCES,
  MEMBER_WORDS,
  REFERENCE_TITLES,
} from "./repair-words.ts";
import type { ToldBy } from "./words/sentences.ts";

/** What a repair is looked for: a chunk of a grid, or a key that fits none. */
export type RepairSubject =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "key"; readonly key: string }
  /** What an array's metadata say of its grid. `chunks`: the chunk shape that lengths of references speak for. */
  | { readonly kind: "metadata"; readonly array: string; readonly chunks?: readonly number[] };

/** How the bytes of a chunk, or of all chunks of an array, are read. */
export type DecodingChange = ToldBy<typeof DECODING_TITLES, "kind">;

export type RepairChange = DecodingChange | ToldBy<typeof REFERENCE_TITLES, "kind">;

export type GridMember = keyof typeof MEMBER_WORDS;

/** What the bytes say. Values "as declared" are those of the declared reading. */
export type Evidence = ToldBy<typeof LINES_OF_BYTES, "kind">;

/** What speaks for a repair: what the lab found, and what other references say. */
export type RepairEvidence = Evidence | ToldBy<typeof LINES_OF_REFERENCES, "kind">;

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
