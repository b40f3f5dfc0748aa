/** Completions: in template tags by the engine, elsewhere by the schema. */
import type { TemplateSuggestion } from "../core/studio.ts";
import { type editor, hosts, languages, type Position, Range } from "./monaco.ts";
import { jsonCompletions, rangeOf, type LspCompletion } from "./json-service.ts";
import { snippets, snippetText } from "./snippets.ts";
import { placeInLine, type LinePlace } from "./tokens.ts";

/** Characters that open the list by being typed, as letters do. */
export const COMPLETION_TRIGGERS: readonly string[] = ['"', " ", ".", "|", "("];

/** Outside of tags only this one, which begins a key: Enter after brackets and colons should break the line. */
const JSON_TRIGGER = '"';

export async function completions(
  model: editor.ITextModel,
  position: Position,
  context: languages.CompletionContext,
): Promise<languages.CompletionList | undefined> {
  const before = model.getValueInRange(lineBefore(position));
  const place = placeInLine(model.getLineContent(position.lineNumber), position.column - 1);
  const suggestions =
    place.kind === "tag"
      ? await templateCompletions(model, position, place.mark)
      : await propertyCompletions(model, position, place, context.triggerCharacter);
  // The text may have changed meanwhile; the part after the cursor does not matter.
  const same = !model.isDisposed() && model.getValueInRange(lineBefore(position)) === before;
  return same ? { suggestions } : { suggestions: [], incomplete: true };
}

const lineBefore = ({ lineNumber, column }: Position) => new Range(lineNumber, 1, lineNumber, column);

async function templateCompletions(
  model: editor.ITextModel,
  position: Position,
  mark: string,
): Promise<languages.CompletionItem[]> {
  if (mark === "{#") return [];
  const offered = (await hosts.get(model)?.complete(model.getOffsetAt(position))) ?? [];
  if (model.isDisposed()) return [];
  return offered.map((suggestion, index) => {
    const { lineNumber, column } = model.getPositionAt(suggestion.start);
    const end = column + suggestion.end - suggestion.start;
    return templateItem(suggestion, index, new Range(lineNumber, column, lineNumber, Math.max(end, position.column)));
  });
}

/** Completions of JSON; in strings only tags are known. */
async function propertyCompletions(
  model: editor.ITextModel,
  position: Position,
  place: LinePlace,
  trigger: string | undefined,
): Promise<languages.CompletionItem[]> {
  const inKey = place.kind === "string" && (place.key || ["{", ",", ""].includes(place.before));
  if (trigger !== undefined && !(inKey && trigger === JSON_TRIGGER)) return [];
  if (place.kind === "string" && !inKey) return [];
  if (isBlank(model)) return documentItems(model);
  const items = await jsonCompletions(model, position);
  const word = model.getWordUntilPosition(position);
  const range = new Range(position.lineNumber, word.startColumn, position.lineNumber, word.endColumn);
  return items.map((item, index) => propertyItem(item, index, range));
}

const isBlank = (model: editor.ITextModel): boolean => model.getValueLength() < 1000 && model.getValue().trim() === "";

function documentItems(model: editor.ITextModel): languages.CompletionItem[] {
  return snippets.documents.map(({ label, description, bodyText }, index) => ({
    label,
    kind: languages.CompletionItemKind.Snippet,
    insertText: bodyText,
    insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
    documentation: description,
    range: model.getFullModelRange(),
    sortText: orderText(index),
    filterText: "",
  }));
}

function templateItem(suggestion: TemplateSuggestion, index: number, range: Range): languages.CompletionItem {
  const { label, kind, detail, documentation, insert } = suggestion;
  const snippet = insert?.includes("$0") === true;
  return {
    label: { label, description: detail },
    kind: languages.CompletionItemKind[ITEM_KINDS[kind]],
    insertText: insert === undefined ? label : snippet ? snippetText(insert) : insert,
    ...(snippet ? { insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
    ...(documentation === undefined ? {} : { documentation }),
    range,
    sortText: orderText(index),
    filterText: label,
  };
}

const ITEM_KINDS: Readonly<Record<TemplateSuggestion["kind"], keyof typeof languages.CompletionItemKind>> = {
  template: "Constant",
  function: "Function",
  global: "Function",
  dimension: "Variable",
  loop: "Variable",
  filter: "Method",
  method: "Method",
  test: "Keyword",
};

const VALUE_KINDS = new Set([9, 12]);

function propertyItem(item: LspCompletion, index: number, word: Range): languages.CompletionItem {
  const { documentation } = item;
  const text = typeof documentation === "string" ? documentation : documentation?.value;
  const value = VALUE_KINDS.has(item.kind ?? 10);
  return {
    label: item.label,
    kind: value ? languages.CompletionItemKind.Snippet : languages.CompletionItemKind.Property,
    insertText: item.textEdit?.newText ?? item.label,
    insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
    ...(text === undefined || text === "" ? {} : { documentation: text }),
    range: item.textEdit === undefined ? word : rangeOf(item.textEdit.range),
    sortText: item.sortText ?? orderText(index),
    ...(item.filterText === undefined ? {} : { filterText: item.filterText }),
    ...(item.command === undefined ? {} : { command: { id: "editor.action.triggerSuggest", title: "Suggest" } }),
  };
}

const orderText = (index: number) => String(index).padStart(5, "0");
