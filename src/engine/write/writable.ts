/**
 * The references of any open set as they can be written: by key or array and chunk, with a URL each, and what cannot be
 * expressed, which is known before anything is written.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { failure } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { ARRAY_NONE, type ReferenceTable, TARGET_BAD } from "../../core/table/reference-table.ts";
import type { MetadataEntry } from "../../formats/kerchunk-json/index.ts";
import { refuseUntrue } from "../edit/export.ts";
import { type EngineSet, isDocument } from "../engine-set.ts";
import { columnsAt } from "../table/batch.ts";
import { loadRest } from "../table/load-pages.ts";
import { copiedTable, jsonOf } from "./copied-table.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { zarr3Documents } from "./zarr3-documents.ts";

export type WriteForm = "kerchunk-json" | "kerchunk-json-v0" | "kerchunk-parquet";

export interface WriteWish {
  readonly form: WriteForm;
  /** Chunks of fewer bytes are read and written inline. */
  readonly inlineBelow?: number | undefined;
  /** Metadata of Zarr v2 become those of v3. */
  readonly zarr3?: boolean | undefined;
}

export interface Writable {
  readonly set: EngineSet;
  readonly form: WriteForm;
  /** Inline values as JSON string text; no native objects, no inner chunks of shards. */
  readonly table: ReferenceTable;
  /** JSON text by key. */
  readonly documents: ReadonlyMap<string, string>;
  /** The document's own parts can be written as they are: templates, gen, order. */
  readonly isAsOpened: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Fetches references that are not here.
 * @throws RefscopeError `export-refused` and `export-incomplete` where fsspec reads another set than is shown,
 *   `too-many-pages`; an `AbortError`
 */
export async function writableSet(opened: EngineSet, wish: WriteWish, context: CallContext): Promise<Writable> {
  // Shards are written as shards: inner chunks have no keys.
  const set = opened.unexpanded ?? opened;
  if (isDocument(set)) refuseUntrue(set);
  else if (set.refused !== undefined) throw failure("export-refused", WHOLE_SET, { cause: set.refused });
  const notes = writeNotes();
  await loadReferences(set, notes, context);
  const isCopied = set.resolveKey !== undefined || (set.shards?.size ?? 0) > 0 || (wish.inlineBelow ?? 0) > 0;
  const own = isCopied ? await copiedTable(set, wish.inlineBelow ?? 0, notes, context) : jsonInline(set);
  const texts = documentTexts(set, notes);
  const isZarr3 = wish.zarr3 === true;
  const { documents, table } = isZarr3 ? zarr3Documents(set, texts, own, notes) : { documents: texts, table: own };
  noteBad(table, notes);
  if (wish.form === "kerchunk-json-v0") noteGen(set, notes);
  return {
    set,
    form: wish.form,
    table,
    documents,
    isAsOpened: isDocument(set) && !isCopied && !isZarr3,
    findings: notes.list(),
  };
}

async function loadReferences(set: EngineSet, notes: WriteNotes, context: CallContext): Promise<void> {
  for (const [id, paged] of set.index.paged) {
    const path = set.table.arrays[id]?.path ?? "";
    if (set.shards?.has(id) === true) continue;
    await loadRest(set, path, context);
    if (paged.failedCells > 0) notes.leftOut("unread", path, paged.failedCells);
  }
}

/** Values that are bytes in the set become text as they are asked for. */
function jsonInline({ table, format }: EngineSet): ReferenceTable {
  if (format.inlineText === undefined) return table;
  const { inline } = table;
  return {
    ...table,
    inline: { byteLength: inline.byteLength, slice: (offset, length) => jsonOf(inline.slice(offset, length)) },
  };
}

function documentTexts({ documents }: EngineSet, notes: WriteNotes): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, { text }] of documents) {
    // Readers find it beside what it repeats.
    if (/(?:^|\/)\.zmetadata$/.test(key)) continue;
    if (text === undefined) notes.leftOut("metadata");
    else texts.set(key, text);
  }
  return texts;
}

function noteBad(table: ReferenceTable, notes: WriteNotes): void {
  for (const row of table.bad.keys()) {
    const { array, target } = columnsAt(table, row);
    if (target === TARGET_BAD) notes.leftOut("bad", array === ARRAY_NONE ? undefined : table.arrays[array]?.path);
  }
}

export function noteGen(set: EngineSet, notes: Pick<WriteNotes, "changed">): void {
  if (!isDocument(set) || set.document.gen === undefined) return;
  notes.changed("gen", undefined, set.table.rows - set.origins.refsRows);
}

/** Metadata first, as those that write Kerchunk JSON have it. */
export const metadataEntries = (documents: ReadonlyMap<string, string>): readonly MetadataEntry[] =>
  Array.from(documents, ([key, text]) => ({
    key,
    value: { kind: "inline", bytes: new TextEncoder().encode(text) },
    row: 0,
  }));
