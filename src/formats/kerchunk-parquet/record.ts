/**
 * One record of a Kerchunk Parquet set (`refs.N.parq`): the columns path, offset, size and raw as plain columns. hyparquet
 * reads the footer and the page headers; the values are decoded here, since its own arrays of strings and big integers
 * cost more than all the rest.
 */
import type { Place } from "../../core/findings/place.ts";
import { readByteValues, type ByteValues } from "./byte-values.ts";
import { readColumnPages, type Decompressors, type PageSink } from "./column-pages.ts";
import { isDictionaryEncoded, readIndices, rowsPresent, spread } from "./dictionary-indices.ts";
import { readFooter, type ColumnChunk, type RecordFooter } from "./footer.ts";
import { numberSink } from "./number-column.ts";
import { faultAt, recordTooLarge, unsupportedRecord } from "./record-fault.ts";
import { urlList, type UrlList } from "./url-list.ts";

export interface RecordColumns {
  readonly footer: RecordFooter;
  readonly rows: number;
  /** Distinct, in the order met. */
  readonly urls: readonly string[];
  /** For each row the number of its URL in `urls`, from 1; 0 = null. */
  readonly path: Uint32Array;
  /** Bytes; NaN = null. Absent where the file has no such column. Numbers are as written, negative or not whole too. */
  readonly offset: Float64Array | undefined;
  readonly size: Float64Array | undefined;
  /** Inline values, by rising row. */
  readonly raw: readonly RawValues[];
}

export interface RawValues extends ByteValues {
  /** Row of each value. */
  readonly rows: Uint32Array;
}

/** Bytes of inline values of one record, together: those of a dictionary count once for each use. */
const MAX_RAW_BYTES = 512 * 1024 * 1024;
/** All pages of one record, decompressed. */
const MAX_PAGES_BYTES = 4 * 1024 ** 3;

/**
 * Reads a whole record. `place` is for errors. Throws RefscopeError `parquet-record-broken`, `parquet-record-unsupported`,
 * `parquet-record-too-large` or `parquet-not-a-record`, and the signal's reason.
 */
export async function readRecord(
  file: Uint8Array<ArrayBuffer>,
  place: Place,
  decompressors: Decompressors,
  signal: AbortSignal,
): Promise<RecordColumns> {
  try {
    return await readColumns(file, readFooter(file), decompressors, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw faultAt(cause, place);
  }
}

/** What the footer of a record says; throws as `readRecord`. */
export function describeRecord(file: Uint8Array<ArrayBuffer>, place: Place): RecordFooter {
  try {
    return readFooter(file);
  } catch (cause) {
    throw faultAt(cause, place);
  }
}

async function readColumns(
  file: Uint8Array<ArrayBuffer>,
  footer: RecordFooter,
  decompressors: Decompressors,
  signal: AbortSignal,
): Promise<RecordColumns> {
  const urls = urlList();
  const path = new Uint32Array(footer.rows);
  const numbers = new Map<string, Float64Array>();
  for (const name of ["offset", "size"]) {
    if (footer.columnNames.includes(name)) numbers.set(name, new Float64Array(footer.rows));
  }
  const raw: RawList = { parts: [], bytes: 0 };
  const reading = { file, decompressors, budget: { left: MAX_PAGES_BYTES, limit: MAX_PAGES_BYTES } };
  let at = 0;
  for (const group of footer.groups) {
    for (const chunk of group.columns.values()) {
      signal.throwIfAborted();
      const column = numbers.get(chunk.name);
      const sink = column === undefined ? bytesSink(chunk, at, { urls, path, raw }) : numberSink(chunk, column, at);
      await readColumnPages(reading, chunk, group.rows, sink);
    }
    at += group.rows;
  }
  const [offset, size] = [numbers.get("offset"), numbers.get("size")];
  return { footer, rows: footer.rows, urls: urls.urls, path, offset, size, raw: raw.parts };
}

interface Texts {
  readonly urls: UrlList;
  readonly path: Uint32Array;
  readonly raw: RawList;
}

interface RawList {
  readonly parts: RawValues[];
  /** All values together. */
  bytes: number;
}

function bytesSink(chunk: ColumnChunk, at: number, texts: Texts): PageSink {
  if (chunk.type !== "BYTE_ARRAY") return nullsSink(chunk);
  return chunk.name === "path" ? pathSink(at, texts) : rawSink(at, texts.raw);
}

/** A column that Arrow types as null has any physical type and no values. */
function nullsSink(chunk: ColumnChunk): PageSink {
  return {
    dictionary: () => undefined,
    data({ values }) {
      if (values > 0) throw unsupportedRecord(`text or bytes in the column “${chunk.name}”`, chunk.type);
    },
  };
}

function pathSink(at: number, { urls, path }: Texts): PageSink {
  let dictionary: Uint32Array | undefined;
  let row = at;
  const listed = ({ bytes, starts, ends }: ByteValues, out: Uint32Array, to: number): void => {
    for (let index = 0; index < starts.length; index += 1) {
      out[to + index] = urls.add(bytes, starts[index] as number, ends[index] as number);
    }
  };
  return {
    dictionary(body, values) {
      dictionary = new Uint32Array(values);
      listed(readByteValues(body, "PLAIN", values), dictionary, 0);
    },
    data(page) {
      if (isDictionaryEncoded(page)) {
        const indices = readIndices(page, dictionary?.length);
        for (let index = 0; index < page.values; index += 1) {
          path[row + index] = dictionary?.[indices[index] as number] as number;
        }
      } else {
        listed(readByteValues(page.body, page.encoding, page.values), path, row);
      }
      spread(path, row, page, 0);
      row += page.rows;
    },
  };
}

function rawSink(at: number, raw: RawList): PageSink {
  let dictionary: ByteValues | undefined;
  let row = at;
  return {
    dictionary(body, values) {
      dictionary = readByteValues(body, "PLAIN", values);
    },
    data(page) {
      const values = isDictionaryEncoded(page)
        ? named(dictionary, readIndices(page, dictionary?.starts.length))
        : readByteValues(page.body, page.encoding, page.values);
      for (let index = 0; index < page.values; index += 1) {
        raw.bytes += (values.ends[index] as number) - (values.starts[index] as number);
      }
      if (raw.bytes > MAX_RAW_BYTES) throw recordTooLarge("inline", MAX_RAW_BYTES);
      if (page.values > 0) raw.parts.push({ ...values, rows: rowsPresent(page, row) });
      row += page.rows;
    },
  };
}

function named(dictionary: ByteValues | undefined, indices: Uint32Array): ByteValues {
  const { bytes, starts, ends } = dictionary ?? readByteValues(new Uint8Array(0), "PLAIN", 0);
  return {
    bytes,
    starts: indices.map((index) => starts[index] as number),
    ends: indices.map((index) => ends[index] as number),
  };
}
