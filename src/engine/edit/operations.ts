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
  PrefixPreview,
  PrefixPreviewRequest,
} from "../../core/studio.ts";
import { givingAway } from "../../core/transfer.ts";
import { documentSet, type DocumentSet } from "../engine-set.ts";
import type { House, Sessions } from "../sessions.ts";
import { exportSet } from "./export.ts";
import { summaryOf } from "../describe/summary.ts";
import type { Network } from "../open/target-reader.ts";
import { carryResults } from "./carry-results.ts";
import { compareSets, type Changes } from "./changes.ts";
import { complete } from "./complete.ts";
import { checkEdits, openDraft, type Draft } from "./draft.ts";
import { editSource, isWhole } from "./edit-source.ts";
import { looseText } from "./edited-text.ts";
import { hoverText } from "./hover.ts";
import { javascriptDocument, javascriptReader, type JavascriptDocument } from "./javascript-reader.ts";
import { uniformReader, type ReaderView } from "./reader-view.ts";
import { keptReferences } from "./reduced.ts";
import { placeOfKey, placeRow } from "./row-place.ts";
import { simpleReader } from "./simple-reader.ts";
import { documentIndex, type DocumentIndex } from "./document-index.ts";
import { textEdits } from "./text-edits.ts";
import { indexOfKey, listRows, windowOf, type ShownSet, type VersionList } from "./version-rows.ts";
import type { Finding } from "../../core/findings/finding.ts";

export type JavascriptReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string };

interface OfSet {
  readonly set: number;
}

interface OfText extends OfSet {
  readonly text: string;
}

interface OfVersion extends OfSet {
  readonly spec: VersionRowsSpec;
}

/** Editing needs Kerchunk JSON: other sets throw `not-a-document`. */
interface OpenDocuments {
  get(set: number): DocumentSet;
  /** With what was found of chunks that `shown` reads alike. */
  add(set: DocumentSet, shown: number | undefined, held: readonly string[]): number;
}

function addWithFindings(sessions: Sessions, set: DocumentSet, shown: number | undefined, held: readonly string[]) {
  const before = shown === undefined ? undefined : sessions.get(shown).found;
  const id = sessions.add(set);
  const { found } = sessions.get(id);
  const keys = new Set(held);
  for (const [key, findings] of before ?? []) if (keys.has(key)) found.set(key, findings);
  return id;
}

/** What is known of a set besides the set; made when first asked for, gone with it. */
interface Known extends ShownSet {
  /** The views asked for last, by what was asked. */
  readonly lists: Map<string, VersionList>;
}

const MAX_LISTS = 6;

export function editOperations({ sessions, network }: House) {
  const sets: OpenDocuments = {
    get: (set) => documentSet(sessions.get(set).set),
    add: (set, shown, held) => addWithFindings(sessions, set, shown, held),
  };
  const known = new WeakMap<DocumentSet, Known>();
  const shown = ({ set }: OfSet): Known => knownOf(known, sets.get(set));
  return {
    /** What can be edited in a set as opened. */
    source: ({ set }: OfSet): EditSource => editSource(sets.get(set)),
    /** Renders the edited document into a set of its own; the set as opened stays, to compare with. */
    render: (request: EditRequest, context: CallContext): Promise<EditAnswer> =>
      edit(sets, known, network, request, context),
    /** A table edit as edits of the text, where the text is whole. */
    textEdits({ text, edit }: { readonly text: string; readonly edit: TableEdit }): readonly TextEdit[] {
      checkEdits([edit]);
      return textEdits(text, edit);
    },
    /** What a replaced prefix would do; nothing is kept of it. */
    async previewPrefix(request: PrefixPreviewRequest, context: CallContext): Promise<PrefixPreview> {
      const { previewPrefix } = await import("./preview-prefix.ts");
      return previewPrefix(sets.get(request.set), sets.get(request.shown), request, network, context);
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
    /** Where in the text a row was made. */
    rowPlace: ({ text, key, ...of }: OfText & { readonly key: string }): RowPlace | undefined =>
      placeOfKey(shown(of).own, looseText(text), key),
    /** The first row that the place in the text makes. */
    placeRow: ({ text, offset, ...of }: OfText & { readonly offset: number }): string | undefined =>
      placeRow(shown(of).own, text, offset),
    complete: ({ text, offset }: { readonly text: string; readonly offset: number }): readonly TemplateSuggestion[] =>
      complete(text, offset),
    hoverText: ({ text, offset, key, ...of }: HoverRequest): HoverText | undefined =>
      hoverText(shown(of).own, text, offset, key),
    /** What fsspec's default mode makes of the set, and what of the JavaScript reader is known by now. */
    readers: (of: OfSet, context: CallContext): Promise<ReadersSummary> => readersOf(shown(of), context),
    /** The document for the JavaScript reader, as UTF-8 JSON; or why it is not asked. */
    javascriptDocument(of: OfSet): JavascriptDocument {
      const document = javascriptDocument(shown(of).own);
      return givingAway(document, "bytes" in document ? [document.bytes.buffer] : []);
    },
    /** What the JavaScript reader answered (untrusted), or why it did not. */
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
    export: (request: ExportRequest, context: CallContext): Promise<Exported> =>
      exportSet(sets.get(request.set), request, context),
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

const NOT_ASKED: ReaderView = uniformReader({ kind: "unknown", reason: "It has not answered yet." });

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
  sets: OpenDocuments,
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
  context.signal.throwIfAborted();
  const shown = request.shown === undefined ? undefined : sets.get(request.shown);
  const held = set === undefined || shown === undefined ? [] : await carryResults(shown, set, context);
  if (set !== undefined) remember(known, set, from, changes);
  return {
    set: set === undefined ? undefined : summaryOf(set, sets.add(set, request.shown, held)),
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
