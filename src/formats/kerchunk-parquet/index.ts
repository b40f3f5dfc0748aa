import type { CallContext } from "#core/byte-source.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { failure, finding, type Finding, keyAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import { jsonFindings } from "#core/json/json-finding.ts";
import { describeJson, isJsonObject, type JsonNode, type JsonValue, memberOf, membersOf } from "#core/json/json.ts";
import { jsonValueOf, parsed, parseJsonTree, writeJsonNode } from "#core/json/parse-json.ts";
import type { PageSink, ReferencePages } from "#core/table/reference-pages.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import type { Decompressors } from "./column-pages.ts";
import { type RawValues, readRecord, type RecordColumns } from "./record.ts";

// From the columns of a record to rows of the reference table, as fsspec's reader understands each row.

/** Counts of odd rows, with the first of each kind. */
interface RecordTally {
  readonly both: RowTally;
  readonly pastGrid: RowTally;
  readonly bad: RowTally;
}

interface RowTally {
  count: number;
  first: number;
}

/** Per record; further ones are only counted. */
const MAX_BAD = 100_000;

/** Chunks for which a record that is too short has no row: fsspec raises IndexError for them. */
function addMissingRows(rows: { from: number; to: number; first: number }, { table, array }: PageSink): void {
  const facts = { rows: rows.from, chunks: rows.to };
  const reference = { reason: finding("parquet-record-short", WHOLE_SET, facts), written: "" };
  for (let row = rows.from; row < rows.to; row += 1) table.addBad(array, rows.first + row, reference);
}

/**
 * fsspec, `LazyReferenceMapper._load_one_key`: inline bytes where there are any; else no reference where there is no path;
 * else the whole file where offset and size are 0 (GDAL: or null); else the range. Rows past the grid or past the record
 * size are never asked for.
 */
function addRecord(
  record: RecordColumns,
  targets: readonly number[],
  { cells, first }: RecordExpected,
  { table, array }: PageSink,
): RecordTally {
  const tally: RecordTally = { both: noRows(), pastGrid: noRows(), bad: noRows() };
  const rows = Math.min(record.rows, cells);
  addMissingRows({ from: rows, to: Math.min(cells, rows + MAX_BAD), first }, { table, array });
  const inline = rawCursor(record.raw);
  const { path, offset, size } = record;
  for (let row = 0; row < rows; row += 1) {
    const id = path[row] as number;
    if (inline.row() === row) {
      if (id !== 0) note(tally.both, row);
      table.addInline(array, first + row, inline.take());
      continue;
    }
    if (id === 0) continue;
    const target = targets[id - 1] as number;
    const start = offset === undefined ? Number.NaN : (offset[row] as number);
    const length = size === undefined ? Number.NaN : (size[row] as number);
    if (isNothing(start) && isNothing(length)) {
      table.addWhole(array, first + row, target);
    } else if (isBytes(start) && isBytes(length)) {
      table.addRange(array, first + row, target, start, length);
    } else {
      note(tally.bad, row);
      const url = record.urls[id - 1] ?? "";
      if (tally.bad.count <= MAX_BAD) table.addBad(array, first + row, badReference(url, start, length));
    }
  }
  countPast(record, rows, tally.pastGrid);
  return tally;
}

/** 0 or null. */
const isNothing = (value: number): boolean => value === 0 || Number.isNaN(value);

const isBytes = (value: number): boolean => value >= 0 && Number.isSafeInteger(value);

function badReference(url: string, offset: number, size: number) {
  const text = (value: number): string => (Number.isNaN(value) ? "null" : String(value));
  const written = `[${JSON.stringify(url.slice(0, 400))},${text(offset)},${text(size)}]`;
  const found = `an offset of ${text(offset)} and a size of ${text(size)}`;
  const expected = "whole numbers of bytes from 0 to 2^53 − 1";
  return { reason: finding("reference-malformed", WHOLE_SET, { expected, found }), written: written.slice(0, 500) };
}

/** Goes through the inline values by rising row. */
function rawCursor(raw: readonly RawValues[]) {
  let part = 0;
  let index = 0;
  return {
    /** Row of the next value; -1 = there is none. */
    row: (): number => raw[part]?.rows[index] ?? -1,
    take(): Uint8Array {
      const values = raw[part] as RawValues;
      const text = inlineText(values.bytes, values.starts[index] as number, values.ends[index] as number);
      index += 1;
      if (index === values.rows.length) [part, index] = [part + 1, 0];
      return text;
    },
  };
}

