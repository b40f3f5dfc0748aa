/** How the editor looks and behaves. */
import { editor } from "./monaco.ts";
import type { ReferenceEditorProps } from "./props.ts";
import { monospaceFamily } from "./theme.ts";

export function editorOptions(
  container: HTMLElement,
  { label, readOnly }: ReferenceEditorProps,
): editor.IStandaloneEditorConstructionOptions {
  return {
    ...quiet,
    ariaLabel: label,
    readOnly: readOnly ?? false,
    fontFamily: monospaceFamily(container),
    fontSize: 13,
    lineHeight: 20,
    ...(readOnly === true ? {} : { placeholder: "Type {, or press Ctrl+Space for a skeleton" }),
    accessibilitySupport: "auto",
    automaticLayout: true,
    fixedOverflowWidgets: true,
    padding: { top: 8, bottom: 24 },
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 14,
    tabSize: 2,
    insertSpaces: true,
    detectIndentation: false,
    autoClosingBrackets: "languageDefined",
    autoClosingQuotes: "languageDefined",
    autoIndent: "advanced",
    matchBrackets: "near",
    folding: true,
    showFoldingControls: "mouseover",
    quickSuggestions: { other: true, strings: true, comments: false },
    suggest: { showWords: false, showStatusBar: false, preview: false, insertMode: "replace", showIcons: true },
    acceptSuggestionOnCommitCharacter: false,
    snippetSuggestions: "inline",
    tabCompletion: "on",
    hover: { delay: 300, sticky: true },
    lightbulb: { enabled: editor.ShowLightbulbIconMode.OnCode },
    find: { addExtraSpaceOnTop: false, seedSearchStringFromSelection: "selection", autoFindInSelection: "multiline" },
    scrollbar: { useShadows: false, verticalScrollbarSize: 12, horizontalScrollbarSize: 12 },
    // Keeps lines of a document as they are: U+2028 is a character like others in JSON.
    unusualLineTerminators: "off",
  };
}

/** Options that turn off everything that would draw the eye or act unasked. */
const quiet: editor.IStandaloneEditorConstructionOptions = {
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  renderLineHighlight: "none",
  bracketPairColorization: { enabled: false },
  guides: { indentation: false, bracketPairs: false },
  stickyScroll: { enabled: false },
  occurrencesHighlight: "off",
  selectionHighlight: true,
  wordBasedSuggestions: "off",
  inlineSuggest: { enabled: false },
  links: false,
  codeLens: false,
  colorDecorators: false,
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
  dropIntoEditor: { enabled: false },
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  wordWrap: "off",
  smoothScrolling: false,
};
