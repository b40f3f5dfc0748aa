/** How far the reading of a document has come, and what was found; where in the text it stands. */
import type { FindingLog } from "../../core/findings/finding-log.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import type { Embedded } from "./embedded.ts";
import { decodeText, JsonFault, type JsonNotes } from "./json-bytes.ts";
import type { ReferenceSet } from "./reference-set.ts";
import type { Scanner } from "./scanner.ts";

/** What was found in a document, before it is said what that means. */
export interface ScannedDocument {
  /** "object" or "list": what the document is. */
  readonly top: "object" | "list" | "nothing";
  /** Members of the top level as Version 0 references, where there are any. */
  readonly members: ReferenceSet | undefined;
  /** Members of `refs`, where that is an object. */
  readonly refs: ReferenceSet | undefined;
  /** JSON text of other members with a meaning, as written. */
  readonly version: string | undefined;
  readonly templates: string | undefined;
  readonly gen: string | undefined;
  /** Keys of the top level other than those, at most 1000, and their number. */
  readonly memberNames: readonly string[];
  readonly memberCount: number;
  /** Items of a list at the top, and how many of them are pairs of texts. */
  readonly itemCount: number;
  readonly pairCount: number;
  /** Sets found inside the values of the top level. */
  readonly embedded: readonly Embedded[];
  readonly notes: JsonNotes;
  readonly bytes: number;
  readonly findings: FindingLog;
}

export type Mode = "start" | "members" | "refs" | "items" | "end";

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

export interface DocumentState {
  /** Holds the unread bytes. Its rows belong to `found.refs`, once that was met, else to `found.members`. */
  scanner: Scanner;
  mode: Mode;
  /** No entry of the current object or list has been read yet. */
  first: boolean;
  /** What was found so far; `bytes`: those given so far. */
  readonly found: Mutable<ScannedDocument> & { readonly memberNames: string[]; readonly embedded: Embedded[] };
  /** Line breaks in the bytes that left the buffer. */
  lines: number;
  /** Do not look at an incomplete entry again before this many bytes are there. */
  patience: number;
  readonly makeScanner: () => Scanner;
  /** The embedded set whose bytes are wanted. */
  readonly choice: string | undefined;
  /** Bytes. */
  readonly longestEntry: number;
}

export function referencesOf(state: DocumentState): number {
  const set = state.found.refs ?? state.found.members;
  return set === undefined ? state.scanner.rows : set.scanner.rows + set.metadata.size;
}

/** Line breaks of the bytes about to leave the buffer. */
export function countLines(state: DocumentState): void {
  state.lines += state.scanner.lineBreaks(state.scanner.position);
}

/** Syntax errors become errors that name the place in the document. */
export function guarded<T>(state: DocumentState, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { bytes, end } = state.scanner;
    const line = state.lines + state.scanner.lineBreaks(Math.min(error.at, end)) + 1;
    const byte = state.found.bytes - (end - error.at);
    const found = error.at < end ? decodeText(bytes.subarray(error.at, Math.min(end, error.at + 20))).text : "";
    const { expected } = error;
    throw failure("json-malformed", WHOLE_SET, { expected, found, line, byte, read: referencesOf(state) });
  }
}
