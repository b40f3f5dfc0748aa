/**
 * From an edited text to a set of its own, opened as the set it comes from, with all there is to say about the text.
 */
import type { CallContext } from "#core/byte-source.ts";
import { causeOf } from "#core/findings/cause.ts";
import { failure, findingOfError, isAbort, keyAt, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { FactsOf, Finding, GenField as PlaceField } from "#core/findings/finding.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import { describeJson, type JsonMember, type JsonNode, type JsonOddity } from "#core/json/json.ts";
import { jsonErrorPosition, type JsonTree, jsonValueOf, parseJson, parseJsonTree } from "#core/json/parse-json.ts";
import { BLOCK_ROWS } from "#core/table/reference-table.ts";
import type { Diagnostic, EditRequest, TableEdit } from "#core/studio.ts";
import type { RenderedUrl } from "#core/table/version1.ts";
import { bytesSource } from "#io/file.ts";
import type { DocumentSet } from "../engine-set.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import type { Network, SetSource } from "../chunk/sources.ts";
import type { Gen } from "../render/gen.ts";
import { type Raised, factsOf, raisedFacts } from "../render/render-findings.ts";
import { simpleRenderer } from "../render/simple.ts";
import { noteTemplates, placeInText } from "./diagnose-templates.ts";
import { diagnosticLog, type DiagnosticLog, type Span } from "./diagnostic-log.ts";
import { documentIndex, keyOfRow } from "./document-index.ts";
import { isWhole } from "./reduced.ts";
import {
  editedText,
  type EditedText,
  GEN_FIELDS,
  memberOf,
  nodeText,
  stringOf,
  templateStringAt,
  templateStrings,
} from "./edited-text.ts";
import { evaluationOf, integerOf, isNumberField, renderSource, shownVariables } from "./evaluation.ts";
import { reducedDocument } from "./reduced-document.ts";
import { placeOfKey } from "./row-place.ts";
import { noteUndefined, type UndefinedName, type UndefinedNames } from "./undefined-names.ts";

export interface Draft {
  /** Absent where the text cannot be read at all. */
  readonly set: DocumentSet | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly document: EditedText | undefined;
}

/** Throws only what the document did not cause: an abort, or a failed request that stops opening. */
export async function openDraft(
  base: DocumentSet,
  request: EditRequest,
  network: Network,
  context: CallContext,
): Promise<Draft> {
  const { text, edits } = request;
  checkEdits(edits);
  const tree = treeOf(text);
  if ("error" in tree) return { set: undefined, diagnostics: unreadable(text, tree.error), document: undefined };
  const document = editedText(text, tree.root);
  const log = diagnosticLog(text);
  noteOddities(log, text, tree.oddities);
  noteForm(log, document);
  if (tree.root.kind !== "object") return { set: undefined, diagnostics: log.list(), document };
  const names = noteTemplates(log, document, isWhole(base));
  const opened = await openEdited(base, document, request, log, network, context);
  const set = opened !== undefined && isBegun(base, opened) ? withoutStrays(opened) : opened;
  if (set !== undefined) noteResult(log, set, document, names);
  noteReaders(log, document, names);
  noteUndefined(log, names);
  return { set, diagnostics: log.list(), document };
}

/** A new document without metadata: nothing says yet which of its keys are chunks. */
const isBegun = (base: DocumentSet, { documents }: DocumentSet): boolean =>
  base.index.table.rows + base.documents.size + documents.size === 0;

const withoutStrays = (set: DocumentSet): DocumentSet => ({
  ...set,
  findings: set.findings.filter(({ code }) => code !== "key-not-a-chunk"),
});

function treeOf(text: string): JsonTree | { readonly error: unknown } {
  try {
    return parseJsonTree(text);
  } catch (error) {
    return { error };
  }
}

/** @throws RefscopeError `reference-not-json` */
export function checkEdits(edits: readonly TableEdit[]): void {
  for (const edit of edits) {
    if (edit.kind === "set-reference") checkValue(edit.key, edit.value);
    if (edit.kind === "set-references") for (const [key, value] of edit.values) checkValue(key, value);
  }
}

function checkValue(key: string, value: string): void {
  try {
    parseJson(value);
  } catch (cause) {
    const found = cause instanceof RefscopeError ? findingOfError(cause) : undefined;
    throw failure("reference-not-json", keyAt(key), { value: value.slice(0, 61), cause: found }, { cause });
  }
}

async function openEdited(
  base: DocumentSet,
  document: EditedText,
  { edits, most }: EditRequest,
  log: DiagnosticLog,
  network: Network,
  context: CallContext,
): Promise<DocumentSet | undefined> {
  const source = sourceOf(base, document, edits);
  try {
    const options = { ...(most === undefined ? {} : { most }), knownMetadata: fetchedFor(base), meant: true };
    const opened = await openSet(source, undefined, { locations: base.targets.locations, network, options, context });
    context.signal.throwIfAborted();
    if (opened.kind === "set") remember(base, opened.set);
    if (opened.kind === "set") return { ...opened.set, ...identity(base, opened.set) };
    log.add("document-of-sets", BEGINNING, { sets: opened.choices.length });
  } catch (error) {
    if (isAbort(error) || !(error instanceof RefscopeError)) throw error;
    log.move(error.finding, BEGINNING);
  }
  return undefined;
}

/** A text that was written from the table is not what was typed. */
function identity(base: DocumentSet, { documentText }: DocumentSet) {
  const { name, url, choice } = base;
  return { name, url, choice, documentText: isWhole(base) ? documentText : undefined };
}

/** Documents that drafts of a set fetched: the next draft need not fetch them again. */
const FETCHED = new WeakMap<DocumentSet, Map<string, MetadataDocument>>();

const fetchedFor = (base: DocumentSet): ReadonlyMap<string, MetadataDocument> =>
  new Map([...base.documents, ...(FETCHED.get(base) ?? [])]);

function remember(base: DocumentSet, draft: DocumentSet): void {
  const fetched = FETCHED.get(base) ?? new Map<string, MetadataDocument>();
  for (const [key, document] of draft.documents) if (document.fetchedBy !== undefined) fetched.set(key, document);
  FETCHED.set(base, fetched);
}

/** Mark for problems of the text as a whole. */
const BEGINNING = { start: 0, end: 1 };

/** Source with the base's origin: relative targets, files and locations mean the same. */
function sourceOf(base: DocumentSet, document: EditedText, edits: readonly TableEdit[]): SetSource {
  const edited = isWhole(base)
    ? bytesSource(new TextEncoder().encode(document.text), base.name)
    : reducedDocument(documentIndex(base), document, edits);
  return { ...base.source, document: edited, files: base.targets.files };
}

// Diagnostics about fsspec's default mode, at the places that it drops or refuses.

/** Maximum number of URLs marked as refused by the default mode. */
const MAX_REFUSED = 20;

export function noteReaders(log: DiagnosticLog, document: EditedText, names: UndefinedNames): void {
  if (document.version === 0) return;
  const { gen, root } = document;
  const member = memberOf(root, "gen");
  if (member !== undefined && (gen?.items.length ?? 0) > 0) {
    log.add("reader-drops-gen", { start: member.keyStart, end: member.keyEnd }, {});
  }
  noteRefused(log, document, names);
}

function noteRefused(log: DiagnosticLog, document: EditedText, names: UndefinedNames): void {
  const templates = nodeText(document, document.templates);
  const simple = simpleRenderer({ templates, gen: undefined });
  if (!simple.hasTemplates) return;
  let marked = 0;
  const seen = new Map<string, string | undefined>();
  for (const { role, value, start, contentEnd } of templateStrings(document)) {
    if (role.kind !== "refs" || marked >= MAX_REFUSED) continue;
    const reason = seen.has(value) ? seen.get(value) : errorOf(simple.url(value));
    seen.set(value, reason);
    if (reason === undefined) continue;
    const name = names.within({ start, end: contentEnd + 1 });
    if (name !== undefined) {
      name.refusesByDefault = true; // It is the name's finding that says so.
      continue;
    }
    marked += 1;
    log.add("reader-refuses", { start, end: contentEnd + 1 }, { key: role.key, error: reason });
  }
}

const errorOf = (rendered: RenderedUrl): string | undefined => (rendered.kind === "fault" ? rendered.error : undefined);

// Diagnostics of a text as JSON, and of its outer form as a Version 1 document.

/** The one finding of a text that cannot be read; an empty one is only not begun. */
export function unreadable(text: string, error: unknown): readonly Diagnostic[] {
  const log = diagnosticLog(text);
  const start = Math.min(jsonErrorPosition(error)?.offset ?? 0, text.length);
  const at = { start, end: Math.min(text.length, start + 1) };
  if (text.trim() === "") return [];
  log.move(findingOfError(error, "Reading the document"), at);
  return log.list();
}

export function noteOddities(log: DiagnosticLog, text: string, oddities: readonly JsonOddity[]): void {
  for (const { code, position } of oddities) {
    const start = position.offset;
    const written = /^(?:"(?:[^"\\]|\\.)*"|-?\w+|.)/s.exec(text.slice(start, start + 200))?.[0] ?? "";
    noteOddity(log, code, { start, end: start + Math.max(1, written.length) }, written);
  }
}