function countPast({ path, raw, rows }: RecordColumns, from: number, tally: RowTally): void {
  for (let row = from; row < rows; row += 1) if (path[row] !== 0) note(tally, row);
  for (const part of raw) {
    for (const row of part.rows) if (row >= from && path[row] === 0) note(tally, row);
  }
}

const noRows = (): RowTally => ({ count: 0, first: -1 });

function note(tally: RowTally, row: number): void {
  if (tally.count === 0 || row < tally.first) tally.first = row;
  tally.count += 1;
}

// Inline bytes as a Kerchunk JSON set would write them, which is how the inline pool keeps them.

const encoder = new TextEncoder();
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * JSON string text of the bytes from `from` to `to`: printable ASCII as it is, anything else after `base64:`. Bytes that
 * themselves begin with `base64:` stay as they are, since Python decodes these too (fsspec, `_cat_common`).
 */
export function inlineText(bytes: Uint8Array, from: number, to: number): Uint8Array {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) {
      return encoder.encode(`base64:${toBase64(bytes.subarray(from, to))}`);
    }
  }
  return bytes.subarray(from, to);
}

/** Kerchunk Parquet reference sets: `.zmetadata` and records of references, `<array>/refs.N.parq`. */
export type { Decompress, Decompressors } from "./column-pages.ts";

export { hasParquetMagic, type RecordFooter } from "./footer.ts";

export { describeRecord, readRecord, type RecordColumns } from "./record.ts";

// The records of an array as pages of references: record N holds the chunks from ordinal N × record_size on.

export interface RecordSet {
  /** References in a record, 1 or more. */
  readonly recordSize: number;
  readonly decompressors: Decompressors;
  /** All bytes of a file of the set, `sst/refs.3.parq`; `undefined` where there is none. Throws RefscopeError. */
  fetch(key: string, context: CallContext): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The targets that the distinct URLs of a record mean, in their order; absent: as they are written. */
  targetsOf?(urls: readonly string[], record: RecordPlace, context: CallContext): Promise<readonly string[]>;
}

export interface RecordPlace {
  /** Path of the array. */
  readonly array: string;
  /** Writer that the file names. */
  readonly writer: string | undefined;
}

/** Throws what `readRecord` and `set.fetch` throw; a record that is not there is a finding. */
export function recordPages(set: RecordSet, array: string, grid: readonly number[]): ReferencePages {
  const cells = cellCount(grid);
  const { recordSize } = set;
  const cellsOf = (page: number): number => Math.max(0, Math.min(recordSize, cells - page * recordSize));
  return {
    unit: "record",
    words: ["record", "records"],
    count: Math.ceil(cells / recordSize),
    pageOf: (ordinal) => Math.floor(ordinal / recordSize),
    cellsOf,
    visit(page, see) {
      const first = page * recordSize;
      const end = first + cellsOf(page);
      for (let ordinal = first; ordinal < end; ordinal += 1) see(ordinal);
    },
    load: (page, into, context) => loadRecord(set, { array, page, cells: cellsOf(page) }, into, context),
  };
}

interface RecordPage {
  readonly array: string;
  readonly page: number;
  /** Chunks of the grid that it is for. */
  readonly cells: number;
}

async function loadRecord(set: RecordSet, { array, page, cells }: RecordPage, into: PageSink, context: CallContext) {
  const key = recordKey(array, page);
  const bytes = await set.fetch(key, context);
  if (bytes === undefined) return [finding("parquet-record-missing", keyAt(key), { chunks: cells })];
  const record = await readRecord(bytes, keyAt(key), set.decompressors, context.signal);
  const urls = await set.targetsOf?.(record.urls, { array, writer: record.footer.writer }, context);
  const targets = (urls ?? record.urls).map((url) => into.table.addTarget(url));
  const first = page * set.recordSize;
  const expected = { key, first, cells, rows: record.rows, recordSize: set.recordSize };
  return recordFindings(addRecord(record, targets, expected, into), expected);
}

// Findings about a record.

interface RecordExpected {
  readonly key: string;
  /** Ordinal of the first row. */
  readonly first: number;
  /** Chunks of the grid that the record is for. */
  readonly cells: number;
  /** Rows that it has. */
  readonly rows: number;
  readonly recordSize: number;
}

function recordFindings({ pastGrid, both, bad }: RecordTally, of: RecordExpected): readonly Finding[] {
  const { key, first, cells, rows, recordSize } = of;
  const place = keyAt(key);
  const oddRows = ({ count, first: row }: RowTally) => ({ rows: count, row, chunk: first + row });
  const end = cells < recordSize ? "grid" : "record-size";
  const past = { rows: pastGrid.count, row: pastGrid.first, end, chunks: cells } as const;
  return [
    ...(rows < cells ? [finding("parquet-record-short", place, { rows, chunks: cells })] : []),
    ...(pastGrid.count > 0 ? [finding("parquet-rows-past-grid", place, past)] : []),
    ...(both.count > 0 ? [finding("parquet-raw-and-path", place, oddRows(both))] : []),
    ...(bad.count > 0 ? [finding("parquet-bad-range", place, oddRows(bad))] : []),
  ];
}

