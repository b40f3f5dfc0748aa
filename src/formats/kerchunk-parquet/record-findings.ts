/** What is odd about a record, as findings. */
import type { Finding } from "../../core/finding.ts";
import type { RecordTally } from "./add-record.ts";

export interface RecordFacts {
  readonly array: string;
  readonly key: string;
  /** Ordinal of the first row. */
  readonly first: number;
  /** Chunks of the grid that the record is for. */
  readonly cells: number;
  /** Rows that it has. */
  readonly rows: number;
  readonly recordSize: number;
}

export function recordMissing(array: string, key: string, cells: number): Finding {
  return {
    code: "parquet-record-missing",
    severity: "warning",
    array,
    key,
    message:
      `There is no ${key}, so the array's ${chunks(cells)} of this record have no reference. fsspec says the same of ` +
      "each of them (FileNotFoundError), and zarr-python then reads the fill value without a word.",
    advice: "Where the chunks should exist, write the record again or upload the file that was left behind.",
  };
}

export function recordFindings(tally: RecordTally, facts: RecordFacts): readonly Finding[] {
  return [shortFinding(facts), pastFinding(tally, facts), bothFinding(tally, facts), badFinding(tally, facts)].filter(
    (finding) => finding !== undefined,
  );
}

function shortFinding({ array, key, cells, rows }: RecordFacts): Finding | undefined {
  if (rows >= cells) return undefined;
  return {
    code: "parquet-record-short",
    severity: "warning",
    array,
    key,
    message:
      `${key} has ${count(rows, "row")}, but ${chunks(cells)} of the grid belong to it, so the last ` +
      `${count(cells - rows, "chunk")} have no reference. fsspec fails with IndexError where one of them is asked for.`,
    advice: "Write the record again, with a row of nulls for each chunk that does not exist.",
  };
}

function pastFinding({ pastGrid }: RecordTally, facts: RecordFacts): Finding | undefined {
  if (pastGrid.count === 0) return undefined;
  const isGrid = facts.cells < facts.recordSize;
  const end = isGrid
    ? `the grid ends after ${chunks(facts.cells)} of this record`
    : `a record holds ${count(facts.recordSize, "reference")}`;
  return {
    code: "parquet-rows-past-grid",
    severity: "warning",
    array: facts.array,
    key: facts.key,
    message:
      `${facts.key} has ${count(pastGrid.count, "reference")} that no chunk can have, the first in row ` +
      `${pastGrid.first}: ${end}. They are left out, as fsspec never asks for them.`,
    advice:
      "See whether the array's shape and chunks, and the record_size in .zmetadata, are those that were written with.",
  };
}

function bothFinding({ both }: RecordTally, { array, key, first }: RecordFacts): Finding | undefined {
  if (both.count === 0) return undefined;
  return {
    code: "parquet-raw-and-path",
    severity: "warning",
    array,
    key,
    message:
      `${count(both.count, "row")} of ${key} have both inline bytes (raw) and a path, the first in row ${both.first} ` +
      `(chunk ${first + both.first}). The inline bytes count, as for fsspec.`,
    advice: "Write null into the column that is not meant.",
  };
}

function badFinding({ bad }: RecordTally, { array, key, first }: RecordFacts): Finding | undefined {
  if (bad.count === 0) return undefined;
  return {
    code: "parquet-bad-range",
    severity: "error",
    array,
    key,
    message:
      `${count(bad.count, "row")} of ${key} have an offset or a size that is null, negative, not whole or beyond 2^53, ` +
      `the first in row ${bad.first} (chunk ${first + bad.first}).`,
    advice: "Write both as whole numbers of bytes, or both as 0 for a whole file.",
  };
}

function chunks(value: number): string {
  return count(value, "chunk");
}

function count(value: number, what: string): string {
  return `${value.toLocaleString("en")} ${what}${value === 1 ? "" : "s"}`;
}
