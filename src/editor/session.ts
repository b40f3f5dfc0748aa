/** One editor on the screen: what the panel says (props) goes into Monaco, what the user does comes back. No React. */
import type { TextEdit } from "../core/studio.ts";
import { DocumentModel } from "./document-model.ts";
import { formatEdits } from "./format.ts";
import { editor, hosts, Range } from "./monaco.ts";
import { addKeys } from "./keys.ts";
import { registerLanguage } from "./language.ts";
import { Markers } from "./markers.ts";
import { type EditorHandle, openDocument, type ReferenceEditorProps } from "./props.ts";
import { editorOptions } from "./options.ts";
import styles from "./ReferenceEditor.module.css";
import { closeTags } from "./tag-closing.ts";
import { setEditorTheme, watchPageTheme } from "./theme.ts";
import { Timer } from "./timer.ts";

/** Milliseconds. */
const GIVE_AFTER = 80;
const GIVE_AT_LATEST = 400;
const CURSOR_AFTER = 120;

export class EditorSession {
  readonly #editor: editor.IStandaloneCodeEditor;
  readonly #container: HTMLElement;
  readonly #giving = new Timer(() => this.flush());
  readonly #resting = new Timer(() => this.#tellCursor());
  readonly #leaving = () => this.flush();
  readonly #endTheme: () => void;
  readonly #band: editor.IEditorDecorationsCollection;
  #props: ReferenceEditorProps;
  #document: DocumentModel;
  #markers: Markers;
  #listening: { dispose(): void };
  /** The text differs from what `onChange` gave last. */
  #owed = false;

  constructor(container: HTMLElement, props: ReferenceEditorProps) {
    registerLanguage();
    setEditorTheme(props.theme, container);
    this.#container = container;
    this.#endTheme = watchPageTheme(() => setEditorTheme(this.#props.theme, container));
    this.#props = props;
    this.#editor = editor.create(container, { ...editorOptions(container, props), model: null });
    this.#band = this.#editor.createDecorationsCollection();
    [this.#document, this.#markers, this.#listening] = this.#enter(props);
    closeTags(this.#editor);
    addKeys(this.#editor, () => void this.#format());
    this.#editor.onDidBlurEditorText(() => this.flush());
    this.#editor.onDidChangeCursorPosition(() => this.#resting.restart(CURSOR_AFTER));
    globalThis.addEventListener("pagehide", this.#leaving);
    document.addEventListener("visibilitychange", this.#leaving);
    props.handle?.(this.#handle());
    this.#markers.show(props.diagnostics, props.forText);
    this.#showBand(true);
  }

  update(props: ReferenceEditorProps): void {
    const before = this.#props;
    if (before === props) return;
    const other = before.documentId !== props.documentId;
    if (other) this.#leave();
    this.#props = props;
    if (other) [this.#document, this.#markers, this.#listening] = this.#enter(props);
    if (before.theme !== props.theme) setEditorTheme(props.theme, this.#container);
    if (before.label !== props.label || before.readOnly !== props.readOnly) {
      this.#editor.updateOptions({ ariaLabel: props.label, readOnly: props.readOnly ?? false });
    }
    const moved = other || before.forText !== props.forText;
    if (moved || before.diagnostics !== props.diagnostics) this.#markers.show(props.diagnostics, props.forText);
    if (moved || !sameBand(before.highlight, props.highlight))
      this.#showBand(!sameBand(before.highlight, props.highlight));
  }

  /** Gives the text to the panel, if it does not have it. */
  flush(): void {
    this.#giving.stop();
    if (!this.#owed) return;
    this.#owed = false;
    this.#props.onChange(this.#document.give());
  }

  dispose(): void {
    this.#props.handle?.(undefined);
    this.#leave();
    this.#resting.stop();
    this.#endTheme();
    globalThis.removeEventListener("pagehide", this.#leaving);
    document.removeEventListener("visibilitychange", this.#leaving);
    this.#editor.dispose();
  }

  #enter(props: ReferenceEditorProps): [DocumentModel, Markers, { dispose(): void }] {
    const entered = openDocument(props.documentId, () => new DocumentModel(props.initialText));
    const { model } = entered;
    this.#editor.setModel(model);
    this.#editor.restoreViewState(entered.viewState);
    const markers = new Markers(entered);
    hosts.set(model, {
      complete: (offset) => this.#props.complete(entered.text(), offset),
      hover: (offset) => this.#props.hover(entered.text(), offset),
      fixes: (range) => markers.fixes(range),
    });
    // The panel's text and this one differ where edits were made before, or line ends of several kinds were made one.
    this.#owed = entered.give() !== props.initialText;
    if (this.#owed) this.#giving.restart(0);
    return [entered, markers, model.onDidChangeContent(() => this.#edited())];
  }

  #leave(): void {
    this.flush();
    this.#listening.dispose();
    this.#markers.dispose();
    this.#band.clear();
    if (this.#document.model.isDisposed()) return;
    this.#document.viewState = this.#editor.saveViewState();
    hosts.delete(this.#document.model);
    this.#editor.setModel(null);
  }

  #edited(): void {
    this.#owed = true;
    this.#giving.restart(GIVE_AFTER, GIVE_AT_LATEST);
  }

  #tellCursor(): void {
    const position = this.#editor.getPosition();
    const { model } = this.#document;
    if (position === null || model.isDisposed()) return;
    this.#props.onCursor(model.getOffsetAt(position));
  }

  #showBand(reveal: boolean): void {
    const { highlight, forText } = this.#props;
    const version = this.#document.versionOf(forText);
    const range =
      highlight === undefined || version === undefined ? undefined : this.#document.place(highlight, version);
    if (highlight === undefined || range === undefined) {
      this.#band.clear();
      return;
    }
    const options = {
      isWholeLine: true,
      className: styles.highlight ?? null,
      marginClassName: styles.highlight ?? null,
      linesDecorationsClassName: styles.edge ?? null,
    };
    this.#band.set([{ range, options }]);
    if (reveal && highlight.reveal) this.#editor.revealRangeInCenterIfOutsideViewport(range, editor.ScrollType.Smooth);
  }

  #handle(): EditorHandle {
    const run = (name: string) => {
      this.#editor.focus();
      this.#editor.trigger("panel", name, null);
    };
    return {
      applyEdits: (edits) => this.#apply(edits),
      undo: () => run("undo"),
      redo: () => run("redo"),
      format: () => this.#format(),
      find: () => run("actions.find"),
      focus: () => this.#editor.focus(),
      reveal: (offset) => this.#reveal(offset),
      text: () => this.#document.text(),
      flush: () => this.flush(),
    };
  }

  #reveal(offset: number): void {
    const position = this.#document.model.getPositionAt(offset);
    this.#editor.setPosition(position);
    this.#editor.revealPositionInCenterIfOutsideViewport(position);
    this.#editor.focus();
  }

  #apply(edits: readonly TextEdit[]): void {
    const { model } = this.#document;
    const operations = edits.map(({ start, end, text }) => ({
      range: Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
      text,
    }));
    this.#editor.pushUndoStop();
    this.#editor.executeEdits("panel", operations);
    this.#editor.pushUndoStop();
    this.flush();
  }

  #format(): boolean {
    const { model } = this.#document;
    const edits = formatEdits(model.getValue(), model.getEOL());
    if (edits === undefined) return false;
    if (edits.length > 0) this.#apply(edits);
    return true;
  }
}

function sameBand(a: ReferenceEditorProps["highlight"], b: ReferenceEditorProps["highlight"]): boolean {
  return a === b || (a?.start === b?.start && a?.end === b?.end && a?.reveal === b?.reveal);
}