function noteOddity(log: DiagnosticLog, code: JsonOddity["code"], at: Span, written: string): void {
  if (code === "duplicate-key") log.add(code, at, {}, { covers: repeated(written) });
  else if (code === "number-overflow") log.add("json-number-overflow", at, { written });
  else log.add(`json-${code}`, at, {});
}

/** `written`: the key as JSON text; cut where it is long. */
function repeated(written: string): readonly string[] {
  if (!/^".*"$/s.test(written) || written.length < 2) return [];
  const key = jsonValueOf(parseJsonTree(written).root);
  return typeof key === "string" ? [causeOf({ code: "duplicate-key", place: keyAt(key), facts: {} })] : [];
}

export function noteForm(log: DiagnosticLog, document: EditedText): void {
  const { root, version } = document;
  if (root.kind !== "object") {
    log.add("document-not-object", root, { found: kindOf(root) });
    return;
  }
  if (version === 0) return noteVersion0(log, document);
  noteVersion(log, document.text, memberOf(root, "version"));
  for (const [name, kind] of FORMS) {
    const member = memberOf(root, name);
    if (member === undefined || member.node.kind === kind) continue;
    const covers = name === "refs" ? [causeOf({ code: "refs-not-object", place: WHOLE_SET, facts: {} })] : [];
    log.add(`${name}-malformed`, member.node, { found: kindOf(member.node) }, { covers });
  }
}

