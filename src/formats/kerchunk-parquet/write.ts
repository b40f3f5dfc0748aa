/** Writes Kerchunk Parquet as fsspec's LazyReferenceMapper reads it: `.zmetadata`, and references by row. */
import type { ColumnSource } from "hyparquet-writer";

/** References of one file, a column each; null and 0 where a chunk has none. */
export interface RecordRows {
  readonly path: (string | null)[];
  readonly offset: BigInt64Array<ArrayBuffer>;
  /** Bytes; with an offset of 0 also 0: the whole file. */
  readonly size: BigInt64Array<ArrayBuffer>;
  /** Bytes of an inline reference. */
  readonly raw: (Uint8Array | null)[];
}

export function emptyRecord(rows: number): RecordRows {
  const nulls = () => Array.from({ length: rows }, () => null);
  return { path: nulls(), offset: new BigInt64Array(rows), size: new BigInt64Array(rows), raw: nulls() };
}

/**
 * `path` is a plain column: Arrow's dictionaries turn missing chunks into references. The writer is fetched when
 * needed.
 */
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
  // Gzip is the smallest compression that both of Python's engines read and that can be written here: two thirds of
  // Snappy. Without a time of writing, the same references give the same bytes.
  const compressors = { GZIP: (bytes: Uint8Array) => gzipSync(bytes, { mtime: 0 }) };
  const rowGroupSize = Math.max(1, path.length);
  return new Uint8Array(
    parquetWriteBuffer({ columnData, codec: "GZIP", compressors, statistics: false, rowGroupSize }),
  );
}
