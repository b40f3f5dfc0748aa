/** The studio's operations on open sets: drafts of a set, and what is asked of the set as opened and of its drafts. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkKey, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { JsonMember, JsonNode } from "#core/json/json.ts";
import type {
  EditAnswer,
  EditRequest,
  EditSource,
  HoverRequest,
  HoverText,
  PrefixPreview,
  PrefixPreviewRequest,
  ReadersSummary,
  RowPlace,
  TableEdit,
  TemplateSuggestion,
  TextEdit,
  VersionRows,
  VersionRowsSpec,
} from "#core/studio.ts";
import { givingAway } from "#core/transfer.ts";
import { sameReference } from "#core/table/reference.ts";
import { cut } from "#core/words.ts";
import { FILTER_NAMES, GLOBAL_NAMES, TemplateError, TEST_NAMES, type Value } from "@refscope/jinja";
import { describedAlike } from "../chunk/readings.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { summaryOf } from "../describe/summary.ts";
import { documentSet, type DocumentSet, type EngineSet, isDocument, noteResult } from "../engine-set.ts";
import { keptLast } from "../kept.ts";
import { raisedText } from "../render/render-findings.ts";
import type { EngineContext, OfSet, Sessions } from "../sessions.ts";
import { compareSets } from "./changes.ts";
import { compiled } from "./diagnose-templates.ts";
import { documentIndex, type DocumentIndex, findItem, genOrdinal } from "./document-index.ts";
import { checkEdits, type Draft, openDraft } from "./draft.ts";
import { editSource, isWhole, keptReferences } from "./reduced.ts";
import { dimensionsOf, looseText, memberOf, templateStringAt, templateTexts } from "./edited-text.ts";
import type { EditedText, StringPlace } from "./edited-text.ts";
import { evaluationOf, integerOf, isNumberField, renderSource, variablesText } from "./evaluation.ts";
import type { Evaluation, Rendered } from "./evaluation.ts";
import { javascriptDocument, type JavascriptDocument, javascriptReader } from "./javascript-reader.ts";
import { placeOfKey, placeRow } from "./row-place.ts";
import { type ReaderView, simpleReader, uniformReader } from "./simple-reader.ts";
import { rawOffset, valueIndex } from "./string-text.ts";
import { FILTER_DOCS, GLOBAL_DOCS, LOOP_DOC, METHOD_DOCS, TEST_DOCS } from "@refscope/jinja/editing";
import { type Tag, tagAt, type Writing, writingAt } from "@refscope/jinja/editing";
import { textEdits } from "./text-edits.ts";
import { indexOfKey, listRows, type ShownSet, type VersionList, windowOf } from "./version-rows.ts";

// Completions inside a template's tags. Works on text that cannot be parsed at the moment.

/** Those of the tests that are words, not signs. */
export const WORD_TESTS = TEST_NAMES.filter((name) => /^\w+$/.test(name));

type Offer = Omit<TemplateSuggestion, "start" | "end">;

export function complete(text: string, offset: number): readonly TemplateSuggestion[] {
  const document = looseText(text);
  const place = templateStringAt(document, offset);
  if (place === undefined) return [];
  const index = valueIndex(text, place.start, offset);
  const tag = tagAt(place.value, index);
  if (tag === undefined || index < tag.innerStart || (tag.closed && index > tag.innerEnd)) return [];
  const writing = writingAt(place.value, tag, index);
  const start = rawOffset(text, place.start, writing.from);
  const end = rawOffset(text, place.start, writing.to);
  return offers(document, place, writing).map((offer) => ({ ...offer, start, end }));
}

const WORDS = {
  filter: { names: FILTER_NAMES, docs: FILTER_DOCS },
  test: { names: WORD_TESTS, docs: TEST_DOCS },
  method: { names: [...METHOD_DOCS.keys()], docs: METHOD_DOCS },
};

function offers(document: EditedText, place: StringPlace, { what }: Writing): readonly Offer[] {
  if (what === "text") return [];
  if (what === "name")
    return [...variables(document, place), ...named("global", GLOBAL_NAMES, GLOBAL_DOCS), ...loopIn(place)];
  const all = named(what, WORDS[what].names, WORDS[what].docs);
  return what === "method" ? all.map((one) => ({ ...one, insert: `${one.label}($0)` })) : all;
}

