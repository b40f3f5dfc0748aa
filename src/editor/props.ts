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
