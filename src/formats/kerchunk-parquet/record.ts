/**
 * One record of a Kerchunk Parquet set (`refs.N.parq`): the columns path, offset, size and raw as plain columns. hyparquet
 * reads the footer and the page headers; the values are decoded here, since its own arrays of strings and big integers
 * cost more than all the rest.
 */
import { orThrow } from "#core/basics.ts";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { bytePoolWriter } from "#core/byte-pool.ts";
import type { Place } from "#core/findings/fact.ts";
import { readBits, readHybrid, readVarint } from "./bit-packing.ts";
import { type DataPage, type Decompressors, type PageSink, readColumnPages } from "./column-pages.ts";
import { type ColumnChunk, readFooter, type RecordFooter } from "./footer.ts";
import { faultAt, recordFault, recordTooLarge, unsupportedRecord } from "./record-fault.ts";

// Integers as differences (parquet-format, Encodings.md: DELTA_BINARY_PACKED).

const MAX_BLOCK = 65_536;

/** `count` numbers into `out` from its start; the position after the last block. Throws `parquet-record-broken`. */
export function readDeltas(bytes: Uint8Array, from: number, out: Float64Array | Uint32Array, count: number): number {
  const [blockSize, afterSize] = readVarint(bytes, from);
  const [parts, afterParts] = readVarint(bytes, afterSize);
  const [total, afterTotal] = readVarint(bytes, afterParts);
  const isSound = blockSize > 0 && blockSize <= MAX_BLOCK && parts > 0 && blockSize % (parts * 8) === 0;
  if (!isSound) throw recordFault("blocks of 128 to 65,536 differences", `${blockSize} in ${parts} parts`);
  if (total !== count) throw recordFault(`${count} numbers`, `${total}, as the encoding says`);
  let [value, at] = readZigzag(bytes, afterTotal);
  if (count > 0) out[0] = value;
  const each = blockSize / parts;
  for (let done = 1; done < count;) {
    const [least, widths] = readZigzag(bytes, at);
    at = widths + parts;
    for (let part = 0; part < parts && done < count; part += 1) {
      const width = bytes[widths + part] ?? 0;
      if (width > 53) throw unsupportedRecord("differences of at most 53 bits", `${width} bits`);
      if (at + Math.ceil((Math.min(each, count - done) * width) / 8) > bytes.length) {
        throw recordFault("whole blocks of differences", `the end of the page at byte ${bytes.length}`);
      }
      for (let index = 0; index < each && done < count; index += 1, done += 1) {
        value += least + readBits(bytes, at, index * width, width);
        out[done] = value;
      }
      at += (each * width) / 8;
    }
  }
  return Math.min(at, bytes.length);
}

function readZigzag(bytes: Uint8Array, from: number): [number, number] {
  const [value, next] = readVarint(bytes, from);
  return [value % 2 === 0 ? value / 2 : -(value + 1) / 2, next];
}

// Byte strings of a page (Parquet's BYTE_ARRAY): where each begins and ends, nothing copied.

