/** Kerchunk Parquet: the dataset's `.zmetadata`, and its records of references (`refs.N.parq`). */
import { about } from "../entry.ts";
import type { Finding } from "#core/findings/fact.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

const DAMAGED = "fsspec reads it with pandas, which raises on most damage when one of its chunks is requested.";
const ASK_AGAIN = "Fetch or rewrite the file: it is damaged or truncated.";
const NEVER_ASKED = "fsspec never requests these rows.";

/** Short noun phrases: the format has more rules than could be named one by one. */
type Unread = { readonly expected: string; readonly found: string };
/** `cause`: what the codec said of a page. */
type Broken = Unread & { readonly cause: Finding | undefined };

const explainUnread = ({ expected, found }: Unread): string =>
  `The record cannot be read: expected ${expected}; found ${found}.`;

/** Limits of a record, with their units. */
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

/** `by`: the writer of the records, what is there, or `nothing`: it is in none of them. */
type RelativeBase = {
  readonly folder: "beside" | "inside" | "record";
  readonly by: "writer" | "found" | "nothing";
  readonly others: readonly RelativeBase["folder"][];
};

const FOLDER_WORDS: Readonly<Record<RelativeBase["folder"], string>> = {
  beside: "the folder that holds the dataset",
  inside: "the dataset's own folder",
  record: "the folder of each record",
};
const BASE_REASONS: Readonly<Record<RelativeBase["by"], string>> = {
  writer: "GDAL wrote the records, and resolves them so",
  found: "the first one is there",
  nothing: "as those of a JSON document, since the first one is neither there nor inside the dataset",
};

const { error, warning, graded } = about("references");
const document = about("document");

