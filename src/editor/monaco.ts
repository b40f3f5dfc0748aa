/**
 * Monaco, with the features we use and its workers; the only file that imports it. Everything is bundled: nothing is
 * fetched from elsewhere, and no code is made from text.
 */
import { editor, KeyCode, KeyMod, languages, MarkerSeverity, Range, Uri } from "monaco-editor/editor";
import type { CancellationToken, IDisposable, IMarkdownString, IRange, Position } from "monaco-editor/editor";
// oxlint-disable-next-line import/default -- Vite makes the worker of the file.
import EditorWorker from "monaco-editor/editor/editor.worker?worker";
// oxlint-disable-next-line import/default -- Vite makes the worker of the file.
import JsonWorker from "monaco-editor/languages/features/json/json.worker?worker";
import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/caretOperations/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeAction/register";
import "monaco-editor/features/codeEditor/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/contextmenu/register";
import "monaco-editor/features/cursorUndo/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/gotoError/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/indentation/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/placeholderText/register";
import "monaco-editor/features/readOnlyMessage/register";
import "monaco-editor/features/snippet/register";
// The list itself: `features/suggest/register` has only the ghost text of it.
import "monaco-editor/editor/contrib/suggest/browser/suggestController";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/wordOperations/register";
import type { HoverText, TemplateSuggestion, TextEdit } from "../core/studio.ts";

export { editor, languages, KeyCode, KeyMod, MarkerSeverity, Range, Uri };
export type { CancellationToken, IDisposable, IMarkdownString, IRange, Position };

globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker({ name: "editor" }) };

/**
 * A worker with Monaco's JSON language service, ready for `editor.createWebWorker`. `settings`: see `json-service.ts`.
 */
export function startJsonWorker(settings: unknown): Worker {
  const worker = new JsonWorker({ name: "json" });
  // The first message starts it, whatever is in it; the second says how.
  for (const message of ["start", settings]) worker.postMessage(message, []);
  return worker;
}

export interface Fix {
  readonly title: string;
  readonly marker: editor.IMarkerData;
  readonly edits: readonly { readonly range: IRange; readonly text: TextEdit["text"] }[];
}

interface EditorHost {
  complete(offset: number): Promise<readonly TemplateSuggestion[]>;
  hover(offset: number): Promise<HoverText | undefined>;
  /** Fixes of what is marked in a range of the text. */
  fixes(range: IRange): readonly Fix[];
}

/** The host of each model: the helpers of the editor are registered once, for all models. */
export const hosts = new WeakMap<editor.ITextModel, EditorHost>();
