/** Any set as Kerchunk Parquet, file by file: no more than one is held at a time. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { isJsonObject } from "../../core/json/json.ts";
import { writeJson } from "../../core/json/json-write.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_WHOLE,
  type ReferenceTable,
  TARGET_INLINE,
  TARGET_NULL,
} from "../../core/table/reference-table.ts";
import { decodeInline } from "../../formats/kerchunk-json/index.ts";
import {
  emptyRecord,
  encodeRecord,
  recordKey,
  type RecordRows,
  zmetadataText,
} from "../../formats/kerchunk-parquet/write.ts";
import { startPace } from "../pace.ts";
import type { ArrayIndex } from "../table/array-index.ts";
import { columnsAt, lengthOf } from "../table/batch.ts";
import { indexTable } from "../table/table-index.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { noteGen, type Writable } from "./writable.ts";

/** As VirtualiZarr writes it; Kerchunk's own is 10,000. */
export const RECORD_SIZE = 100_000;

export interface ParquetPlan {
  readonly writable: Writable;
  /** What is written of the metadata, and the arrays (by id) that have rows. */
  readonly documents: ReadonlyMap<string, string>;
  readonly arrays: readonly number[];
  readonly findings: readonly Finding[];
}

/** What fsspec has no word for in Parquet is left out, by name. */
export function planParquet(writable: Writable): ParquetPlan {
  const { table, set } = writable;
  const notes = writeNotes();
  noteGen(set, notes);
  const documents = plainDocuments(writable, notes);
  const hasMetadata = (path: string) => documents.has(`${path}/.zarray`);
  const arrays = table.arrays.flatMap(({ path, grid }, id) => {
    if (!hasMetadata(path)) return [];
    if (grid === undefined) notes.leftOut("unread-grid", path);
    return grid === undefined ? [] : [id];
  });
  noteRows(table, new Set(arrays), notes);
  if (table.strays.length > 0) notes.leftOut("stray", undefined, table.strays.length);
  return { writable, documents, arrays, findings: [...writable.findings, ...notes.list()] };
}

function plainDocuments({ documents, table }: Writable, notes: WriteNotes): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  const slashed = new Set(table.arrays.filter(({ separator }) => separator === "/").map(({ path }) => path));
  const isRoot = documents.has(".zarray");
  for (const [key, text] of documents) {
    if (/(?:^|\/)zarr\.json$/.test(key)) notes.leftOut("zarr-v3");
    else if (isRoot && /^\.z/.test(key)) {
      if (key === ".zarray") notes.leftOut("root-array", "");
    } else {
      const path = key.slice(0, Math.max(0, key.lastIndexOf("/")));
      const plain = slashed.has(path) && key.endsWith("/.zarray") ? withoutSeparator(text) : objectText(text);
      if (plain === undefined) notes.leftOut("metadata");
      else kept.set(key, plain);
      if (plain !== undefined && slashed.has(path) && key.endsWith("/.zarray")) notes.changed("separator", path);
    }
  }
  return kept;
}

function objectText(text: string): string | undefined {
  try {
    return isJsonObject(parseJson(text).value) ? text : undefined;
  } catch {
    return undefined;
  }
}

function withoutSeparator(text: string): string | undefined {
  if (objectText(text) === undefined) return undefined;
  const { value } = parseJson(text);
  return isJsonObject(value) ? writeJson(new Map([...value, ["dimension_separator", "."]])) : undefined;
}

function noteRows(table: ReferenceTable, written: ReadonlySet<number>, notes: WriteNotes): void {
  for (let row = 0; row < table.rows; row += 1) {
    const { array, target, offset, length } = columnsAt(table, row);
    if (!written.has(array)) continue;
    const path = table.arrays[array]?.path;
    if (target === TARGET_NULL) notes.leftOut("null-url", path);
    else if (target < FIRST_SPECIAL_TARGET && offset === 0 && length === 0) notes.changed("empty-range", path);
  }
}

export interface WrittenFile {
  /** Below the folder of the set. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** References in it. */
  readonly references: number;
}

export async function* parquetFiles(
  { writable: { table }, documents, arrays }: ParquetPlan,
  recordSize: number,
  context: CallContext,
): AsyncGenerator<WrittenFile> {
  const index = indexTable(table);
  const pace = startPace(context, "Writing references", table.rows);
  let done = 0;
  for (const id of arrays) {
    const path = table.arrays[id]?.path ?? "";
    for (const { record, rows, references } of recordsOf(table, await index.arrayIndex(id, context), recordSize)) {
      yield { path: recordKey(path, record), bytes: await encodeRecord(rows), references };
      done += references;
      context.signal.throwIfAborted();
      await pace.yieldIfDue(done);
    }
  }
  // Last, so that what was broken off opens as nothing.
  const metadata = new TextEncoder().encode(zmetadataText(documents, recordSize));
  yield { path: ".zmetadata", bytes: metadata, references: 0 };
}

/** Files that have references. Each is filled up with rows of none, as far as there are chunks: fsspec asks for them. */
function* recordsOf(table: ReferenceTable, index: ArrayIndex, recordSize: number) {
  for (let entry = 0; entry < index.listed;) {
    const record = Math.floor((index.ordinals?.[entry] ?? entry) / recordSize);
    const first = record * recordSize;
    let rows: RecordRows | undefined;
    let references = 0;
    for (; entry < index.listed; entry += 1) {
      const place = (index.ordinals?.[entry] ?? entry) - first;
      if (place >= recordSize) break;
      const row = (index.rows[entry] ?? 0) - 1;
      if (row < 0) continue;
      rows ??= emptyRecord(Math.min(recordSize, index.cells - first));
      references += Number(setRow(table, row, rows, place));
    }
    if (rows !== undefined && references > 0) yield { record, rows, references };
  }
}

/** False where the reference cannot be written. */
function setRow(table: ReferenceTable, row: number, rows: RecordRows, place: number): boolean {
  const { target, offset, length } = columnsAt(table, row);
  if (target === TARGET_INLINE) {
    const { bytes, oddity } = decodeInline(table.inline.slice(offset, length));
    const isRead = oddity === undefined || oddity === "non-ascii";
    if (isRead) rows.raw[place] = bytes;
    return isRead;
  }
  if (target >= FIRST_SPECIAL_TARGET) return false;
  if (offset === 0 && length === 0) rows.raw[place] = new Uint8Array(0);
  else {
    rows.path[place] = table.targets.text(target);
    if (length !== LENGTH_WHOLE) {
      rows.offset[place] = BigInt(offset);
      rows.size[place] = BigInt(lengthOf(table, row, target, length));
    }
  }
  return true;
}
