/** From an edited text to a set of its own, opened as the set it comes from, with all there is to say about the text. */
import type { CallContext } from "../../core/byte-source.ts";
import { isAbort, RefscopeError } from "../../core/errors.ts";
import { failure, findingOfError } from "../../core/findings/failure.ts";
import { keyAt } from "../../core/findings/place.ts";
import type { MetadataDocument } from "../../core/hierarchy.ts";
import { parseJson, parseJsonTree, type JsonTree } from "../../core/parse-json.ts";
import type { Diagnostic, EditRequest, TableEdit } from "../../core/studio.ts";
import { bytesSource } from "../../io/file.ts";
import type { DocumentSet } from "../engine-set.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import type { SetSource } from "../open/sources.ts";
import type { Network } from "../open/target-reader.ts";
import { diagnosticLog, type DiagnosticLog } from "./diagnostic-log.ts";
import { noteForm, noteOddities, unreadable } from "./diagnose-json.ts";
import { noteReaders } from "./diagnose-readers.ts";
import { noteResult } from "./diagnose-result.ts";
import { noteTemplates } from "./diagnose-templates.ts";
import { isWhole } from "./edit-source.ts";
import { editedText, type EditedText } from "./edited-text.ts";
import { reducedDocument } from "./reduced-document.ts";
import { documentIndex } from "./document-index.ts";
import { noteUndefined } from "./undefined-names.ts";

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
  const set = await openEdited(base, document, request, log, network, context);
  if (set !== undefined) noteResult(log, set, document, names);
  noteReaders(log, document, names);
  noteUndefined(log, names);
  return { set, diagnostics: log.list(), document };
}

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

/** Where the text as a whole is marked. */
const BEGINNING = { start: 0, end: 1 };

/** Where the document came from stays as it was: relative targets, files and locations mean the same. */
function sourceOf(base: DocumentSet, document: EditedText, edits: readonly TableEdit[]): SetSource {
  const edited = isWhole(base)
    ? bytesSource(new TextEncoder().encode(document.text), base.name)
    : reducedDocument(documentIndex(base), document, edits);
  return { ...base.source, document: edited, files: base.targets.files };
}
