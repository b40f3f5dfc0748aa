/** Kerchunk Parquet: the set's `.zmetadata`, and its records of references (`refs.N.parq`). */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, listed, quoted } from "../../../words.ts";

const DAMAGED = "fsspec reads it with pandas, which raises on most damage when one of its chunks is asked for.";
const ASK_AGAIN = "The file is damaged or was cut off: fetch it again, or have it written again.";
const NEVER_ASKED = "fsspec never asks for these rows.";

/** Short noun phrases: the format has more rules than could be named one by one. */
type Unread = { readonly expected: string; readonly found: string };
/** `cause`: what the codec said of a page. */
type Broken = Unread & { readonly cause: Finding | undefined };

const explainUnread = ({ expected, found }: Unread): string =>
  `The record cannot be read: expected ${expected}, but found ${found}.`;

/** What is limited, and in which unit. */
const LIMITED = {
  rows: { words: "The record has", unit: "row" },
  footer: { words: "The record's footer has", unit: "byte" },
  page: { words: "A page of the record has", unit: "byte" },
  pages: { words: "The record's pages together have", unit: "byte" },
  text: { words: "The text expanded from shared prefixes has", unit: "byte" },
  inline: { words: "The record's inline values together have", unit: "byte" },
} as const;

/** `found`: absent where nothing beyond the limit was counted. */
type TooLarge = {
  readonly what: keyof typeof LIMITED;
  readonly limit: number;
  readonly found: number | bigint | undefined;
};

/** `row` and `chunk`: the first of them, and its chunk by ordinal. */
type OddRows = { readonly rows: number; readonly row: number; readonly chunk: number };

const { error, warning, note } = about("references");
const ofDocument = about("document");

