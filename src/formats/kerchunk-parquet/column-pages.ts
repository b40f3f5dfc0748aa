/** A column chunk page by page: decompressed, nulls separated from values; the values still encoded. */
import type { PageHeader } from "hyparquet/src/types.js";
import { parquetHeader } from "hyparquet/src/column.js";
import { readHybrid } from "./bit-packing.ts";
import type { ColumnChunk } from "./footer.ts";
import { recordFault, recordTooLarge, undecodedPage, unsupportedRecord } from "./record-fault.ts";
import { checkThrift } from "./thrift-check.ts";

/** Gives `size` bytes, in memory that nothing else writes to; another number of them is refused here. */
export type Decompress = (input: Uint8Array<ArrayBuffer>, size: number) => Uint8Array | Promise<Uint8Array>;
/** Decompressors by Parquet's name of the compression: `ZSTD`, `SNAPPY`, `GZIP`. */
export type Decompressors = ReadonlyMap<string, Decompress>;

export interface DataPage {
  readonly rows: number;
  /** For each row 1 where it has a value and 0 where it is null; `undefined` = all have. */
  readonly present: Uint8Array | undefined;
  /** How many rows have one. */
  readonly values: number;
  /** Parquet's name of how the values are written: `PLAIN`, `RLE_DICTIONARY`, … */
  readonly encoding: string;
  readonly body: Uint8Array;
}

export interface PageSink {
  /** Values that data pages then name by number, written as `PLAIN`. */
  dictionary(body: Uint8Array, values: number): void;
  data(page: DataPage): void;
}

/** A file that is being read. */
export interface Reading {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly decompressors: Decompressors;
  /** Bytes of pages, decompressed, that may still be read: columns may share their bytes in a hostile file. */
  readonly budget: { left: number; readonly limit: number };
}

const MAX_PAGE_BYTES = 512 * 1024 * 1024;

/** Exactly `rows` rows, or an error: `record-fault.ts`. */
export async function readColumnPages(reading: Reading, chunk: ColumnChunk, rows: number, sink: PageSink) {
  const bytes = reading.file.subarray(chunk.from, chunk.to);
  let at = 0;
  let done = 0;
  while (done < rows) {
    if (at >= bytes.length) throw recordFault(`${rows} rows in “${chunk.name}”`, `${done} rows`);
    const { header, start } = readHeader(bytes, at);
    spend(reading, header.uncompressed_page_size);
    const stored = bytes.subarray(start, start + header.compressed_page_size);
    at = start + header.compressed_page_size;
    const page = { header, stored, left: rows - done, chunk, decompressors: reading.decompressors };
    if (header.type === "DICTIONARY_PAGE") await readDictionary(page, sink);
    else if (header.type === "DATA_PAGE") done += await readFirstVersion(page, sink);
    else if (header.type === "DATA_PAGE_V2") done += await readSecondVersion(page, sink);
    else if (header.type !== "INDEX_PAGE") throw recordFault("a page of a known type", String(header.type));
  }
}

interface StoredPage {
  readonly header: PageHeader;
  readonly stored: Uint8Array<ArrayBuffer>;
  /** Rows that are still missing. */
  readonly left: number;
  readonly chunk: ColumnChunk;
  readonly decompressors: Decompressors;
}

function readHeader(bytes: Uint8Array<ArrayBuffer>, at: number) {
  const start = checkThrift(bytes, at);
  const header = parquetHeader({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: at });
  const { compressed_page_size: stored, uncompressed_page_size: size } = header;
  if (!(stored >= 0 && start + stored <= bytes.length && size >= 0)) {
    const length = Number.isSafeInteger(stored) ? `${stored} bytes` : "no length";
    throw recordFault("pages inside their column", `a page of ${length} where ${bytes.length - start} bytes are left`);
  }
  if (size > MAX_PAGE_BYTES) throw recordTooLarge("page", MAX_PAGE_BYTES, size);
  return { header, start };
}

function spend({ budget }: Reading, size: number): void {
  budget.left -= size;
  if (budget.left < 0) throw recordTooLarge("pages", budget.limit);
}