interface ByteValues {
  readonly bytes: Uint8Array;
  /** Positions in `bytes`, as long as there are values. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Values that DELTA_BYTE_ARRAY spells out from common beginnings. */
const MAX_SPELT_BYTES = 512 * 1024 * 1024;

/** `encoding`: any but those of a dictionary. Throws as `record-fault.ts` says. */
export function readByteValues(body: Uint8Array, encoding: string, count: number): ByteValues {
  if (encoding === "PLAIN") return byteValuesReadPlain(body, count);
  if (encoding === "DELTA_LENGTH_BYTE_ARRAY") return readLengths(body, 0, count);
  if (encoding === "DELTA_BYTE_ARRAY") return readPrefixes(body, count);
  throw unsupportedRecord("byte strings as PLAIN, RLE_DICTIONARY or DELTA_…", encoding);
}

/** A length of four bytes before each. */
function byteValuesReadPlain(bytes: Uint8Array, count: number): ByteValues {
  if (count * 4 > bytes.length) throw recordFault(`${count} byte strings`, `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const start = at + 4;
    const end = start > bytes.length ? start : start + view.getUint32(at, true);
    if (end > bytes.length) throw outside(bytes, index);
    starts[index] = start;
    ends[index] = end;
    at = end;
  }
  return { bytes, starts, ends };
}

/** All lengths first, then the bytes. */
function readLengths(bytes: Uint8Array, from: number, count: number): ByteValues {
  const lengths = new Float64Array(count);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let at = readDeltas(bytes, from, lengths, count);
  for (let index = 0; index < count; index += 1) {
    const length = lengths[index] as number;
    if (!(length >= 0 && at + length <= bytes.length)) throw outside(bytes, index);
    starts[index] = at;
    at += length;
    ends[index] = at;
  }
  return { bytes, starts, ends };
}

/** How much each shares with the one before, then the rest of each. */
function readPrefixes(bytes: Uint8Array, count: number): ByteValues {
  const shared = new Float64Array(count);
  const rest = readLengths(bytes, readDeltas(bytes, 0, shared, count), count);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let [total, before] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const prefix = shared[index] as number;
    if (!(prefix >= 0 && prefix <= before)) throw outside(bytes, index);
    before = prefix + (rest.ends[index] as number) - (rest.starts[index] as number);
    total += before;
    if (total > MAX_SPELT_BYTES) throw recordTooLarge("text", MAX_SPELT_BYTES);
  }
  const spelt = new Uint8Array(total);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const prefix = shared[index] as number;
    const from = starts[index - 1] ?? 0;
    starts[index] = at;
    spelt.copyWithin(at, from, from + prefix);
    spelt.set(bytes.subarray(rest.starts[index], rest.ends[index]), at + prefix);
    at += prefix + (rest.ends[index] as number) - (rest.starts[index] as number);
    ends[index] = at;
  }
  return { bytes: spelt, starts, ends };
}

function outside(bytes: Uint8Array, index: number): Error {
  return recordFault(`byte strings inside their page of ${bytes.length} bytes`, `value ${index} outside`);
}

// The distinct URLs of a record, found by their bytes so that each is decoded once.

type UrlList = ReturnType<typeof urlList>;

export function urlList() {
  const pool = bytePoolWriter();
  const decoder = new TextDecoder();
  const urls: string[] = [];
  let last = new Uint8Array();
  let lastNumber = 0;
  return {
    /** URL n + 1 at n. */
    urls,
    /** Number of the URL, from 1 on: 0 is for rows without one. */
    add(bytes: Uint8Array, from: number, to: number): number {
      // Neighbours mostly lie in the same file.
      if (lastNumber !== 0 && isEqual(last, bytes, from, to)) return lastNumber;
      last = bytes.slice(from, to);
      lastNumber = 1 + pool.intern(0, bytes, from, to - from);
      if (lastNumber > urls.length) urls.push(decoder.decode(last));
      return lastNumber;
    },
  };
}

function isEqual(last: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (last.length !== to - from) return false;
  // From the end: names of files differ there.
  for (let at = last.length - 1; at >= 0; at -= 1) if (last[at] !== bytes[from + at]) return false;
  return true;
}

// Values named by their number in a dictionary, and rows without a value.

function isDictionaryEncoded(page: DataPage): boolean {
  return page.encoding === "RLE_DICTIONARY" || page.encoding === "PLAIN_DICTIONARY";
}

/** A number below `size` for each value of the page. Throws `parquet-record-broken`. */
function readIndices(page: DataPage, size: number | undefined): Uint32Array {
  if (size === undefined) throw recordFault("a dictionary before the values that name its entries", "none");
  const indices = new Uint32Array(page.values);
  if (page.values === 0) return indices;
  const width = page.body[0];
  if (width === undefined || width > 32) throw recordFault("numbers of at most 32 bits", `${width} bits`);
  readHybrid(page.body, 1, width, indices, 0, page.values);
  for (const index of indices) {
    if (index >= size) throw recordFault(`numbers of a dictionary of ${size} values`, String(index));
  }
  return indices;
}

/** Moves the values from `at` on to the rows that have them; the other rows get `none`. */
function spread(column: Float64Array | Uint32Array, at: number, page: DataPage, none: number): void {
  const { present } = page;
  if (present === undefined) return;
  let value = page.values;
  for (let row = page.rows - 1; row >= 0; row -= 1) {
    if (present[row] === 0) column[at + row] = none;
    else column[at + row] = column[at + --value] as number;
  }
}

/** Rows of a page that have a value, counted from `at`. */
function rowsPresent(page: DataPage, at: number): Uint32Array {
  const rows = new Uint32Array(page.values);
  let value = 0;
  for (let row = 0; row < page.rows; row += 1) {
    if (page.present !== undefined && page.present[row] === 0) continue;
    rows[value] = at + row;
    value += 1;
  }
  return rows;
}

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

/** Reads the footer of a record; throws as `readRecord`. */
export const describeRecord = (file: Uint8Array<ArrayBuffer>, place: Place): RecordFooter =>
  orThrow(
    () => readFooter(file),
    (cause) => faultAt(cause, place),
  );

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

/**
 * Fills `column` from row `at` on; rows without a value get `none`. `made`: a column of a dictionary; `read` puts
 * values of a page into a column.
 */
function columnSink<Column extends Float64Array | Uint32Array>(
  column: Column,
  at: number,
  none: number,
  made: (values: number) => Column,
  read: (body: Uint8Array, encoding: string, count: number, out: Column, to: number) => void,
): PageSink {
  let dictionary: Column | undefined;
  let row = at;
  return {
    dictionary(body, values) {
      dictionary = made(values);
      read(body, "PLAIN", values, dictionary, 0);
    },
    data(page) {
      if (isDictionaryEncoded(page)) {
        const indices = readIndices(page, dictionary?.length);
        for (let index = 0; index < page.values; index += 1) {
          column[row + index] = dictionary?.[indices[index] as number] as number;
        }
      } else read(page.body, page.encoding, page.values, column, row);
      spread(column, row, page, none);
      row += page.rows;
    },
  };
}

function pathSink(at: number, { urls, path }: Texts): PageSink {
  const listed = (body: Uint8Array, encoding: string, count: number, out: Uint32Array, to: number): void => {
    const { bytes, starts, ends } = readByteValues(body, encoding, count);
    for (let index = 0; index < count; index += 1) {
      out[to + index] = urls.add(bytes, starts[index] as number, ends[index] as number);
    }
  };
  return columnSink(path, at, 0, (values) => new Uint32Array(values), listed);
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

// Offsets and sizes: a column of numbers as doubles, NaN where a row is null.

/** Integers beyond 2^53 become the nearest double, which is then no safe integer. */
function numberSink(chunk: ColumnChunk, column: Float64Array, at: number): PageSink {
  const width = WIDTHS.get(chunk.type);
  if (width === undefined) throw unsupportedRecord(`integers in the column “${chunk.name}”`, chunk.type);
  const read = (body: Uint8Array, encoding: string, count: number, out: Float64Array, to: number): void => {
    if (encoding === "DELTA_BINARY_PACKED" && chunk.type.startsWith("INT")) {
      readDeltas(body, 0, out.subarray(to, to + count), count);
    } else {
      readPlain(
        chunk,
        width,
        encoding === "PLAIN" ? body : unsplit(chunk, width, encoding, body, count),
        out,
        to,
        count,
      );
    }
  };
  return columnSink(column, at, Number.NaN, (values) => new Float64Array(values), read);
}

const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["INT32", 4],
  ["INT64", 8],
  ["FLOAT", 4],
  ["DOUBLE", 8],
]);

function readPlain(
  chunk: ColumnChunk,
  width: number,
  bytes: Uint8Array,
  column: Float64Array,
  at: number,
  count: number,
): void {
  if (count * width > bytes.length) {
    throw recordFault(`${count} numbers of ${width} bytes in “${chunk.name}”`, `${bytes.length} bytes`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (chunk.type === "INT64") return readInt64(view, chunk.isUnsigned, column, at, count);
  const read = reader(chunk, view);
  for (let index = 0; index < count; index += 1) column[at + index] = read(index * width);
}

function readInt64(view: DataView, isUnsigned: boolean, column: Float64Array, at: number, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const high = isUnsigned ? view.getUint32(index * 8 + 4, true) : view.getInt32(index * 8 + 4, true);
    column[at + index] = high * 2 ** 32 + view.getUint32(index * 8, true);
  }
}

function reader(chunk: ColumnChunk, view: DataView): (at: number) => number {
  if (chunk.type === "FLOAT") return (at) => view.getFloat32(at, true);
  if (chunk.type === "DOUBLE") return (at) => view.getFloat64(at, true);
  return chunk.isUnsigned ? (at) => view.getUint32(at, true) : (at) => view.getInt32(at, true);
}

/** The bytes of numbers whose first bytes stand together, then their second ones, and so on. */
function unsplit(chunk: ColumnChunk, width: number, encoding: string, body: Uint8Array, values: number): Uint8Array {
  if (encoding !== "BYTE_STREAM_SPLIT") {
    throw unsupportedRecord(`numbers as PLAIN, RLE_DICTIONARY or DELTA_BINARY_PACKED in “${chunk.name}”`, encoding);
  }
  if (values * width > body.length) throw recordFault(`${values} numbers`, `${body.length} bytes`);
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.length), offset: 0 };
  const split = byteStreamSplit(reader, values, chunk.type as "INT64", undefined) as BigInt64Array;
  return new Uint8Array(split.buffer, split.byteOffset, split.byteLength);
}
