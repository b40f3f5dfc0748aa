/**
 * Writes Kerchunk Parquet as fsspec's LazyReferenceMapper reads it: `.zmetadata`, and files of references by row. Text is a
 * plain column: an Arrow dictionary would turn missing chunks into references.
 */
import type { ColumnSource } from "hyparquet-writer";

/** References of one file, a column each; all of them null and 0 where a chunk has none. */
export interface RecordRows {
  readonly path: (string | null)[];
  readonly offset: BigInt64Array<ArrayBuffer>;
  /** Bytes; with an offset of 0 also 0: the whole file. */
  readonly size: BigInt64Array<ArrayBuffer>;
  /** Of an inline reference its bytes. */
  readonly raw: (Uint8Array | null)[];
}

export const emptyRecord = (rows: number): RecordRows => ({
  path: Array.from({ length: rows }, () => null),
  offset: new BigInt64Array(rows),
  size: new BigInt64Array(rows),
  raw: Array.from({ length: rows }, () => null),
});

/** `VAR/refs.0.parq`, its number without zeros before it. */
export const recordKey = (array: string, record: number): string => `${array}/refs.${record}.parq`;

/** The bytes of one file, all rows in one group. The library that writes it is fetched with the first. */
export async function encodeRecord({ path, offset, size, raw }: RecordRows): Promise<Uint8Array<ArrayBuffer>> {
  const [{ parquetWriteBuffer }, { gzipSync }] = await Promise.all([import("hyparquet-writer"), import("fflate")]);
  // Without a count of nulls fastparquet takes integers for floats, and their bits with them.
  const numbers = { type: "INT64", nullable: false, encoding: "PLAIN", statistics: true } as const;
  const columnData: ColumnSource[] = [
    { name: "path", data: path, type: "STRING" },
    { name: "offset", data: offset, ...numbers },
    { name: "size", data: size, ...numbers },
    { name: "raw", data: raw, type: "BYTE_ARRAY" },
  ];
  const written = parquetWriteBuffer({
    columnData,
    // Of what both engines of Python read and can be written here the smallest: two thirds of Snappy.
    codec: "GZIP",
    compressors: { GZIP: (bytes: Uint8Array) => gzipSync(bytes) },
    statistics: false,
    rowGroupSize: Math.max(1, path.length),
    createdBy: "refscope",
  });
  return new Uint8Array(written);
}

/** `documents`: JSON text by key, such as `sst/.zarray`; here they are objects, not text in text. */
export function zmetadataText(documents: ReadonlyMap<string, string>, recordSize: number): string {
  const members = [...documents].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{"metadata":{${members.join(",")}},"record_size":${recordSize}}`;
}