export const PARQUET = {
  "parquet-metadata-broken": document.error<{ member: "metadata" | undefined; found: string }>("Invalid .zmetadata", {
    explain: ({ member, found }) =>
      `Expected .zmetadata to be an object with an object “metadata” in it; found ${found}${member === undefined ? "" : ` as “${member}”`}.`,
    remedy: "Restore the .zmetadata that was written with the references.",
    readers: "fsspec cannot open the dataset either.",
  }),
  "parquet-record-size-missing": document.error("record_size is missing", {
    explain: "The .zmetadata has no “record_size”, so it is not known which references a record holds.",
    remedy: "Add “record_size” next to “metadata”: the number of rows in refs.0.parq of an array with several records.",
    readers: "fsspec rejects the whole dataset with KeyError: 'record_size'.",
  }),
  "parquet-record-size-invalid": document.error<{ found: string }>("Invalid record_size", {
    explain: ({ found }) => `Expected “record_size” in .zmetadata to be an integer of at least 1; found ${found}.`,
    remedy: "Write the number of rows in refs.0.parq of an array with several records.",
    readers: "fsspec divides by it for every requested chunk: it raises, or looks for the wrong record.",
  }),
  "parquet-record-broken": error<Broken>("Damaged record", {
    explain: explainUnread,
    remedy: ASK_AGAIN,
    readers: DAMAGED,
  }),
  "parquet-record-unsupported": error<Unread>("Unsupported Parquet encoding", {
    explain: explainUnread,
    remedy: "Rewrite the record with zstd, snappy or gzip compression and flat columns, as fsspec does.",
    readers: "fsspec reads whatever its Parquet library reads, which may include this record.",
  }),
  "parquet-record-too-large": error<TooLarge>("Record too large to read", {
    explain: ({ what, limit, found }) => {
      const { words, unit } = LIMITED[what];
      return `${words} ${found === undefined ? `more than ${counted(limit, unit)}` : counted(found, unit)}; Refscope reads at most ${count(limit)}.`;
    },
    remedy: "Rewrite the dataset with a smaller record_size; 10,000 to 1,000,000 is usual.",
    readers: "fsspec reads records of any size that fits in memory.",
  }),
  "parquet-not-a-record": error<{ columns: readonly string[] }>("Not a Kerchunk Parquet record", {
    explain: ({ columns }) =>
      `Expected the columns path, offset, size and raw, or at least path or raw; ${columns.length === 0 ? "found no columns" : `found ${listed(columns.map((name) => quoted(name, 60)))}`}.`,
    remedy: "Restore the records that were written with the dataset's .zmetadata.",
    readers: "fsspec raises when one of the record's chunks is requested.",
  }),
  "parquet-record-denied": error<{ status: number | undefined }>("Cannot tell whether a record exists", {
    explain: ({ status }) =>
      `Expected the record, or status 404 if there is none; the server ${status === undefined ? "refused" : `returned ${status}`}.`,
    remedy:
      "Check whether the record exists. Servers that forbid listing also respond this way for missing records; if so, its chunks are missing.",
    readers: "fsspec treats some of these responses as absence; zarr-python then silently returns the fill value.",
    action: "locations",
  }),
  "parquet-record-missing": warning<{ chunks: number }>("Record not found", {
    explain: ({ chunks }) =>
      `The record does not exist, so ${counted(chunks, "chunk")} of the array ${chunks === 1 ? "has" : "have"} no reference.`,
    remedy: "If the chunks should exist, rewrite the record or upload the missing file.",
    readers: "fsspec raises FileNotFoundError for each of them; zarr-python then silently returns the fill value.",
  }),
  "parquet-record-short": warning<{ rows: number; chunks: number }>("Too few rows in a record", {
    explain: ({ rows, chunks }) =>
      `The record has ${counted(rows, "row")} for ${counted(chunks, "chunk")} of the grid, so the last ${counted(chunks - rows, "chunk")} ${chunks - rows === 1 ? "has" : "have"} no reference.`,
    remedy: "Rewrite the record, with a row of nulls for each chunk that does not exist.",
    readers: "fsspec raises IndexError for these chunks, and for any listing of keys.",
  }),
  "parquet-rows-past-grid": warning<{
    rows: number;
    /** The first of them. */
    row: number;
    end: "grid" | "record-size";
    /** Rows that the grid, or the record size, leaves to this record. */
    chunks: number;
  }>("Record has references outside the grid", {
    explain: ({ rows, row, end, chunks }) =>
      `${counted(rows, "reference")} of the record cannot belong to any chunk, the first in row ${count(row)}: ${end === "grid" ? `the grid ends after ${counted(chunks, "chunk")} of this record` : `a record holds ${counted(chunks, "reference")}`}. Refscope leaves them out.`,
    remedy:
      "Check that the array's shape and chunks, and record_size in .zmetadata, are those the references were written with.",
    readers: NEVER_ASKED,
  }),
  "parquet-raw-and-path": warning<OddRows>("Rows with both inline bytes and a path", {
    explain: ({ rows, row, chunk }) =>
      `${counted(rows, "row")} of the record ${rows === 1 ? "has" : "have"} both inline bytes (raw) and a path, the first in row ${count(row)} (chunk ${count(chunk)}). Refscope uses the inline bytes.`,
    remedy: "Write null into the wrong column.",
    readers: "fsspec also uses the inline bytes.",
  }),
  "parquet-bad-range": error<OddRows>("Invalid offset or size in a record", {
    explain: ({ rows, row, chunk }) =>
      `${counted(rows, "row")} of the record ${rows === 1 ? "has" : "have"} an offset or a size that is null, negative, not whole or beyond 2^53, the first in row ${count(row)} (chunk ${count(chunk)}).`,
    remedy: "Write both as integers, or both as 0 for a whole file.",
    readers: "fsspec passes such numbers to its file system, which raises or returns the wrong bytes.",
  }),
  "parquet-path-base": graded<RelativeBase>("Base folder of relative URLs", {
    severity: ({ others }) => (others.length > 0 ? "warning" : "info"),
    explain: ({ folder, by, others }) =>
      `Kerchunk Parquet does not say which folder relative URLs are relative to. Refscope resolves them from ${FOLDER_WORDS[folder]}: ${BASE_REASONS[by]}.${others.length === 0 ? "" : ` A file of that name is in ${listed(others.map((one) => FOLDER_WORDS[one]))}, too.`}`,
    remedy: ({ others }) => (others.length === 0 ? undefined : "Write absolute URLs, or remove the other file."),
    readers:
      "fsspec resolves them from the folder where Python runs, and does not find the files elsewhere. GDAL resolves them from the folder of the record.",
    about: "source",
  }),
  "record-alone": document.warning<{ rows: number; writer: string | undefined }>(
    "Single record opened without its dataset",
    {
      explain: ({ rows, writer }) =>
        `This is one record of a Kerchunk Parquet dataset, with ${counted(rows, "row")}${writer === undefined ? "" : `, written by ${quoted(writer, 120)}`}. Only .zmetadata and the record's place in the dataset say which array and chunks they belong to. Refscope numbers the rows from 0.`,
      remedy: "Open the dataset's folder or its .zmetadata.",
      readers: "No other reader opens a record without its dataset.",
    },
  ),
};
