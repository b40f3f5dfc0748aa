/**
 * Typing `{{`, `{%` or `{#` in a string writes the end of the tag too, and typing that end goes over it. Monaco's own
 * pairs go over one character only.
 */
import { editor, Range } from "./monaco.ts";
import { placeInLine, stringEnd } from "./tokens.ts";

const CLOSING: Readonly<Record<string, string>> = { "{{": "}}", "{%": "%}", "{#": "#}" };

interface Typed {
  readonly line: number;
  /** Column before what was typed or removed, from 1. */
  readonly column: number;
  readonly char: string;
}

/** Watches an editor until it is disposed. */
export function closeTags(instance: editor.IStandaloneCodeEditor): void {
  /** Text that was inserted for the user and not typed over yet. */
  const written = instance.createDecorationsCollection();
  instance.onDidChangeModel(() => written.clear());
  instance.onDidChangeModelContent((event) => {
    const [change] = event.changes;
    if (change === undefined || event.changes.length > 1 || event.isFlush || event.isUndoing || event.isRedoing) return;
    const length = change.text.length + change.rangeLength;
    if (length !== 1 || change.range.startLineNumber !== change.range.endLineNumber) return;
    const typed = { line: change.range.startLineNumber, column: change.range.startColumn, char: change.text };
    // The text must not be changed again while the editor reports this change.
    queueMicrotask(() => answer(instance, written, typed, event.versionId));
  });
}

function answer(
  instance: editor.IStandaloneCodeEditor,
  written: editor.IEditorDecorationsCollection,
  { line, column, char }: Typed,
  version: number,
): void {
  const model = instance.getModel();
  if (model === null || model.getVersionId() !== version || instance.getSelections()?.length !== 1) return;
  const [end] = written.getRanges();
  const text = model.getLineContent(line);
  const after = column + char.length;
  if (char === "") {
    // One brace of an empty tag was removed: the end goes with it.
    const empty = end !== undefined && end.startLineNumber === line && end.startColumn === column;
    const open = CLOSING[text.slice(column - 3, column - 1)] !== undefined;
    if (empty && !open && text.charAt(column - 2) === "{") replace(instance, end, "");
  } else if (end !== undefined && end.startLineNumber === line && end.startColumn === after) {
    if (!end.isEmpty() && text.charAt(after - 1) === char)
      replace(instance, new Range(line, after, line, after + 1), "");
  } else {
    const close = closingFor(text, after - 1);
    if (close === undefined) return;
    replace(instance, new Range(line, after, line, after), close);
    written.set([{ range: new Range(line, after, line, after + 2), options: { stickiness: NEVER_GROWS } }]);
    // Not by the brace itself: what is suggested then would replace the end that is written now.
    instance.trigger("tag", "editor.action.triggerSuggest", { auto: true });
  }
}

const NEVER_GROWS = editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;

/** The end of the tag that begins right before `column` (from 0), if its string has none. */
function closingFor(text: string, column: number): string | undefined {
  const close = CLOSING[text.slice(column - 2, column)];
  const place = close === undefined ? undefined : placeInLine(text, column);
  if (close === undefined || place?.kind !== "tag") return undefined;
  const open = text.slice(column, endOfString(text, column));
  return open.includes(close) ? undefined : close;
}

function endOfString(text: string, column: number): number {
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = stringEnd(text, start);
    if (column <= end) return end;
    start = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Replaces text in the undo step of the typing; the cursor stays. */
function replace(instance: editor.IStandaloneCodeEditor, range: Range, text: string): void {
  const selections = instance.getSelections() ?? [];
  instance.executeEdits("tag", [{ range, text }], selections);
}
