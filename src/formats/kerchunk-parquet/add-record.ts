/** From the columns of a record to rows of the reference table, as fsspec's reader understands each row. */
import type { PageSink } from "../../core/reference-pages.ts";
import { inlineText } from "./inline-text.ts";
import type { RawValues, RecordColumns } from "./record.ts";
import { finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";

/** What was odd about the rows: how many, and the first of them. */
export interface RecordTally {
  readonly both: RowTally;
  readonly pastGrid: RowTally;
  readonly bad: RowTally;
}

export interface RowTally {
  count: number;
  first: number;
}

export interface RecordExtent {
  /** Rows that are chunks of the grid. */
  readonly cells: number;
  readonly recordSize: number;
  /** Ordinal of row 0. */
  readonly first: number;
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
export function addRecord(
  record: RecordColumns,
  targets: readonly number[],
  { cells, first }: RecordExtent,
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
function isNothing(value: number): boolean {
  return value === 0 || Number.isNaN(value);
}

function isBytes(value: number): boolean {
  return value >= 0 && Number.isSafeInteger(value);
}

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

function noRows(): RowTally {
  return { count: 0, first: -1 };
}

function note(tally: RowTally, row: number): void {
  if (tally.count === 0 || row < tally.first) tally.first = row;
  tally.count += 1;
}
