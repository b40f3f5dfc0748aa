/** Values of an edited document's templates and dimensions, so that single templates of it can be rendered. */
import { attempt } from "#core/basics.ts";
import { Budget, TemplateError, type Span, type Template, type Value } from "@refscope/jinja";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { GenOrigin } from "#core/table/version1.ts";
import { intFromText } from "@refscope/jinja/python";
import { oncePer } from "../kept.ts";
import type { Gen } from "../render/gen.ts";
import { GenList } from "../render/gen-list.ts";
import { raisedBy, type Raised } from "../render/render-findings.ts";
import { readTemplates, type Templates } from "../render/templates.ts";
import { compiled } from "./diagnose-templates.ts";
import type { EditedText, GenField } from "./edited-text.ts";

export interface Evaluation extends Pick<GenList, "gens" | "starts"> {
  readonly templates: Templates;
}

export type Rendered =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "fault"; readonly raised: Raised; readonly span: Span | undefined };

/** Never throws: what cannot be read has no values. */
export const evaluationOf = oncePer((document: EditedText): Evaluation => {
  const notes = { fault: () => undefined, missing: () => undefined };
  const templates = readTemplates(document.templates, undefined, new Budget(), notes);
  const { gens, starts } = gensOf(document, templates);
  return { templates, gens, starts };
});

function gensOf({ gen }: EditedText, templates: Templates): Pick<GenList, "gens" | "starts"> {
  return attempt(() => new GenList(gen, templates, new FindingLog()), { gens: [], starts: [] });
}

/** A template's text with the document's templates and these values. */
export function renderSource(source: string, { templates }: Evaluation, own: ReadonlyMap<string, Value>): Rendered {
  const template: Template | TemplateError = compiled(source);
  if (template instanceof TemplateError) return faultOf(template);
  try {
    templates.budget.reset();
    return { kind: "text", text: template.render(new Map([...own, ...templates.values]), templates.budget) };
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): Rendered {
  const span = error instanceof TemplateError ? error.span : undefined;
  return { kind: "fault", raised: raisedBy(error), span };
}

/** `int(text)` as an offset or length is taken; the error where Python has one. */
export function integerOf(text: string): { readonly value: string } | { readonly raised: Raised } {
  try {
    return { value: String(intFromText(text)) };
  } catch (error) {
    return { raised: raisedBy(error) };
  }
}

export const isNumberField = (field: GenField): boolean => field === "offset" || field === "length";

/** Values of the dimensions, as long as they are shown. */
export function shownVariables(gen: Gen, number: number): GenOrigin["variables"] {
  return gen
    .variableTexts(number)
    .map(({ name, value }) => ({ name, value: value.length > 60 ? `${value.slice(0, 60)}…` : value }));
}

/** "i = 2, j = 0" */
export const variablesText = (gen: Gen, number: number): string =>
  shownVariables(gen, number)
    .map(({ name, value }) => `${name} = ${value}`)
    .join(", ");