async function readDictionary(page: StoredPage, sink: PageSink): Promise<void> {
  const values = page.header.dictionary_page_header?.num_values ?? -1;
  const body = await decompressed(page, page.stored, page.header.uncompressed_page_size);
  // A value takes a byte at least, other than in an empty dictionary.
  if (values < 0 || values > body.length) {
    throw recordFault(`a dictionary of ${values} values`, `${body.length} bytes of them`);
  }
  sink.dictionary(body, values);
}

async function readFirstVersion(page: StoredPage, sink: PageSink): Promise<number> {
  const header = page.header.data_page_header;
  const rows = rowsOf(page, header?.num_values);
  const body = await decompressed(page, page.stored, page.header.uncompressed_page_size);
  if (!page.chunk.isOptional) {
    sink.data({ rows, present: undefined, values: rows, encoding: header?.encoding ?? "", body });
    return rows;
  }
  if (header?.definition_level_encoding !== "RLE" && rows > 0) {
    throw unsupportedRecord("levels written as RLE", String(header?.definition_level_encoding));
  }
  const length = body.length < 4 ? -1 : new DataView(body.buffer, body.byteOffset, 4).getUint32(0, true);
  if (length < 0 || length > body.length - 4) {
    throw recordFault("definition levels inside their page", `${length} bytes in ${body.length}`);
  }
  sink.data({
    rows,
    ...levels(body.subarray(4, 4 + length), rows),
    encoding: header?.encoding ?? "",
    body: body.subarray(4 + length),
  });
  return rows;
}

async function readSecondVersion(page: StoredPage, sink: PageSink): Promise<number> {
  const header = page.header.data_page_header_v2;
  const rows = rowsOf(page, header?.num_values);
  const repetition = header?.repetition_levels_byte_length ?? 0;
  const definition = header?.definition_levels_byte_length ?? 0;
  const start = repetition + definition;
  if (
    !(repetition >= 0 && definition >= 0 && start <= Math.min(page.stored.length, page.header.uncompressed_page_size))
  ) {
    throw recordFault("levels inside their page", `${start} bytes in ${page.stored.length}`);
  }
  const stored = page.stored.subarray(start);
  const size = page.header.uncompressed_page_size - start;
  const body = header?.is_compressed === false ? exact(stored, size) : await decompressed(page, stored, size);
  const isPlain = !page.chunk.isOptional;
  const present = isPlain
    ? { present: undefined, values: rows }
    : levels(page.stored.subarray(repetition, start), rows);
  sink.data({ rows, ...present, encoding: header?.encoding ?? "", body });
  return rows;
}

function rowsOf(page: StoredPage, claimed: number | undefined): number {
  if (claimed !== undefined && claimed >= 0 && claimed <= page.left) return claimed;
  throw recordFault(`pages of “${page.chunk.name}” with at most ${page.left} more rows`, `a page of ${claimed} rows`);
}

/** Definition levels of a column at the top: 1 = there, 0 = null. */
function levels(bytes: Uint8Array, rows: number) {
  const present = new Uint8Array(rows);
  readHybrid(bytes, 0, 1, present, 0, rows);
  let values = 0;
  for (let row = 0; row < rows; row += 1) values += (present[row] as number) & 1;
  return values === rows ? { present: undefined, values } : { present, values };
}

async function decompressed(page: StoredPage, stored: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  const { compression } = page.chunk;
  if (size === 0) return stored.subarray(0, 0);
  if (compression === "UNCOMPRESSED") return exact(stored, size);
  const decompress = page.decompressors.get(compression);
  if (decompress === undefined) {
    const known = [...page.decompressors.keys(), "UNCOMPRESSED"].join(", ");
    throw unsupportedRecord(`one of the compressions ${known}`, compression);
  }
  return exact(await decompressedBy(decompress, compression, stored, size), size);
}

async function decompressedBy(
  decompress: Decompress,
  compression: string,
  stored: Uint8Array<ArrayBuffer>,
  size: number,
): Promise<Uint8Array> {
  try {
    const result = decompress(stored, size);
    return result instanceof Uint8Array ? result : await result;
  } catch (error) {
    throw undecodedPage(compression, error);
  }
}

function exact(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length === size) return bytes;
  throw recordFault(`a page of ${size} bytes, as its header says`, `${bytes.length} bytes`);
}
