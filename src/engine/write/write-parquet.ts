/** Any set as Kerchunk Parquet, file by file: no more than one is held at a time. */
import type { CallContext } from "#core/byte-source.ts";
import { isJsonObject } from "#core/json/json.ts";
import { portableJson } from "#core/json/portable-json.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import { parseJson, writeJson } from "#core/json/parse-json.ts";
import { FIRST_SPECIAL_TARGET, LENGTH_WHOLE, TARGET_INLINE, TARGET_NULL } from "#core/table/reference-table.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import { emptyRecord, encodeRecord, type RecordRows } from "#formats/kerchunk-parquet/write.ts";
import { isDocument } from "../engine-set.ts";
import { startPace } from "../pace.ts";
import type { ArrayIndex } from "../table/array-index.ts";
import { columnsAt, lengthOf } from "../table/batch.ts";
import { indexTable } from "../table/table-index.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import type { Writable } from "./writable.ts";

/** Record size of VirtualiZarr; Kerchunk's own is 10,000. */
export const RECORD_SIZE = 100_000;

/**
 * Plan of the metadata and arrays to write, by id: parts that fsspec cannot express in Parquet are left out, by name.
 */
export function planParquet({ set, table, documents: all, unread, findings }: Writable) {
  const notes = writeNotes();
  notes.leftOut("metadata", undefined, unread);
  for (const row of table.bad.keys()) notes.leftOut("bad", table.arrays[columnsAt(table, row).array]?.path);
  if (isDocument(set) && set.document.gen !== undefined)
    notes.changed("gen", undefined, table.rows - set.origins.refsRows);
  const documents = new Map<string, string>();
  for (const [key, text] of all) {
    if (/(?:^|\/)zarr\.json$/.test(key)) notes.leftOut("zarr-v3");
    else if (all.has(".zarray") && !key.includes("/")) notes.leftOut("root-array", "");
    else if (/(?:^|[/\\])\.{0,2}(?:[/\\]|$)/.test(key)) notes.leftOut("odd-path", key.replace(/\/\.z\w+$/, ""));
    else addDocument(documents, key, text, notes);
  }
  const arrays = new Set<number>();
  for (const [id, { path, grid }] of table.arrays.entries()) {
    if (!documents.has(`${path}/.zarray`)) continue;
    // Records are numbered: beyond 2^53 chunks are not told apart.
    if (grid === undefined || !Number.isSafeInteger(grid.reduce((cells, count) => cells * count, 1))) {
      notes.leftOut("unread-grid", path);
      // Its metadata alone would open as an array of fill.
      for (const name of [".zarray", ".zattrs"]) documents.delete(`${path}/${name}`);
    } else arrays.add(id);
  }
  for (let row = 0; row < table.rows; row += 1) {
    const { array, target, offset, length } = columnsAt(table, row);
    const path = table.arrays[array]?.path;
    if (target === TARGET_NULL) notes.leftOut("null-url", path);
    else if (isEmpty(target, offset, length)) notes.changed("empty-range", path);
  }
  if (table.strays.length > 0) notes.leftOut("stray", undefined, table.strays.length);
  return { table, documents, arrays, findings: [...findings, ...notes.list()] };
}

/** True if the row would mean the whole file in Parquet. */
const isEmpty = (target: number, offset: number, length: number): boolean =>
  target < FIRST_SPECIAL_TARGET && offset === 0 && length === 0;

/** Readers ask for chunks by “.”, whatever `.zarray` says. */
function addDocument(documents: Map<string, string>, key: string, text: string, notes: WriteNotes): void {
  try {
    const { value } = parseJson(text);
    if (!isJsonObject(value)) return notes.leftOut("metadata");
    const isSlashed = value.get("dimension_separator") === "/";
    if (isSlashed) notes.changed("separator", key.replace(/\/?\.zarray$/, ""));
    documents.set(key, isSlashed ? portableJson(writeJson(new Map(value).set("dimension_separator", "."))) : text);
  } catch {
    notes.leftOut("metadata");
  }
}

/** Paths are below the folder of the set. */
type Plan = ReturnType<typeof planParquet>;

export async function* parquetFiles({ table, documents, arrays }: Plan, recordSize: number, context: CallContext) {
  const index = indexTable(table);
  const pace = startPace(context, "Writing references", table.rows);
  let done = 0;
  for (const id of arrays) {
    for (const { record, rows, references } of recordsOf(table, await index.arrayIndex(id, context), recordSize)) {
      // The number has no zeros before it.
      const path = `${table.arrays[id]?.path}/refs.${record}.parq`;
      yield { path, bytes: await encodeRecord(rows), references };
      await pace.yieldIfDue((done += references));
    }
  }
  // Last, so that what was broken off opens as nothing. Documents are objects in it, not text.
  const members = [...documents].map(([key, text]) => `${pythonJsonText(key)}:${text}`);
  const metadata = `{"metadata":{${members.join(",")}},"record_size":${recordSize}}`;
  yield { path: ".zmetadata", bytes: encoder.encode(metadata), references: 0 };
}

/**
 * Files that have references. Each is filled up with rows of none, as far as there are chunks: fsspec asks for them.
 */
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

const encoder = new TextEncoder();
const BASE64 = encoder.encode("base64:");
const inBase64 = (bytes: Uint8Array) => encoder.encode(`base64:${toBase64(bytes)}`);

/** False where the reference cannot be written. */
function setRow(table: ReferenceTable, row: number, rows: RecordRows, place: number): boolean {
  const { target, offset, length } = columnsAt(table, row);
  if (target === TARGET_INLINE) {
    const { bytes, oddity = "non-ascii" } = decodeInline(table.inline.slice(offset, length));
    // A text that begins like base64 would be decoded once more.
    if (oddity === "non-ascii")
      rows.raw[place] = BASE64.every((byte, at) => bytes[at] === byte) ? inBase64(bytes) : bytes;
    return oddity === "non-ascii";
  }
  if (target >= FIRST_SPECIAL_TARGET) return false;
  if (isEmpty(target, offset, length)) rows.raw[place] = new Uint8Array(0);
  else rows.path[place] = table.targets.text(target);
  if (length === LENGTH_WHOLE) return true;
  rows.offset[place] = BigInt(offset);
  rows.size[place] = BigInt(lengthOf(table, row, target, length));
  return true;
}
