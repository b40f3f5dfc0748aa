/** The studio's operations on open sets: drafts of a set, and what is asked of the set as opened and of its drafts. */
import type { CallContext } from "../../core/byte-source.ts";
import type {
  EditAnswer,
  EditRequest,
  EditSource,
  Exported,
  ExportRequest,
  HoverRequest,
  HoverText,
  ReadersSummary,
  RowPlace,
  TableEdit,
  TemplateSuggestion,
  TextEdit,
  VersionRows,
  VersionRowsSpec,
} from "../../core/studio.ts";
import { carryResults } from "../carry-results.ts";
import type { DocumentSet } from "../engine-set.ts";
import { exportSet } from "./export.ts";
import { summaryOf } from "../describe/summary.ts";
import type { Network } from "../open/target-reader.ts";
import { compareSets, type Changes } from "./changes.ts";
import { complete } from "./complete.ts";
import { checkValue, openDraft, type Draft } from "./draft.ts";
import { editSource, isWhole } from "./edit-source.ts";
import { hoverText } from "./hover.ts";
import { javascriptDocument, javascriptReader, type JavascriptDocument } from "./javascript-reader.ts";
import { unknownReader, type ReaderView } from "./reader-view.ts";
import { keptReferences } from "./reduced.ts";
import { placeRow, rowPlace } from "./row-place.ts";
import { simpleReader } from "./simple-reader.ts";
import { documentIndex, type DocumentIndex } from "./document-index.ts";
import { textEdits } from "./text-edits.ts";
import { indexOfKey, listRows, windowOf, type ShownSet, type VersionList } from "./version-rows.ts";

export type JavascriptReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };

/** See `worker/protocol.ts`, which lists the same operations. */
export interface StudioOperations {
  editSource(set: number): EditSource;
  edit(request: EditRequest, context: CallContext): Promise<EditAnswer>;
  textEdits(text: string, edit: TableEdit): readonly TextEdit[];
  versionRows(set: number, spec: VersionRowsSpec, from: number, to: number, context: CallContext): Promise<VersionRows>;
  versionRowOf(set: number, spec: VersionRowsSpec, key: string, context: CallContext): Promise<number>;
  rowPlace(set: number, text: string, key: string): RowPlace | undefined;
  placeRow(set: number, text: string, offset: number): string | undefined;
  complete(text: string, offset: number): readonly TemplateSuggestion[];
  hoverText(request: HoverRequest): HoverText | undefined;
  readers(set: number, context: CallContext): Promise<ReadersSummary>;
  javascriptDocument(set: number): JavascriptDocument;
  javascriptAnswer(set: number, answer: JavascriptReply, context: CallContext): Promise<ReadersSummary>;
  export(request: ExportRequest, context: CallContext): Promise<Exported>;
}

export interface OpenSets {
  /** Throws `set-closed`. */
  get(set: number): DocumentSet;
  /** Gives the set a handle. */
  add(set: DocumentSet): number;
}

/** What is known of a set besides the set; made when first asked for, gone with it. */
interface Known extends ShownSet {
  /** The views asked for last, by what was asked. */
  readonly lists: Map<string, VersionList>;
}

const MAX_LISTS = 6;

export function studioOperations(sets: OpenSets, network: Network): StudioOperations {
  const known = new WeakMap<DocumentSet, Known>();
  const shown = (set: number): Known => knownOf(known, sets.get(set));
  return {
    editSource: (set) => editSource(sets.get(set)),
    edit: (request, context) => edit(sets, known, network, request, context),
    textEdits(text, edit) {
      if (edit.kind === "set-reference") checkValue(edit.key, edit.value);
      return textEdits(text, edit);
    },
    versionRows: async (set, spec, from, to, context) =>
      windowOf(shown(set), await listOf(shown(set), spec, context), spec, from, to),
    versionRowOf: async (set, spec, key, context) => indexOfKey(await listOf(shown(set), spec, context), key),
    rowPlace: (set, text, key) => rowPlace(shown(set).own, text, key),
    placeRow: (set, text, offset) => placeRow(shown(set).own, text, offset),
    complete,
    hoverText: ({ set, text, offset, key }) => hoverText(shown(set).own, text, offset, key),
    readers: (set, context) => readersOf(shown(set), context),
    javascriptDocument: (set) => javascriptDocument(shown(set).own),
    javascriptAnswer(set, answer, context) {
      const before = shown(set);
      const javascript =
        "unavailable" in answer ? unknownReader(answer.unavailable) : javascriptReader(before.own, answer.bytes);
      const after = { ...before, javascript, lists: new Map() };
      known.set(before.own.set, after);
      return readersOf(after, context);
    },
    export: (request, context) => exportSet(sets.get(request.set), request, context),
  };
}

