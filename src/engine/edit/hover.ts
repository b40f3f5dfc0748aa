/** Hovering inside a template: its value for the selected row, and what names and filters are. */
import { cut } from "../../core/words.ts";
import { raisedText } from "../render/raised.ts";
import type { HoverText } from "../../core/studio.ts";
import type { Value } from "../../templates/index.ts";
import { dimensionDetail, parametersOf } from "./complete.ts";
import {
  dimensionsOf,
  looseText,
  templateStringAt,
  templateTexts,
  type EditedText,
  type StringPlace,
} from "./edited-text.ts";
import {
  evaluationOf,
  integerOf,
  isNumberField,
  renderSource,
  variablesText,
  type Evaluation,
  type Rendered,
} from "./evaluation.ts";
import { rawOffset, valueIndex } from "./string-text.ts";
import { findItem, genOrdinal, type DocumentIndex } from "./document-index.ts";
import { FILTER_DOCS, GLOBAL_DOCS, LOOP_DOC, METHOD_DOCS, TEST_DOCS } from "./template-docs.ts";
import { tagAt, writingAt, type Tag, type Writing } from "./template-tag.ts";

/** `key`: the row for which values are shown; where it is not of this template, the first that the template makes. */
export function hoverText(
  of: DocumentIndex,
  text: string,
  offset: number,
  key: string | undefined,
): HoverText | undefined {
  const document = looseText(text);
  const place = templateStringAt(document, offset);
  if (place === undefined) return undefined;
  const index = valueIndex(text, place.start, offset);
  const tag = tagAt(place.value, index);
  const values = valuesFor(of, document, place, key);
  if (tag === undefined) return wholeHover(document, place, values);
  const writing = writingAt(place.value, tag, index);
  const lines = [...wordLines(document, place, writing), ...valueLines(place, tag, values)];
  if (lines.length === 0) return undefined;
  return { start: rawOffset(text, place.start, tag.start), end: rawOffset(text, place.start, tag.end), lines };
}

interface RowValues {
  readonly evaluation: Evaluation;
  readonly variables: ReadonlyMap<string, Value>;
  /** "i = 2"; empty where there are no dimensions. */
  readonly variablesText: string;
}

/** `undefined` where the template is never rendered for one row alone. */
function valuesFor(
  of: DocumentIndex,
  document: EditedText,
  { role }: StringPlace,
  key: string | undefined,
): RowValues | undefined {
  if (role.kind === "template") return undefined;
  const evaluation = evaluationOf(document);
  if (role.kind === "refs") return { evaluation, variables: new Map(), variablesText: "" };
  const gen = evaluation.gens[role.gen];
  if (gen === undefined || gen.count === 0n) return undefined;
  const item = key === undefined ? undefined : findItem(of, key);
  const ordinal = item === undefined ? undefined : genOrdinal(of, item);
  const number = ordinal === undefined ? 0 : ordinal - (evaluation.starts[role.gen] ?? 0);
  const own = number >= 0 && number < Number(gen.count) ? number : 0;
  return { evaluation, variables: gen.variables(own), variablesText: variablesText(gen, own) };
}

/** Over plain text of a template: what the whole of it renders to. */
function wholeHover({ text }: EditedText, place: StringPlace, values: RowValues | undefined): HoverText | undefined {
  if (values === undefined || !/\{\{|\{%/.test(place.value)) return undefined;
  const rendered = renderSource(place.value, values.evaluation, values.variables);
  const lines = [`\t${renderedText(place, rendered)}`, ...forRow(values)];
  return { start: place.start + 1, end: Math.min(place.contentEnd, text.length), lines };
}

function renderedText({ role }: StringPlace, rendered: Rendered): string {
  if (rendered.kind === "fault") return raisedText(rendered.raised);
  if (role.kind !== "gen" || !isNumberField(role.field)) return JSON.stringify(cut(rendered.text, 500));
  const integer = integerOf(rendered.text);
  return "value" in integer
    ? `${cut(rendered.text, 500)} → ${role.field} ${integer.value} (int)`
    : `${JSON.stringify(cut(rendered.text, 500))} → ${raisedText(integer.raised)}`;
}

const forRow = ({ variablesText }: RowValues): readonly string[] =>
  variablesText === "" ? [] : [`for ${variablesText}`];

/** Value of the tag under the cursor, and of the whole template where there is more in it. */
function valueLines(place: StringPlace, tag: Tag, values: RowValues | undefined): readonly string[] {
  if (values === undefined || tag.kind === "{%" || !tag.closed) return [];
  const { evaluation, variables } = values;
  const source = place.value.slice(tag.start, tag.end);
  const isWhole = source === place.value;
  const own = renderSource(source, evaluation, variables);
  const inner = place.value.slice(tag.innerStart, tag.innerEnd).trim();
  if (isWhole) return [`\t${inner}`, `\t= ${renderedText(place, own)}`, ...forRow(values)];
  const value = own.kind === "fault" ? raisedText(own.raised) : JSON.stringify(cut(own.text, 500));
  const whole = renderedText(place, renderSource(place.value, evaluation, variables));
  return [`\t${inner} = ${value}`, `\t${whole}`, ...forRow(values)];
}

function wordLines(document: EditedText, place: StringPlace, { what, word }: Writing): readonly string[] {
  const docs = { filter: FILTER_DOCS, test: TEST_DOCS, method: METHOD_DOCS };
  switch (what) {
    case "text":
      return [];
    case "filter":
    case "test":
    case "method": {
      const line = docs[what].get(word);
      return line === undefined ? [] : [`${word}: ${what}. ${line}`];
    }
    case "name":
      return nameLines(document, place, word);
  }
}

function nameLines(document: EditedText, { role }: StringPlace, word: string): readonly string[] {
  const entry = role.kind === "gen" ? document.gen?.items[role.gen] : undefined;
  const dimension = dimensionsOf(entry).find(({ key }) => key === word);
  if (dimension !== undefined) return [`${word}: dimension, ${dimensionDetail(dimension.node)}`];
  const template = role.kind === "template" ? undefined : templateTexts(document).get(word);
  if (template !== undefined) {
    const parameters = parametersOf(template).join(", ");
    const what = template.includes("{{") ? `${word}(${parameters}): function template` : `${word}: template`;
    return [what, `\t${cut(template, 80)}`];
  }
  const line = word === "loop" ? LOOP_DOC : GLOBAL_DOCS.get(word);
  return line === undefined ? [] : [`${word}: ${line}`];
}
