/** JSON with templates in its strings, as a language of the editor's own: its brackets, colours and helpers. */
import { codeActions } from "./code-actions.ts";
import { COMPLETION_TRIGGERS, completions } from "./completion.ts";
import { hovers } from "./hover.ts";
import { languages } from "./monaco.ts";
import { wordsOfLine, type WordKind } from "./tokens.ts";

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
