/** Offsets and sizes: a column of numbers as doubles, NaN where a row is null. */
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import type { DataPage, PageSink } from "./column-pages.ts";
import { isDictionaryEncoded, readIndices, spread } from "./dictionary-indices.ts";
import { readDeltas } from "./delta.ts";
import type { ColumnChunk } from "./footer.ts";
import { recordFault, unsupportedRecord } from "./record-fault.ts";

/** Fills `column` from row `at` on. Integers beyond 2^53 become the nearest double, which is then no safe integer. */
export function numberSink(chunk: ColumnChunk, column: Float64Array, at: number): PageSink {
  const width = WIDTHS.get(chunk.type);
  if (width === undefined) throw unsupportedRecord(`integers in the column “${chunk.name}”`, chunk.type);
  let dictionary: Float64Array | undefined;
  let row = at;
  return {
    dictionary(body, values) {
      dictionary = new Float64Array(values);
      readPlain(chunk, width, body, dictionary, 0, values);
    },
    data(page) {
      const { rows, values, encoding, body } = page;
      if (isDictionaryEncoded(page)) {
        const indices = readIndices(page, dictionary?.length);
        for (let index = 0; index < values; index += 1) {
          column[row + index] = dictionary?.[indices[index] as number] as number;
        }
      } else if (encoding === "PLAIN") {
        readPlain(chunk, width, body, column, row, values);
      } else if (encoding === "DELTA_BINARY_PACKED" && chunk.type.startsWith("INT")) {
        readDeltas(body, 0, column.subarray(row, row + values), values);
      } else {
        readPlain(chunk, width, unsplit(chunk, width, page), column, row, values);
      }
      spread(column, row, page, Number.NaN);
      row += rows;
    },
  };
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
function unsplit(chunk: ColumnChunk, width: number, { encoding, body, values }: DataPage): Uint8Array {
  if (encoding !== "BYTE_STREAM_SPLIT") {
    throw unsupportedRecord(`numbers as PLAIN, RLE_DICTIONARY or DELTA_BINARY_PACKED in “${chunk.name}”`, encoding);
  }
  if (values * width > body.length) throw recordFault(`${values} numbers`, `${body.length} bytes`);
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.length), offset: 0 };
  const split = byteStreamSplit(reader, values, chunk.type as "INT64", undefined) as BigInt64Array;
  return new Uint8Array(split.buffer, split.byteOffset, split.byteLength);
}