// Tells by contents if data belong to a Kerchunk Parquet set.

/**
 * - `parquet`: `.zmetadata` of a Kerchunk Parquet set
 * - `zarr`: consolidated metadata of a Zarr v2 store
 * - `unclear`: either; that there is an `<array>/refs.0.parq` beside it would decide
 * - `other`: neither
 */
export type MetadataKind =
  /** `isConsolidated`: it is marked as Zarr's, too. */
  | { readonly kind: "parquet"; readonly size: number | undefined; readonly isConsolidated: boolean }
  | { readonly kind: "zarr" | "unclear" | "other" };

/** `text`: the whole document. Never throws. */
export function detectParquetMetadata(text: string): MetadataKind {
  const value = parsed(text);
  const members = isJsonObject(value) ? value.get("metadata") : undefined;
  if (!isJsonObject(value) || !isJsonObject(members)) return { kind: "other" };
  const size = value.get("record_size");
  const isConsolidated = value.has("zarr_consolidated_format");
  if (size !== undefined) return { kind: "parquet", size: readRecordSize(size), isConsolidated };
  if (isConsolidated) return { kind: "zarr" };
  const hasNodes = [...members.keys()].some((key) => /(?:^|\/)\.z(?:group|array|attrs)$/.test(key));
  return { kind: hasNodes ? "unclear" : "other" };
}

/** The array's path and the record's number of a key: `sst/refs.3.parq` as `sst` and 3. */
export function parseRecordKey(key: string): { readonly array: string; readonly record: number } | undefined {
  const match = /^(?:(.*)\/)?refs\.(0|[1-9]\d{0,14})\.parq$/s.exec(key);
  return match === null ? undefined : { array: match[1] ?? "", record: Number(match[2]) };
}

export function recordKey(array: string, record: number): string {
  return `${array === "" ? "" : `${array}/`}refs.${record}.parq`;
}

// `.zmetadata` of a Kerchunk Parquet set: the metadata documents of all nodes, and how many references a record holds.
// (fsspec, implementations/reference.py, LazyReferenceMapper)

export interface ParquetMetadata {
  readonly documents: readonly MetadataDocument[];
  /** References in a record; `undefined` where the document does not say it: then it is unknown where records begin. */
  readonly recordSize: number | undefined;
  readonly findings: readonly Finding[];
  /** The reason for which fsspec refuses the set. */
  readonly refused: Finding | undefined;
}

const KEY = ".zmetadata";
const PLACE = keyAt(KEY);
/** More than anyone writes: a record is read as a whole. */
const MAX_RECORD_SIZE = 2 ** 40;

/** Throws RefscopeError `json-invalid`, `json-too-deep`, `parquet-metadata-broken`. */
export function readParquetMetadata(text: string): ParquetMetadata {
  const { root, oddities } = parseJsonTree(text);
  const value = jsonValueOf(root);
  const members = membersOf(memberOf(root, "metadata"));
  if (!isJsonObject(value) || members === undefined) {
    const member = isJsonObject(value) ? "metadata" : undefined;
    throw failure("parquet-metadata-broken", PLACE, {
      member,
      found: describeJson(isJsonObject(value) ? value.get("metadata") : value),
    });
  }
  const findings: Finding[] = [...jsonFindings(oddities, keyAt(KEY))];
  const documents = [...members].map(([key, member]) => documentOf(key, member));
  const recordSize = readRecordSize(value.get("record_size"));
  const refused = recordSize === undefined ? sizeFinding(value.get("record_size")) : undefined;
  if (refused !== undefined) findings.push(refused);
  return { documents, recordSize, findings, refused };
}

/** Objects as fsspec writes them, or text as Kerchunk JSON has it. */
function documentOf(key: string, node: JsonNode): MetadataDocument {
  return { key, text: node.kind === "scalar" && typeof node.value === "string" ? node.value : writeJsonNode(node) };
}

function readRecordSize(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_RECORD_SIZE
    ? value
    : undefined;
}

function sizeFinding(value: JsonValue | undefined): Finding {
  if (value === undefined) return finding("parquet-record-size-missing", PLACE, {});
  const found = typeof value === "number" || typeof value === "bigint" ? String(value) : describeJson(value);
  return finding("parquet-record-size-invalid", PLACE, { found });
}
