/** Diagnoses templates without rendering them: syntax, names, gens that lack a part. */
import type { JsonMember, JsonNode } from "#core/json/json.ts";
import { compileTemplate, FILTER_NAMES, GLOBAL_NAMES, TEST_NAMES, TemplateError } from "@refscope/jinja";
import type { Span, Template } from "@refscope/jinja";
import { causeOf } from "#core/findings/cause.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { MAX_KNOWN } from "../render/name-findings.ts";
import { nearestName } from "#core/words/near-name.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { dimensionsOf, GEN_FIELDS, memberOf, stringOf, templateStrings, templateTexts } from "./edited-text.ts";
import type { EditedText, StringPlace } from "./edited-text.ts";
import { rawOffset } from "./string-text.ts";
import { UndefinedNames } from "./undefined-names.ts";

/** Templates compiled before, so that typing in one of thousands compiles one. */
const COMPILED = new Map<string, Template | TemplateError>();
const MAX_COMPILED = 20_000;

export function compiled(source: string): Template | TemplateError {
  const known = COMPILED.get(source);
  if (known !== undefined) return known;
  if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
  const own = detached(source);
  const made = compileOrError(own);
  COMPILED.set(own, made);
  return made;
}

/** A copy: a part of a text, as engines keep it, would keep the whole document of each edit. */
const detached = (part: string): string => JSON.parse(JSON.stringify(part)) as string;

function compileOrError(source: string): Template | TemplateError {
  try {
    return compileTemplate(source);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    return new TemplateError("RecursionError", "The template is nested too deep.");
  }
}

/** Place in the text of a span of a template's source. */
export function placeInText(
  { text }: EditedText,
  place: StringPlace,
  span: Span | undefined,
): { start: number; end: number } {
  if (span === undefined) return { start: place.start, end: Math.min(place.contentEnd + 1, text.length) };
  const start = rawOffset(text, place.start, span.start);
  const end = rawOffset(text, place.start, span.end);
  return { start, end: Math.max(end, Math.min(start + 1, place.contentEnd)) };
}

/** True if fsspec ever renders this string. */
export function isRendered({ role, value }: StringPlace, hasTemplates: boolean): boolean {
  if (role.kind === "gen") return true;
  return value.includes("{{") && (role.kind === "template" || hasTemplates);
}

/** `isWhole`: all references are in the text; else others in the table may use its templates. */
/**
 * The undefined names: what they break is known once the document was rendered, and `noteUndefined` says
 * it then.
 */
export function noteTemplates(log: DiagnosticLog, document: EditedText, isWhole = true): UndefinedNames {
  const names = new UndefinedNames();
  const texts = templateTexts(document);
  const used = new Set<string>();
  const functions: { readonly place: StringPlace; readonly template: Template }[] = [];
  for (const place of templateStrings(document)) {
    if (!isRendered(place, (document.templates?.members.length ?? 0) > 0)) continue;
    const template = compiled(place.value);
    if (template instanceof TemplateError) noteSyntax(log, document, place, template);
    else if (place.role.kind === "template") functions.push({ place, template });
    else noteNames(names, document, place, template, [...namesIn(document, place), ...texts.keys()], used);
  }
  for (const { place, template } of functions) noteArguments(log, document, place, template);
  const inside = (key: string) => functions.find(({ template }) => template.names.has(key))?.place.role;
  if (isWhole) noteUnused(log, document, used, names, inside);
  for (const gen of document.gen?.items ?? []) noteGen(log, gen, texts);
  return names;
}

function namesIn({ gen }: EditedText, { role }: StringPlace): readonly string[] {
  return role.kind === "gen" ? dimensionsOf(gen?.items[role.gen]).map(({ key }) => key) : [];
}

function noteSyntax(log: DiagnosticLog, document: EditedText, place: StringPlace, error: TemplateError): void {
  const at = placeInText(document, place, error.span);
  const unknown = /^No (filter|test) named '(.*)'/.exec(error.message);
  const known = unknown?.[1] === "filter" ? FILTER_NAMES : TEST_NAMES;
  const near = unknown?.[2] === undefined ? undefined : nearestName(unknown[2], known);
  const word = unknown?.[2] ?? "";
  const source = place.value;
  const found = error.span === undefined ? -1 : source.indexOf(word, error.span.start);
  const from = rawOffset(document.text, place.start, found);
  const edit = { start: from, end: from + word.length, text: near ?? "" };
  const code = unknown === null ? "template-syntax" : unknown[1] === "filter" ? "filter-unknown" : "test-unknown";
  const supported = error.python !== "Unsupported";
  const facts = { raises: supported ? error.python : undefined, error: error.message, nearest: near };
  const fix =
    near === undefined || found < 0 || word === "" ? undefined : { title: `Change to “${near}”`, edits: [edit] };
  log.add(supported ? code : "template-unsupported", at, facts, { fix });
}

function noteNames(
  names: UndefinedNames,
  document: EditedText,
  place: StringPlace,
  template: Template,
  known: readonly string[],
  used: Set<string>,
): void {
  for (const [name, spans] of template.names) {
    used.add(name);
    if (known.includes(name) || GLOBAL_NAMES.includes(name) || name === "self") continue;
    for (const span of spans) names.add(name, placeInText(document, place, span), known);
  }
}