const FORMS = [
  ["templates", "object"],
  ["gen", "array"],
  ["refs", "object"],
] as const;

function noteVersion(log: DiagnosticLog, text: string, member: JsonMember | undefined): void {
  const value = member === undefined ? undefined : jsonValueOf(member.node);
  if (member === undefined || value === 1 || value === true) return;
  const { start, end } = member.node;
  const fix = { title: "Set version to 1", edits: [{ start, end, text: "1" }] };
  log.add(
    "version-unknown",
    member.node,
    { version: text.slice(start, Math.min(end, start + 60)), raises: "ValueError" },
    { fix },
  );
}

/** Without a version, `refs` is a key like any other. */
function noteVersion0(log: DiagnosticLog, { root }: EditedText): void {
  const refs = memberOf(root, "refs");
  if (refs?.node.kind !== "object") return;
  const at = root.start + 1;
  const fix = { title: 'Add "version": 1', edits: [{ start: at, end: at, text: '"version": 1, ' }] };
  const covers = [causeOf({ code: "version-missing", place: keyAt("refs"), facts: {} })];
  log.add("version-missing", { start: refs.keyStart, end: refs.keyEnd }, {}, { fix, covers });
}

const kindOf = (node: JsonNode): string => describeJson(node.kind === "scalar" ? node.value : jsonValueOf(node));

// Diagnostics of the rendering, at their origins in the text: errors in gens and URLs, keys that fit nothing.

function noteResult(log: DiagnosticLog, set: DocumentSet, document: EditedText, names: UndefinedNames): void {
  const result = { log, set, document, names };
  for (const finding of set.findings) noteFinding(result, finding);
  noteAbsurdOffset(log, set, document);
}

interface Result {
  readonly log: DiagnosticLog;
  readonly set: DocumentSet;
  readonly document: EditedText;
  readonly names: UndefinedNames;
}

/** Each cause once: findings in the text itself are not repeated. */
function noteFinding(result: Result, finding: Finding): void {
  const { log, names } = result;
  const { code, facts } = finding;
  if (log.covers(finding)) return;
  if (code === "name-undefined") {
    names.get((facts as FactsOf<"name-undefined">).name)?.covers.push(causeOf(finding));
    return;
  }
  const { place } = finding;
  if (code === "gen-fails" && place?.kind === "gen") {
    for (const one of finding.places ?? [place]) if (one.kind === "gen") noteFailure(result, finding, one.index);
    return;
  }
  const at = placeOfFinding(result, finding);
  if (at === undefined) return;
  if (code === "url-fails" && isUndefinedName(result, at, finding)) return;
  log.move(finding, at);
}

/** Absent where it is of no place in the text. */
function placeOfFinding({ set, document }: Result, { place, facts }: Finding): Span | undefined {
  if (place?.kind === "key") return placeOfKey(documentIndex(set), document, place.key);
  if (place?.kind === "gen") return genPlace(document, place.index, place.field);
  if (place?.kind === "target") return urlPlace(document, place.target);
  const { member, name = facts["template"] } = facts;
  const template = document.templates?.members.findLast(({ key }) => key === name);
  if (template !== undefined) return template.node;
  return typeof member === "string" ? memberPlace(document, member) : undefined;
}

const isUndefined = ({ python }: Raised): boolean => python === "UndefinedError";

/** All errors of one undefined name, and the set's own, are one finding: the name's. */
function isCause(name: UndefinedName | undefined, { set }: Result, finding: Finding): boolean {
  if (name === undefined) return false;
  name.refuses = true;
  const refused = set.findings.find(({ code }) => code === "set-refused");
  for (const one of [finding, refused]) if (one !== undefined) name.covers.push(causeOf(one));
  return true;
}

