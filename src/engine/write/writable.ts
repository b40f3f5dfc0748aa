/** The references of any open set as they can be written, and what cannot be expressed: known before anything is written. */
import type { CallContext } from "../../core/byte-source.ts";
import { type Facts, failure, type Finding, WHOLE_SET } from "../../core/findings/finding.ts";
import { portableJson } from "../../core/json/portable-json.ts";
import { withoutManifest } from "../../core/metadata/chunk-manifests.ts";
import type { ReferenceTable } from "../../core/table/reference-table.ts";
import { type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { copiedTable, jsonOf } from "./copied-table.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { type FromThere, movedTargets } from "./relative-targets.ts";
import { zarr3Documents } from "./zarr3-documents.ts";

export interface WriteWish {
  /** Chunks of fewer bytes are read and written inline. */
  readonly inlineBelow?: number | undefined;
  /** Metadata of Zarr v2 become those of v3. */
  readonly zarr3?: boolean;
  /** Absent where nobody knows where it will be. */
  readonly fromThere?: FromThere;
}

export interface Writable {
  readonly set: EngineSet;
  /** Inline values as JSON string text; no native objects, no inner chunks of shards. */
  readonly table: ReferenceTable;
  /** JSON text by key. */
  readonly documents: ReadonlyMap<string, string>;
  /** The document's own parts can be written as they are: templates, gen, order. */
  readonly isAsOpened: boolean;
  /** What became of targets that are relative, of metadata too, which are not in the table. */
  readonly moved: FromThere | undefined;
  /** Metadata documents without a text: only the document as opened has them. */
  readonly unread: number;
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
  if (set.unlisted === true) notes.leftOut("unlisted");
  for (const [id, paged] of set.index.paged) {
    const path = set.table.arrays[id]?.path ?? "";
    if (set.shards?.has(id) === true) notes.leftOut("shards", path);
    else await loadRest(set, path, context);
    if (paged.failedCells > 0) notes.leftOut("unread", path, paged.failedCells);
  }
  const { inlineBelow = 0, zarr3: isZarr3 = false, fromThere } = wish;
  const isCopied = set.resolveKey !== undefined || inlineBelow > 0;
  const copied = isCopied ? await copiedTable(set, inlineBelow, notes, context) : jsonInline(set);
  const { table: own, moved } = movedTargets(copied, set.targets.base, fromThere, notes);
  const { texts, unread } = documentTexts(set, notes);
  const made = isZarr3 ? zarr3Documents(set, texts, own, notes) : { documents: texts, table: own };
  const isAsOpened = isDocument(set) && !isCopied && !isZarr3;
  return { set, ...made, moved, unread, isAsOpened, findings: notes.list() };
}

/** Values that are bytes in the set become text as they are asked for. */
function jsonInline({ table, format }: EngineSet): ReferenceTable {
  if (format.inlineText === undefined) return table;
  const { inline } = table;
  const slice = (offset: number, length: number) => jsonOf(inline.slice(offset, length));
  return { ...table, inline: { byteLength: inline.byteLength, slice } };
}

function documentTexts({ documents, table, shards }: EngineSet, notes: WriteNotes) {
  let unread = 0;
  const texts = new Map<string, string>();
  const left = new Set([...(shards ?? [])].map(([id]) => `${table.arrays[id]?.path}/zarr.json`.replace(/^\//, "")));
  for (const [key, { text }] of documents) {
    // Consolidated metadata repeat the others.
    if (/(?:^|\/)\.zmetadata$/.test(key) || left.has(key)) continue;
    if (text === undefined) {
      unread += 1;
      continue;
    }
    // In `.zarray` it is a fill value, which is such a text anyway.
    texts.set(
      key,
      portableJson(withoutManifest(text), () =>
        notes.changed("not-finite", undefined, Number(!key.endsWith(".zarray"))),
      ),
    );
  }
  return { texts, unread };
}

/** Where there is no true form without templates and gen. */
function refuseUntrue({ refused, findings, renderer }: DocumentSet): void {
  if (refused !== undefined) {
    const cause = findings.find(({ facts }) => facts["raises"] !== undefined);
    throw failure("export-refused", WHOLE_SET, { cause });
  }
  if (renderer?.isIncomplete !== true) return;
  const cause = findings.find(({ place, facts }) => {
    const isOfDocument = place.kind === "gen" || facts["member"] === "gen" || facts["member"] === "templates";
    return isOfDocument && stopsRendering(facts);
  });
  throw failure("export-incomplete", WHOLE_SET, { cause });
}

const stopsRendering = (facts: Facts): boolean => facts["raises"] !== undefined || facts["limit"] !== undefined;