export const PARQUET = {
  "parquet-metadata-broken": ofDocument.error<{ readonly member: "metadata" | undefined; readonly found: string }>({
    title: "The .zmetadata does not describe a set",
    explain: ({ member, found }) =>
      `The .zmetadata of a Kerchunk Parquet set must be an object with an object “metadata” in it; ${member === undefined ? "it" : `“${member}”`} is ${found}.`,
    remedy: "Give the .zmetadata that the writer of the references made.",
    readers: "fsspec cannot open the set either.",
  }),
  "parquet-record-size-missing": ofDocument.error({
    title: "record_size is missing",
    explain: "The .zmetadata has no “record_size”, so it is unknown which references a record holds.",
    remedy: "Add “record_size” beside “metadata”: the number of rows of refs.0.parq of an array with several records.",
    readers: "fsspec refuses the whole set with KeyError: 'record_size'.",
  }),
  "parquet-record-size-invalid": ofDocument.error<{ readonly found: string }>({
    title: "Invalid record_size",
    explain: ({ found }) =>
      `The “record_size” in .zmetadata must be a whole number of references from 1 on; it is ${found}.`,
    remedy: "Write the number of rows of refs.0.parq of an array with several records.",
    readers: "fsspec divides by it whenever a chunk is asked for: it raises, or looks for the wrong record.",
  }),
  "parquet-record-broken": error<Broken>({
    title: "A record is damaged",
    explain: explainUnread,
    remedy: ASK_AGAIN,
    readers: DAMAGED,
  }),
  "parquet-record-unsupported": error<Unread>({
    title: "Unsupported Parquet encoding",
    explain: explainUnread,
    remedy: "Write the record again with zstd, snappy or gzip compression and flat columns, as fsspec does.",
    readers: "fsspec reads whatever the Parquet library installed beside it reads, which may include this record.",
  }),
  "parquet-record-too-large": error<TooLarge>({
    title: "A record is too large to be read",
    explain: ({ what, limit, found }) => {
      const { words, unit } = LIMITED[what];
      return `${words} ${found === undefined ? `more than ${counted(limit, unit)}` : counted(found, unit)}; at most ${count(limit)} are read.`;
    },
    remedy: "Write the set with a smaller record_size; 10,000 to 1,000,000 is usual.",
    readers: "fsspec reads records of any size that fits in memory.",
  }),
  "parquet-not-a-record": error<{ readonly columns: readonly string[] }>({
    title: "Not a Kerchunk Parquet record",
    explain: ({ columns }) =>
      `A record has the columns path, offset, size and raw, or path or raw at least; ${columns.length === 0 ? "this file has no columns" : `this file has ${listed(columns.map((name) => quoted(name, 60)))}`}.`,
    remedy: "Give the records that were written with the set's .zmetadata.",
    readers: "fsspec raises when one of the record's chunks is asked for.",
  }),
  "parquet-record-denied": error<{ readonly status: number | undefined }>({
    title: "Cannot tell whether a record exists",
    explain: ({ status }) =>
      `The server should answer with the record, or with status 404 where there is none; ${status === undefined ? "it refused" : `it answered status ${status}`}.`,
    remedy:
      "Servers that forbid listing also answer this way for records that do not exist: if so, its chunks are missing.",
    readers: "fsspec takes some of these answers for absence: zarr-python then silently reads the fill value.",
    action: "locations",
  }),
  "parquet-record-missing": warning<{ readonly chunks: number }>({
    title: "A record is missing",
    explain: ({ chunks }) =>
      `There is no such record, so the array's ${counted(chunks, "chunk")} in it have no reference.`,
    remedy: "Where the chunks should exist, write the record again or upload the file that was left behind.",
    readers: "fsspec raises FileNotFoundError for each of them, and zarr-python then silently reads the fill value.",
  }),
  "parquet-record-short": warning<{ readonly rows: number; readonly chunks: number }>({
    title: "A record has too few rows",
    explain: ({ rows, chunks }) =>
      `The record has ${counted(rows, "row")}, but ${counted(chunks, "chunk")} of the grid belong to it, so the last ${counted(chunks - rows, "chunk")} have no reference.`,
    remedy: "Write the record again, with a row of nulls for each chunk that does not exist.",
    readers: "fsspec raises IndexError where one of these chunks is asked for, and for any listing of keys.",
  }),
  "parquet-rows-past-grid": warning<{
    readonly rows: number;
    /** The first of them. */
    readonly row: number;
    readonly end: "grid" | "record-size";
    /** Rows that the grid, or the record size, leaves to this record. */
    readonly chunks: number;
  }>({
    title: "Record has references outside the grid",
    explain: ({ rows, row, end, chunks }) =>
      `${counted(rows, "reference")} of the record cannot belong to any chunk, the first in row ${count(row)}: ${end === "grid" ? `the grid ends after ${counted(chunks, "chunk")} of this record` : `a record holds ${counted(chunks, "reference")}`}. They are left out.`,
    remedy:
      "Check that the array's shape and chunks, and the record_size in .zmetadata, match those that the references were written with.",
    readers: NEVER_ASKED,
  }),
  "parquet-raw-and-path": warning<OddRows>({
    title: "Rows with both inline bytes and a path",
    explain: ({ rows, row, chunk }) =>
      `${counted(rows, "row")} of the record ${rows === 1 ? "has" : "have"} both inline bytes (raw) and a path, the first in row ${count(row)} (chunk ${count(chunk)}). The inline bytes count.`,
    remedy: "Write null into the column that is not meant.",
    readers: "fsspec uses the inline bytes as well.",
  }),
  "parquet-bad-range": error<OddRows>({
    title: "Rows with an offset or size that is not a number of bytes",
    explain: ({ rows, row, chunk }) =>
      `${counted(rows, "row")} of the record ${rows === 1 ? "has" : "have"} an offset or a size that is null, negative, not whole or beyond 2^53, the first in row ${count(row)} (chunk ${count(chunk)}).`,
    remedy: "Write both as whole numbers of bytes, or both as 0 for a whole file.",
    readers: "fsspec hands such numbers to its file system, which raises or gives other bytes.",
  }),
  "parquet-path-base": note({
    title: "Relative URLs are taken from the folder that holds the set",
    explain: "Relative URLs of the records are taken from the folder that holds the set, where this one was found.",
    readers: "fsspec takes them from the folder where Python runs: elsewhere it does not find the files.",
    about: "source",
  }),
  "record-alone": ofDocument.warning<{ readonly rows: number; readonly writer: string | undefined }>({
    title: "One record of a set, opened alone",
    explain: ({ rows, writer }) =>
      `This is one record of a Kerchunk Parquet set with ${counted(rows, "row")}${writer === undefined ? "" : `, written by ${quoted(writer, 120)}`}. Only .zmetadata and the record's place in the set say which array and which chunks they are for: rows are numbered from 0 here.`,
    remedy: "Open the set's folder or its .zmetadata.",
    readers: "No other reader opens a record without its set.",
  }),
};