/** Rendered once more, for the very place in the URL at which Python raises. */
function isUndefinedName(result: Result, { start }: Span, finding: Finding): boolean {
  const { document, names } = result;
  const string = templateStringAt(document, start + 1);
  if (string === undefined) return false;
  const rendered = renderSource(string.value, evaluationOf(document), new Map());
  if (rendered.kind !== "fault" || !isUndefined(rendered.raised)) return false;
  return isCause(names.within(placeInText(document, string, rendered.span)), result, finding);
}

function memberPlace({ root }: EditedText, name: string): Span | undefined {
  const member = memberOf(root, name);
  return member === undefined ? undefined : { start: member.keyStart, end: member.keyEnd };
}

function genPlace({ gen }: EditedText, index: number, field: PlaceField | undefined): Span | undefined {
  const entry = gen?.items[index];
  const member = field === undefined ? undefined : memberOf(entry, field)?.node;
  return member ?? (entry === undefined ? undefined : headOf(entry));
}

/** An entry of many lines is not underlined as a whole: its key, else its first character. */
function headOf(entry: JsonNode): Span {
  return memberOf(entry, "key")?.node ?? { start: entry.start, end: Math.min(entry.start + 1, entry.end) };
}

/** URLs as they were rendered before; a target that is not written anywhere has no place. */
function urlPlace({ refs }: EditedText, target: string): Span | undefined {
  for (const { node } of refs?.members ?? []) {
    const url = node.kind === "array" ? node.items[0] : undefined;
    if (url !== undefined && stringOf(url) === target) return url;
  }
  return undefined;
}

/** Entries looked at to find the one that fails. */
const MAX_TRIED = 20_000;

/** The field, the values and the very place in the template at which fsspec raises. */
function noteFailure(result: Result, finding: Finding, index: number): void {
  const { log, document, names } = result;
  const evaluation = evaluationOf(document);
  const gen = evaluation.gens[index];
  const entry = document.gen?.items[index];
  if (gen === undefined || entry === undefined) return;
  const covers = [causeOf(finding)];
  if (gen.fault !== undefined) {
    const dimensions = memberOf(entry, "dimensions");
    const at = dimensions === undefined ? headOf(entry) : { start: dimensions.keyStart, end: dimensions.keyEnd };
    log.add("gen-fails", at, { ...raisedFacts(gen.fault), variables: [] }, { covers });
    return;
  }
  const number = failingNumber(gen);
  const values = gen.count > 0n ? gen.variables(number) : new Map();
  const variables = shownVariables(gen, number);
  for (const field of GEN_FIELDS) {
    const node = memberOf(entry, field)?.node;
    const source = stringOf(node);
    const place = node === undefined ? undefined : templateStringAt(document, node.start + 1);
    if (node === undefined || source === undefined || place === undefined) continue;
    const rendered = renderSource(source, evaluation, values);
    if (rendered.kind === "fault") {
      const at = placeInText(document, place, rendered.span);
      if (isUndefined(rendered.raised) && isCause(names.within(at), result, finding)) return;
      log.add("gen-fails", at, { ...factsOf(rendered.raised), variables }, { covers });
      return;
    }
    const integer = isNumberField(field) ? integerOf(rendered.text) : { value: "" };
    if ("value" in integer) continue;
    const facts = { ...factsOf(integer.raised), field, rendered: rendered.text.slice(0, 81), variables };
    log.add("not-an-integer", placeInText(document, place, undefined), facts, { covers });
    return;
  }
  log.move(finding, headOf(entry));
}

function failingNumber(gen: Gen): number {
  const end = Math.min(Number(gen.count), MAX_TRIED);
  for (let number = 0; number < end; number += 1) {
    try {
      gen.entry(number);
    } catch {
      return number;
    }
  }
  return Math.max(0, Math.min(Number(gen.count) - 1, MAX_TRIED));
}

/** 1 PB: no file is so large, though the number fits. */
const ABSURD = 2 ** 50;

function noteAbsurdOffset(log: DiagnosticLog, set: DocumentSet, document: EditedText): void {
  const { table } = set;
  let count = 0;
  let first = -1;
  let written = "";
  for (const [at, { target, offset }] of table.blocks.entries()) {
    const used = Math.min(BLOCK_ROWS, table.rows - at * BLOCK_ROWS);
    for (let i = 0; i < used; i += 1) {
      if ((offset[i] as number) < ABSURD || (target[i] as number) >= table.targets.count) continue;
      count += 1;
      if (first < 0) [first, written] = [at * BLOCK_ROWS + i, String(offset[i])];
    }
  }
  if (first < 0) return;
  const place = placeOfKey(documentIndex(set), document, keyOfRow(set, first));
  if (place !== undefined) log.add("offset-absurd", place, { written }, { count });
}
