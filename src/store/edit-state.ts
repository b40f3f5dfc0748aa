/** An edited set, as the screen knows it: the document, what rendering it gave, what other readers make of it. */
import type { Finding } from "../core/findings/finding.ts";
import type { ForeseenChunk, ReadAgain } from "../core/repair-offer.ts";
import type { SetSummary } from "../core/open-set.ts";
import type { KeptEdit, Known } from "./kept-edits.ts";
import type { EditAnswer, EditSource, ReadersSummary, TableEdit } from "../core/studio.ts";

export interface EditState {
  /** The set as it was opened. What is shown everywhere is the edited one. */
  readonly base: SetSummary;
  readonly source: EditSource;
  /** The document as edited, as far as the editor has reported. */
  readonly text: string;
  /** Rises when the editor must take `text` again: edits kept from before, discarding. */
  readonly generation: number;
  readonly edits: readonly TableEdit[];
  /** Table edits undone, the last first. */
  readonly undone: readonly TableEdit[];
  /** Edits from an earlier visit were found and applied. */
  readonly restored: boolean;
  /**
   * State of the edits' storage: nothing to keep, kept in this browser, being written, not to be kept, or held back
   * since another window has kept its own.
   */
  readonly kept: "nothing" | "kept" | "writing" | "failed" | "conflict";
  /** Version of the kept edit that this window saw or wrote last. */
  readonly known: Known;
  /** Edit that another window has kept meanwhile. */
  readonly theirs?: KeptEdit | undefined;
  readonly answer: EditAnswer | undefined;
  /** The text that `answer` is about. */
  readonly answered: string | undefined;
  /** True if the shown rendering is one that fsspec accepts: it stays while newer ones are refused. */
  readonly sound: boolean;
  /** A newer text or newer edits are being rendered. */
  readonly rendering: boolean;
  /** Why rendering failed as a whole: an error of the engine, not of the document. */
  readonly error: Finding | undefined;
  readonly readers: ReadersSummary | undefined;
  /** The JavaScript reader is at work. */
  readonly comparing: boolean;
  /** Key of the row that is looked at. */
  readonly row: string | undefined;
  /** Edits applied last outside the editor, so that the page can name and undo them. */
  readonly applied?: AppliedEdits | undefined;
}

export interface AppliedEdits {
  /** Effect in words: "Read 12 bytes later". */
  readonly label: string;
  /** Path of the array that it was for. */
  readonly array: string;
  /** Chunks read in the edited set before the repair is said to work. */
  readonly chunks: readonly ForeseenChunk[];
  /** Result of reading them; absent until the edited set is there. */
  readonly again?: AppliedReading;
  readonly before: Pick<EditState, "text" | "edits">;
  readonly after: Pick<EditState, "text" | "edits">;
}

export type AppliedReading =
  | { readonly kind: "reading" }
  | { readonly kind: "read"; readonly result: ReadAgain }
  | { readonly kind: "not-read"; readonly error: Finding };

/** A document without anything, which a new one is opened from. */
export const NEW_DOCUMENT = { kind: "text", text: "{}", name: "untitled.json" } as const;

export const isEdited = ({ text, source, edits }: EditState): boolean => edits.length > 0 || text !== firstText(source);

/** A new document begins with nothing in the editor. */
export function firstText({ text, documentId }: EditSource): string {
  return text === NEW_DOCUMENT.text && documentId.includes(NEW_DOCUMENT.name) ? "" : text;
}
