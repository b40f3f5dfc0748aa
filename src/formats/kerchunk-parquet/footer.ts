/**
 * The end of a Parquet file: where each column of a record lies, and how it is written (parquet.thrift, FileMetaData).
 */
import type { ColumnMetaData, FileMetaData, SchemaElement } from "hyparquet/src/types.js";
import { parquetMetadata } from "hyparquet/src/metadata.js";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { recordFault, recordTooLarge, unsupportedRecord } from "./record-fault.ts";
import { checkThrift } from "./thrift-check.ts";

const RECORD_COLUMNS = ["path", "offset", "size", "raw"] as const;
export type RecordColumn = (typeof RECORD_COLUMNS)[number];

export interface ColumnChunk {
  readonly name: RecordColumn;
  /** Parquet's physical type: `INT64`, `BYTE_ARRAY`, … */
  readonly type: string;
  readonly isUnsigned: boolean;
  /** True if rows may be null: definition levels then come before the values. */
  readonly isOptional: boolean;
  /** Parquet's name: `ZSTD`, `SNAPPY`, `UNCOMPRESSED`. */
  readonly compression: string;
  /** Bytes of the file. */
  readonly from: number;
  readonly to: number;
}

export interface RowGroup {
  readonly rows: number;
  readonly columns: ReadonlyMap<RecordColumn, ColumnChunk>;
}

export interface RecordFooter {
  readonly rows: number;
  /** The writer as the file names it: `fastparquet-python version 2026.5.0 (build 0)`. */
  readonly writer: string | undefined;
  /** All columns at the top, other than those of records too. */
  readonly columnNames: readonly string[];
  readonly groups: readonly RowGroup[];
}

/** Most rows of a record: 50 million take a gigabyte. */
const MAX_RECORD_ROWS = 50_000_000;
const MAX_FOOTER_BYTES = 8 * 1024 * 1024;
const MAGIC = 0x3152_4150;

/** True if data begin and end as Parquet files do; `head` and `tail` are four bytes or more. */
export function hasParquetMagic(head: Uint8Array, tail: Uint8Array): boolean {
  return head.length >= 4 && tail.length >= 4 && isMagic(head, 0) && isMagic(tail, tail.length - 4);
}

/** Throws RefscopeError, see `record-fault.ts`. */
export function readFooter(file: Uint8Array<ArrayBuffer>): RecordFooter {
  if (file.length < 12 || !hasParquetMagic(file, file)) {
    const found = file.length === 0 ? "an empty file" : `${file.length} bytes that do not`;
    throw recordFault("a file that begins and ends with PAR1", found);
  }
  const length = new DataView(file.buffer, file.byteOffset + file.length - 8, 4).getUint32(0, true);
  if (length > file.length - 12) {
    throw recordFault("a footer inside the file", `one of ${length} bytes in a file of ${file.length}`);
  }
  if (length > MAX_FOOTER_BYTES) throw recordTooLarge("footer", MAX_FOOTER_BYTES, length);
  checkThrift(file.subarray(0, file.length - 8), file.length - 8 - length);
  return footerOf(parquetMetadata(file.subarray(file.length - 8 - length), { geoparquet: false }), file.length);
}

function footerOf(metadata: FileMetaData, fileSize: number): RecordFooter {
  const leaves = topColumns(metadata.schema);
  const groups = metadata.row_groups.map((group) => {
    const columns = new Map<RecordColumn, ColumnChunk>();
    for (const column of group.columns) {
      const chunk = columnChunk(column.meta_data, column.file_path, leaves, fileSize);
      if (chunk !== undefined) columns.set(chunk.name, chunk);
    }
    const missing = RECORD_COLUMNS.find((name) => leaves.has(name) && !columns.has(name));
    if (missing !== undefined) throw recordFault(`the column “${missing}” in every row group`, "one without it");
    return { rows: rowCount(group.num_rows), columns };
  });
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  if (rows !== rowCount(metadata.num_rows)) {
    throw recordFault(`${metadata.num_rows} rows, as the footer says`, `row groups of ${rows} rows together`);
  }
  if (!leaves.has("path") && !leaves.has("raw")) {
    throw failure("parquet-not-a-record", WHOLE_SET, { columns: [...leaves.keys()].slice(0, 20) });
  }
  return {
    rows,
    writer: metadata.created_by,
    columnNames: [...leaves.keys()],
    groups,
  };
}

/** Columns at the top by name; those with columns inside them as they are. */
function topColumns(schema: readonly SchemaElement[]): ReadonlyMap<string, SchemaElement> {
  const columns = new Map<string, SchemaElement>();
  let inner = 0;
  for (const element of schema.slice(1)) {
    if (inner === 0) columns.set(element.name, element);
    else inner -= 1;
    inner += element.num_children ?? 0;
  }
  return columns;
}

function columnChunk(
  chunk: ColumnMetaData | undefined,
  otherFile: string | undefined,
  leaves: ReadonlyMap<string, SchemaElement>,
  fileSize: number,
): ColumnChunk | undefined {
  if (chunk === undefined) throw unsupportedRecord("columns that are not encrypted", "encrypted ones");
  const name = RECORD_COLUMNS.find((column) => column === chunk.path_in_schema[0]);
  const element = name === undefined ? undefined : leaves.get(name);
  if (name === undefined || element === undefined) return undefined;
  if (otherFile !== undefined) throw unsupportedRecord("columns in the file itself", `“${name}” in ${otherFile}`);
  if (chunk.path_in_schema.length > 1 || element.repetition_type === "REPEATED") {
    throw unsupportedRecord(`a value a row in the column “${name}”`, "a nested column");
  }
  const dictionary = Number(chunk.dictionary_page_offset ?? 0);
  const data = Number(chunk.data_page_offset);
  // Some writers leave 0 where there is no dictionary.
  const from = dictionary > 0 ? Math.min(dictionary, data) : data;
  const to = from + Number(chunk.total_compressed_size);
  if (!(from >= 4 && to >= from && to <= fileSize - 8)) {
    const found = Number.isSafeInteger(from) && Number.isSafeInteger(to) ? `bytes ${from} to ${to}` : "no place for it";
    throw recordFault(`the column “${name}” inside the file of ${fileSize} bytes`, found);
  }
  return {
    name,
    type: chunk.type,
    isUnsigned: isUnsigned(element),
    isOptional: element.repetition_type !== "REQUIRED",
    compression: chunk.codec,
    from,
    to,
  };
}

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return (converted ?? "").startsWith("UINT_") || (logical?.type === "INTEGER" && !logical.isSigned);
}

function rowCount(value: bigint): number {
  if (value >= 0n && value <= BigInt(MAX_RECORD_ROWS)) return Number(value);
  throw recordTooLarge("rows", MAX_RECORD_ROWS, value);
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true) === MAGIC;
}
