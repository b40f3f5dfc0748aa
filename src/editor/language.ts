/** JSON with templates in its strings, as a language of the editor's own: its brackets, colours and helpers. */
import { COMPLETION_TRIGGERS, completions } from "./completion.ts";
import { type editor, hosts, type IMarkdownString, type IRange, languages, type Position, Range } from "./monaco.ts";
import { placeInLine, type WordKind, wordsOfLine } from "./tokens.ts";
import { jsonHover } from "./json-service.ts";
import { markdownOf } from "./plain-markdown.ts";

export const LANGUAGE = "reference-set";

let registered = false;

/** Makes the language known to the editor, once. */
export function registerLanguage(): void {
  if (registered) return;
  registered = true;
  languages.register({ id: LANGUAGE, aliases: ["Dataset"] });
  languages.setLanguageConfiguration(LANGUAGE, configuration);
  languages.setTokensProvider(LANGUAGE, { getInitialState: () => lineState, tokenize });
  languages.registerCompletionItemProvider(LANGUAGE, {
    triggerCharacters: [...COMPLETION_TRIGGERS],
    provideCompletionItems: completions,
  });
  languages.registerHoverProvider(LANGUAGE, { provideHover: hovers });
  languages.registerCodeActionProvider(
    LANGUAGE,
    { provideCodeActions: codeActions },
    { providedCodeActionKinds: ["quickfix"] },
  );
}

const configuration: languages.LanguageConfiguration = {
  brackets: [
    ["{", "}"],
    ["[", "]"],
  ],
  autoClosingPairs: [
    { open: "{", close: "}", notIn: ["string", "comment"] },
    { open: "[", close: "]", notIn: ["string", "comment"] },
    { open: '"', close: '"', notIn: ["string", "comment"] },
  ],
  surroundingPairs: [
    { open: "{", close: "}" },
    { open: "[", close: "]" },
    { open: '"', close: '"' },
  ],
};

/** Nothing goes from one line to the next. */
const lineState: languages.IState = { clone: () => lineState, equals: () => true };

function tokenize(line: string): languages.ILineTokens {
  const tokens = wordsOfLine(line).map(({ start, kind }) => ({ startIndex: start, scopes: scopeOf(kind) }));
  return { tokens, endState: lineState };
}

/** `.string` tells the editor that quotes and brackets typed there close nothing. */
function scopeOf(kind: WordKind): string {
  return kind === "key" || kind === "escape" || kind.startsWith("tag.") ? `${kind}.string` : kind;
}

/** Hover at the mouse: the engine's words in strings, else the property's description. */
async function hovers(model: editor.ITextModel, position: Position): Promise<languages.Hover | undefined> {
  const version = model.getVersionId();
  const place = placeInLine(model.getLineContent(position.lineNumber), position.column);
  const hover = place.kind === "json" ? undefined : await hosts.get(model)?.hover(model.getOffsetAt(position));
  if (model.isDisposed() || model.getVersionId() !== version) return undefined;
  if (hover === undefined) return place.kind === "tag" ? undefined : jsonHover(model, position);
  const range = Range.fromPositions(model.getPositionAt(hover.start), model.getPositionAt(hover.end));
  const contents: IMarkdownString[] = [{ value: markdownOf(hover.lines), supportHtml: false, isTrusted: false }];
  return { range, contents };
}

/** Fixes of findings, as the editor's quick fixes (the bulb, Ctrl+.). */
function codeActions(model: editor.ITextModel, range: IRange): languages.CodeActionList {
  const fixes = hosts.get(model)?.fixes(range) ?? [];
  const versionId = model.getVersionId();
  const actions = fixes.map(({ title, marker, edits }) => ({
    title,
    kind: "quickfix",
    isPreferred: true,
    diagnostics: [marker],
    edit: { edits: edits.map((textEdit) => ({ resource: model.uri, versionId, textEdit })) },
  }));
  return { actions, dispose: () => undefined };
}
