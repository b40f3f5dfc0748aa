/** Data that the editor and the panel around it exchange. Plain data; offsets count UTF-16 units. */
import type { Diagnostic, HoverText, TemplateSuggestion, TextEdit } from "../core/studio.ts";

export interface ReferenceEditorProps {
  /** Text of a document that is opened here for the first time; for one that was open before, its edited text counts. */
  readonly initialText: string;
  /** Another one is another text with its own history; `forgetDocument` ends it. */
  readonly documentId: string;
  readonly theme: "light" | "dark";
  readonly readOnly?: boolean;
  /** Name of the text for screen readers. */
  readonly label: string;
  /** After edits: 80 ms after the last one, at most 400 ms after the first; at once on leaving the field or the page. */
  readonly onChange: (text: string) => void;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The text for which `diagnostics` and `highlight` were made, one that `onChange` gave: they are moved by what was
   * edited since. Absent: the text as it is.
   */
  readonly forText?: string;
  /** Origin of the selected row. */
  readonly highlight: { readonly start: number; readonly end: number; readonly reveal: boolean } | undefined;
  /** Reports where the cursor came to rest. */
  readonly onCursor: (offset: number) => void;
  /** Completions for a place inside of `{{ }}` or `{% %}`. */
  readonly complete: (text: string, offset: number) => Promise<readonly TemplateSuggestion[]>;
  /** Words for a place in a string; `undefined` leaves it to the description of its property. */
  readonly hover: (text: string, offset: number) => Promise<HoverText | undefined>;
  /** Given the handle once the editor stands, `undefined` before it goes. */
  readonly handle?: (handle: EditorHandle | undefined) => void;
}

/** Actions of the editor for the panel. */
export interface EditorHandle {
  /** All edits at once, in places of the text as it is; one step to undo. */
  applyEdits(edits: readonly TextEdit[], label: string): void;
  undo(): void;
  redo(): void;
  /** Lays the JSON out; false where its brackets do not match, then nothing is changed. */
  format(): boolean;
  find(): void;
  focus(): void;
  /** Puts the cursor there, in view. */
  reveal(offset: number): void;
  /** The text as it is, edits of this moment included. */
  text(): string;
  /** Gives what `onChange` still owes. */
  flush(): void;
}

interface OpenDocument {
  dispose(): void;
}

/** The least recently opened is forgotten beyond this many: its edits are kept by the receiver of `onChange`. */
const MAX_OPEN = 12;

/** Texts that were opened in the editor in this session, by their id. */
const open = new Map<string, OpenDocument>();

/** Forgets a document's text and history: the next editor of this id begins with its `initialText`. */
function forgetDocument(documentId: string): void {
  open.get(documentId)?.dispose();
  open.delete(documentId);
}

/** Document of this id, made by `make` if it is not open. */
export function openDocument<D extends OpenDocument>(documentId: string, make: () => D): D {
  // All are made by the one caller: one kind of document.
  const document = (open.get(documentId) as D | undefined) ?? make();
  open.delete(documentId);
  open.set(documentId, document);
  const [oldest] = open.keys();
  if (open.size > MAX_OPEN && oldest !== undefined) forgetDocument(oldest);
  return document;
}