function named(kind: Offer["kind"], names: readonly string[], docs: ReadonlyMap<string, string>): readonly Offer[] {
  return names.map((label) => ({ label, kind, detail: docs.get(label) ?? "" }));
}

const loopIn = ({ value }: StringPlace): readonly Offer[] =>
  /\{%[-+]?\s*for\b/.test(value) ? [{ label: "loop", kind: "loop", detail: LOOP_DOC }] : [];

/** A function template sees only what its calls give; all others see templates and dimensions. */
function variables(document: EditedText, { role }: StringPlace): readonly Offer[] {
  if (role.kind === "template") return [];
  const entry = role.kind === "gen" ? document.gen?.items[role.gen] : undefined;
  const dimensions = dimensionsOf(entry).map((member): Offer => dimensionOffer(member));
  return [...dimensions, ...[...templateTexts(document)].map(([name, value]) => templateOffer(name, value))];
}

function dimensionOffer({ key, node }: JsonMember): Offer {
  return { label: key, kind: "dimension", detail: dimensionDetail(node) };
}

function templateOffer(name: string, value: string): Offer {
  if (!value.includes("{{")) return { label: name, kind: "template", detail: cut(value, 80) };
  const [first, ...others] = parametersOf(value);
  const insert =
    first === undefined ? `${name}($0)` : `${name}(${[`${first}=$0`, ...others.map((one) => `${one}=`)].join(", ")})`;
  const documentation = "A function: it sees only its keyword arguments.";
  return { label: name, kind: "function", detail: cut(value, 80), documentation, insert };
}

/** Names that a function template takes as keyword arguments. */
function parametersOf(source: string): readonly string[] {
  const template = compiled(source);
  if (template instanceof TemplateError) return [];
  return [...template.names.keys()].filter((name) => !GLOBAL_NAMES.includes(name));
}

/** "0 … 4, 5 values", of a list its first values. */
function dimensionDetail(node: JsonNode): string {
  if (node.kind === "array") {
    const values = node.items.slice(0, 5).map((item) => itemText(item));
    const more = node.items.length > values.length ? ", …" : "";
    return `${node.items.length} values: ${values.join(", ")}${more}`;
  }
  const [start, stop, step] = ["start", "stop", "step"].map((name) => numberOf(memberOf(node, name)?.node));
  if (stop === undefined) return "range without stop";
  const [from, by] = [start ?? 0, step ?? 1];
  if (by === 0) return "range with step 0";
  const count = Math.max(0, Math.ceil((stop - from) / by));
  if (count === 0) return "no values";
  return `${from} … ${from + (count - 1) * by}${by === 1 ? "" : ` in steps of ${by}`}, ${count.toLocaleString("en")} values`;
}

const numberOf = (node: JsonNode | undefined): number | undefined =>
  node?.kind === "number" ? Number(node.value) : undefined;

function itemText(node: JsonNode): string {
  if (node.kind === "scalar") return cut(JSON.stringify(node.value), 80);
  return node.kind === "number" ? cut(node.text, 80) : node.kind === "array" ? "[…]" : "{…}";
}

// Hovering inside a template: its value for the selected row, and what names and filters are.

/** `key`: the row for which values are shown; where it is not of this template, the first that the template makes. */
function hoverText(of: DocumentIndex, text: string, offset: number, key: string | undefined): HoverText | undefined {
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
  if (what === "text") return [];
  if (what === "name") return nameLines(document, place, word);
  const line = WORDS[what].docs.get(word);
  return line === undefined ? [] : [`${word}: ${what}. ${line}`];
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

// Keeps results of reading in the next edition of a set for chunks whose reference, metadata and locations did not
// change: a repair of one chunk says nothing about the others.

/** Notes in `set` the results of `earlier` that still hold, and gives the keys of their chunks. */
async function carryResults(earlier: EngineSet, set: EngineSet, context: CallContext): Promise<readonly string[]> {
  if (!isDocument(earlier) || !isDocument(set) || earlier.source.base !== set.source.base) return [];
  const held: string[] = [];
  for (const [path, results] of earlier.met.results) {
    const [before, now] = [arrayAt(earlier, path), arrayAt(set, path)];
    if (before === undefined || now === undefined || !describedAlike(before, now)) continue;
    const { shape, chunks, separator } = now.metadata;
    for (const [ordinal, result] of results) {
      context.signal.throwIfAborted();
      const coordinates = coordinatesOf(gridOf(shape, chunks), ordinal);
      const key = chunkKey(path, coordinates, separator);
      if (earlier.format.mayGenerate?.(key) !== set.format.mayGenerate?.(key)) continue;
      const was = await chunkReference(earlier, before, coordinates, context);
      const is = await chunkReference(set, now, coordinates, context);
      const isOnePlace = (before: string | null, after: string | null) =>
        resolvedText(earlier, before) === resolvedText(set, after);
      if (!sameReference(was.reference, is.reference, isOnePlace)) continue;
      noteResult(set, path, ordinal, result);
      held.push(key);
    }
  }
  return held;
}

/** Inner chunks of shards are left out: to know their places the index of the shard would be fetched. */
function arrayAt({ hierarchy, index }: EngineSet, path: string): ArrayNode | undefined {
  const node = hierarchy.nodes.get(path);
  const isPaged = index.paged.has(index.arrayIds.get(path) ?? -1);
  return node?.kind === "array" && !isPaged ? node : undefined;
}

/** Place of the target by the locations of the set: each edition resolves for itself. */
const resolvedText = ({ targets }: EngineSet, target: string | null): string => JSON.stringify(targets.resolve(target));

export type JavascriptReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };

interface OfText extends OfSet {
  readonly text: string;
}

interface OfVersion extends OfSet {
  readonly spec: VersionRowsSpec;
}

/** With what was found of chunks that `shown` reads alike. */
function addWithFindings(sessions: Sessions, set: DocumentSet, shown: number | undefined, held: readonly string[]) {
  const before = shown === undefined ? undefined : sessions.get(shown).found;
  const id = sessions.add(set);
  const { found } = sessions.get(id);
  const keys = new Set(held);
  for (const [key, findings] of before ?? []) if (keys.has(key)) found.set(key, findings);
  return id;
}

/** Facts derived from a set; made when first asked for, gone with it. */
interface Known extends ShownSet {
  /** The views asked for last, by what was asked. */
  readonly lists: Map<string, VersionList>;
}

const MAX_LISTS = 6;

export function editOperations({ sessions, network }: EngineContext) {
  /** Editing needs Kerchunk JSON: other sets throw `not-a-document`. */
  const documentOf = (set: number): DocumentSet => documentSet(sessions.get(set).set);
  const known = new WeakMap<DocumentSet, Known>();
  const shown = ({ set }: OfSet): Known => {
    const document = documentOf(set);
    return known.get(document) ?? remember(known, document);
  };
  return {
    /** Text that can be edited in a set as opened. */
    source: ({ set }: OfSet): EditSource => editSource(documentOf(set)),
    /** Renders the edited document into a set of its own; the set as opened stays, to compare with. */
    render: (request: EditRequest, context: CallContext): Promise<EditAnswer> =>
      edit({ sessions, network }, known, request, context),
    /** A table edit as edits of the text, where the text is whole. */
    textEdits({ text, edit }: { readonly text: string; readonly edit: TableEdit }): readonly TextEdit[] {
      checkEdits([edit]);
      return textEdits(text, edit);
    },
    /** Effect of a replaced prefix; nothing is kept of it. */
    async previewPrefix(request: PrefixPreviewRequest, context: CallContext): Promise<PrefixPreview> {
      const { previewPrefix } = await import("./preview-prefix.ts");
      return previewPrefix(documentOf(request.set), documentOf(request.shown), request, network, context);
    },
    /** Rows of the Version 0 result, in the order of its keys. */
    versionRows: async (
      { spec, from, to, ...of }: OfVersion & { readonly from: number; readonly to: number },
      context: CallContext,
    ): Promise<VersionRows> => windowOf(shown(of), await listOf(shown(of), spec, context), spec, from, to),
    /** Place of the key in the Version 0 result, -1 where the view hides it. */
    versionRowOf: async (
      { spec, key, ...of }: OfVersion & { readonly key: string },
      context: CallContext,
    ): Promise<number> => indexOfKey(await listOf(shown(of), spec, context), key),
    /** Origin of a row in the text. */
    rowPlace: ({ text, key, ...of }: OfText & { readonly key: string }): RowPlace | undefined =>
      placeOfKey(shown(of).own, looseText(text), key),
    /** The first row that the place in the text makes. */
    placeRow: ({ text, offset, ...of }: OfText & { readonly offset: number }): string | undefined =>
      placeRow(shown(of).own, text, offset),
    complete: ({ text, offset }: { readonly text: string; readonly offset: number }): readonly TemplateSuggestion[] =>
      complete(text, offset),
    hoverText: ({ text, offset, key, ...of }: HoverRequest): HoverText | undefined =>
      hoverText(shown(of).own, text, offset, key),
    /** Result of fsspec's default mode for the set, and of the JavaScript reader as far as known. */
    readers: (of: OfSet, context: CallContext): Promise<ReadersSummary> => readersOf(shown(of), context),
    /** The document for the JavaScript reader, as UTF-8 JSON; or why it is not asked. */
    javascriptDocument(of: OfSet): JavascriptDocument {
      const document = javascriptDocument(shown(of).own);
      return givingAway(document, "bytes" in document ? [document.bytes.buffer] : []);
    },
    /** Takes the answer of the JavaScript reader (untrusted), or the reason for its failure. */
    javascriptAnswer(
      { answer, ...of }: OfSet & { readonly answer: JavascriptReply },
      context: CallContext,
    ): Promise<ReadersSummary> {
      const before = shown(of);
      const javascript =
        "unavailable" in answer
          ? uniformReader({ kind: "unknown", reason: answer.unavailable })
          : javascriptReader(before.own, answer.bytes);
      const after = { ...before, javascript, lists: new Map() };
      known.set(before.own.set, after);
      return readersOf(after, context);
    },
  };
}

function remember(
  known: WeakMap<DocumentSet, Known>,
  set: DocumentSet,
  since?: Pick<Known, "base" | "changes">,
): Known {
  const own = documentIndex(set);
  const { base, changes } = since ?? {};
  const made = { own, base, changes, simple: simpleReader(own), javascript: NOT_ASKED, lists: new Map() };
  known.set(set, made);
  return made;
}

const NOT_ASKED: ReaderView = uniformReader({ kind: "unknown", reason: "It has not answered yet." });

async function listOf(of: Known, spec: VersionRowsSpec, context: CallContext): Promise<VersionList> {
  const question = JSON.stringify([spec.show, spec.text]);
  return keptLast(of.lists, question, MAX_LISTS, () => listRows(of, spec, context));
}

async function readersOf({ own, simple, javascript }: Known, context: CallContext): Promise<ReadersSummary> {
  const [simpleSummary, javascriptSummary] = [await simple.summary(context), await javascript.summary(context)];
  const portable = simpleSummary.outcome.kind === "same" && javascriptSummary.outcome.kind === "same";
  return { keys: own.order.total, simple: simpleSummary, javascript: javascriptSummary, portable };
}

/** A draft that is no longer wanted when it is ready gets no handle, and is gone. */
async function edit(
  { sessions, network }: Pick<EngineContext, "sessions" | "network">,
  known: WeakMap<DocumentSet, Known>,
  request: EditRequest,
  context: CallContext,
): Promise<EditAnswer> {
  const started = performance.now();
  const base = documentSet(sessions.get(request.set).set);
  const draft = await openDraft(base, request, network, context);
  const { set, diagnostics } = draft;
  const from = documentIndex(base);
  const changes = set === undefined ? undefined : await compareSets(from, documentIndex(set), context);
  context.signal.throwIfAborted();
  const shown = request.shown === undefined ? undefined : documentSet(sessions.get(request.shown).set);
  const held = set === undefined || shown === undefined ? [] : await carryResults(shown, set, context);
  if (set !== undefined) remember(known, set, { base: from, changes });
  return {
    set: set === undefined ? undefined : summaryOf(set, addWithFindings(sessions, set, request.shown, held)),
    diagnostics,
    changes: changes?.counts ?? { added: 0, removed: 0, changed: 0 },
    references: set === undefined ? 0 : documentIndex(set).order.total,
    milliseconds: performance.now() - started,
    refused: refusalOf(draft),
    parts: partsOf(from, draft),
  };
}

const refusalOf = ({ set, diagnostics }: Draft): Finding | undefined =>
  set?.refused ?? diagnostics.find(({ code }) => code === "json-trailing-comma");

function partsOf(base: DocumentIndex, { document }: Draft): EditAnswer["parts"] {
  const kept = isWhole(base.set) ? 0 : keptReferences(base);
  const templates = document?.templates?.members.length ?? 0;
  return { templates, gens: document?.gen?.items.length ?? 0, refs: (document?.refs?.members.length ?? 0) + kept };
}