function knownOf(known: WeakMap<DocumentSet, Known>, set: DocumentSet): Known {
  return known.get(set) ?? remember(known, set, undefined, undefined);
}

function remember(
  known: WeakMap<DocumentSet, Known>,
  set: DocumentSet,
  base: DocumentIndex | undefined,
  changes: Changes | undefined,
): Known {
  const own = documentIndex(set);
  const made = { own, base, changes, simple: simpleReader(own), javascript: NOT_ASKED, lists: new Map() };
  known.set(set, made);
  return made;
}

const NOT_ASKED: ReaderView = unknownReader("It has not answered yet.");

async function listOf(of: Known, spec: VersionRowsSpec, context: CallContext): Promise<VersionList> {
  const question = JSON.stringify([spec.show, spec.text]);
  const list = of.lists.get(question) ?? (await listRows(of, spec, context));
  of.lists.delete(question);
  of.lists.set(question, list);
  for (const oldest of of.lists.keys()) if (of.lists.size > MAX_LISTS) of.lists.delete(oldest);
  return list;
}

async function readersOf({ own, simple, javascript }: Known, context: CallContext): Promise<ReadersSummary> {
  const [simpleSummary, javascriptSummary] = [await simple.summary(context), await javascript.summary(context)];
  const portable = simpleSummary.outcome.kind === "same" && javascriptSummary.outcome.kind === "same";
  return { keys: own.order.total, simple: simpleSummary, javascript: javascriptSummary, portable };
}

/** A draft that is no longer wanted when it is ready gets no handle, and is gone. */
async function edit(
  sets: OpenSets,
  known: WeakMap<DocumentSet, Known>,
  network: Network,
  request: EditRequest,
  context: CallContext,
): Promise<EditAnswer> {
  const started = performance.now();
  const base = sets.get(request.set);
  const draft = await openDraft(base, request, network, context);
  const { set, diagnostics } = draft;
  const from = documentIndex(base);
  const changes = set === undefined ? undefined : await compareSets(from, documentIndex(set), context);
  const shown = request.shown === undefined ? undefined : sets.get(request.shown);
  const held = set === undefined || shown === undefined ? [] : await carryResults(shown, set, context);
  context.signal.throwIfAborted();
  if (set !== undefined) remember(known, set, from, changes);
  return {
    set: set === undefined ? undefined : summaryOf(set, sets.add(set)),
    held,
    diagnostics,
    changes: changes?.counts ?? { added: 0, removed: 0, changed: 0 },
    references: set === undefined ? 0 : documentIndex(set).order.total,
    milliseconds: performance.now() - started,
    refused: refusalOf(draft),
    parts: partsOf(from, draft),
  };
}

const refusalOf = ({ set, diagnostics }: Draft): string | undefined =>
  set?.refused ?? diagnostics.find(({ code }) => code === "json-trailing-comma")?.message;

function partsOf(base: DocumentIndex, { document }: Draft): EditAnswer["parts"] {
  const kept = isWhole(base.set) ? 0 : keptReferences(base);
  const templates = document?.templates?.members.length ?? 0;
  return { templates, gens: document?.gen?.items.length ?? 0, refs: (document?.refs?.members.length ?? 0) + kept };
}