/** A function template sees nothing but the keyword arguments of its calls. */
function noteArguments(log: DiagnosticLog, document: EditedText, place: StringPlace, template: Template): void {
  const name = place.role.kind === "template" ? place.role.name : "";
  const given = callArguments(document, name);
  if (given === undefined) return;
  for (const [one, spans] of template.names) {
    if (given.has(one) || GLOBAL_NAMES.includes(one)) continue;
    const covers = [causeOf({ code: "argument-missing", place: WHOLE_SET, facts: { template: name, name: one } })];
    const facts = { name: one, template: name, known: [...given].slice(0, MAX_KNOWN), nearest: undefined };
    for (const span of spans) log.add("name-undefined", placeInText(document, place, span), facts, { covers });
  }
}

/** A name with arguments, among which may be calls. */
const CALL = /([\p{L}_][\p{L}\p{N}_]*)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/gu;
const KEYWORD = /([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/gu;

/** Names of the keyword arguments in all calls of a function template; `undefined` where it is not plainly called. */
function callArguments(document: EditedText, name: string): ReadonlySet<string> | undefined {
  const given = new Set<string>();
  let calls = 0;
  for (const { value, role } of templateStrings(document)) {
    if (role.kind === "template" || !value.includes(name)) continue;
    for (const [, called, inside = ""] of value.matchAll(CALL)) {
      if (called !== name) continue;
      calls += 1;
      // A list or dict of arguments, or another text for the template: then anything may be given.
      if (/\*|^\s*['"]/.test(inside)) return undefined;
      for (const [, argument = ""] of inside.matchAll(KEYWORD)) given.add(argument);
    }
  }
  return calls === 0 ? undefined : given;
}

function noteUnused(
  log: DiagnosticLog,
  { templates }: EditedText,
  used: ReadonlySet<string>,
  names: UndefinedNames,
  inside: (key: string) => StringPlace["role"] | undefined,
): void {
  for (const { key, keyStart, keyEnd } of templates?.members ?? []) {
    // It is used under a misspelt name: that is the finding.
    if (used.has(key) || names.isMeant(key)) continue;
    const role = inside(key);
    const other = role?.kind === "template" ? role.name : undefined;
    log.add("template-unused", { start: keyStart, end: keyEnd }, { name: key, inside: other });
  }
}

function noteGen(log: DiagnosticLog, gen: JsonNode, templates: ReadonlyMap<string, string>): void {
  if (gen.kind !== "object") return;
  const place = { start: gen.start, end: Math.min(gen.start + 1, gen.end) };
  for (const field of ["key", "url", "dimensions"]) {
    if (memberOf(gen, field) !== undefined) continue;
    log.add("gen-missing-field", place, { field, other: undefined, raises: "KeyError" });
  }
  const [offset, length] = [memberOf(gen, "offset"), memberOf(gen, "length")];
  const alone = offset === undefined ? length : length === undefined ? offset : undefined;
  if (alone !== undefined) {
    const { key: other, keyStart: start, keyEnd: end } = alone;
    const field = other === "offset" ? "length" : "offset";
    log.add("gen-missing-field", { start, end }, { field, other, raises: "ValueError" });
  }
  for (const field of GEN_FIELDS) noteFieldType(log, memberOf(gen, field));
  noteUnknown(log, gen.members, GEN_MEMBERS, undefined);
  for (const { key, keyStart, keyEnd, node } of dimensionsOf(gen)) {
    if (node.kind === "object") noteUnknown(log, node.members, RANGE_MEMBERS, key);
    if (!templates.has(key) && key !== "self") continue;
    log.add("dimension-shadows-template", { start: keyStart, end: keyEnd }, { name: key, raises: "TypeError" });
  }
}

const GEN_MEMBERS = ["key", "url", "offset", "length", "dimensions"];
const RANGE_MEMBERS = ["start", "stop", "step"];

/** fsspec asks for the members that it knows, and never sees the others. */
function noteUnknown(
  log: DiagnosticLog,
  members: readonly JsonMember[],
  known: readonly string[],
  dimension: string | undefined,
): void {
  const there = members.map(({ key }) => key);
  for (const { key, keyStart: start, keyEnd: end } of members) {
    if (known.includes(key)) continue;
    const near = nearestName(
      key,
      known.filter((one) => !there.includes(one)),
    );
    const edits = near === undefined ? [] : [{ start, end, text: JSON.stringify(near) }];
    const fix = near === undefined ? undefined : { title: `Change to “${near}”`, edits };
    log.add("gen-unknown-member", { start, end }, { member: key, dimension, known, nearest: near }, { fix });
  }
}

function noteFieldType(log: DiagnosticLog, member: JsonMember | undefined): void {
  if (member === undefined || stringOf(member.node) !== undefined) return;
  const { start, end, kind } = member.node;
  const fix = {
    title: "Put it in quotes",
    edits: [
      { start, end: start, text: '"' },
      { start: end, end, text: '"' },
    ],
  };
  const quotes = kind === "number" ? fix : undefined;
  log.add("gen-field-not-text", { start, end }, { field: member.key, raises: "TypeError" }, { fix: quotes });
}
