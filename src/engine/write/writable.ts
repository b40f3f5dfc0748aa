/** The references of any open set as they can be written, and what cannot be expressed: known before anything is written. */
import type { CallContext } from "../../core/byte-source.ts";
import { failure, type Finding, WHOLE_SET } from "../../core/findings/finding.ts";
import type { ReferenceTable } from "../../core/table/reference-table.ts";
import { refuseUntrue } from "../edit/export.ts";
import { type EngineSet, isDocument } from "../engine-set.ts";
import { columnsAt } from "../table/batch.ts";
import { loadRest } from "../table/load-pages.ts";
import { copiedTable, jsonOf } from "./copied-table.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { zarr3Documents } from "./zarr3-documents.ts";

export interface WriteWish {
  /** Chunks of fewer bytes are read and written inline. */
  readonly inlineBelow?: number | undefined;
  /** Metadata of Zarr v2 become those of v3. */
  readonly zarr3?: boolean;
}

export interface Writable {
  readonly set: EngineSet;
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
  for (const [id, paged] of set.index.paged) {
    const path = set.table.arrays[id]?.path ?? "";
    if (set.shards?.has(id) === true) notes.leftOut("shards", path);
    else await loadRest(set, path, context);
    if (paged.failedCells > 0) notes.leftOut("unread", path, paged.failedCells);
  }
  const { inlineBelow = 0, zarr3: isZarr3 = false } = wish;
  const isCopied = set.resolveKey !== undefined || inlineBelow > 0;
  const own = isCopied ? await copiedTable(set, inlineBelow, notes, context) : jsonInline(set);
  for (const row of own.bad.keys()) notes.leftOut("bad", own.arrays[columnsAt(own, row).array]?.path);
  const texts = documentTexts(set, notes);
  const made = isZarr3 ? zarr3Documents(set, texts, own, notes) : { documents: texts, table: own };
  return { set, ...made, isAsOpened: isDocument(set) && !isCopied && !isZarr3, findings: notes.list() };
}

/** Values that are bytes in the set become text as they are asked for. */
function jsonInline({ table, format }: EngineSet): ReferenceTable {
  if (format.inlineText === undefined) return table;
  const { inline } = table;
  const slice = (offset: number, length: number) => jsonOf(inline.slice(offset, length));
  return { ...table, inline: { byteLength: inline.byteLength, slice } };
}

function documentTexts({ documents, table, shards }: EngineSet, notes: WriteNotes): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const left = new Set([...(shards ?? [])].map(([id]) => `${table.arrays[id]?.path}/zarr.json`.replace(/^\//, "")));
  for (const [key, { text }] of documents) {
    // Consolidated metadata repeat the others.
    if (/(?:^|\/)\.zmetadata$/.test(key) || left.has(key)) continue;
    if (text === undefined) notes.leftOut("metadata");
    else texts.set(key, text);
  }
  return texts;
}
