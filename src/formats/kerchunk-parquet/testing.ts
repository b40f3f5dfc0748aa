/** For tests: the records in `fixtures/`, and what decompresses them. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { ZSTDDecoder } from "zstddec";
import type { CallContext } from "#core/byte-source.ts";
import type { Decompress, Decompressors } from "./column-pages.ts";
import type { RecordColumns } from "./record.ts";

const zstd = new ZSTDDecoder();

export const testDecompressors: Decompressors = new Map<string, Decompress>([
  [
    "SNAPPY",
    (input: Uint8Array, size: number) => {
      const output = new Uint8Array(size);
      snappyUncompress(input, output);
      return output;
    },
  ],
  ["GZIP", (input: Uint8Array) => new Uint8Array(gunzipSync(input))],
  ["ZSTD", async (input: Uint8Array, size: number) => (await zstd.init(), zstd.decode(input, size).slice())],
]);

export const testContext: CallContext = { signal: new AbortController().signal, report: () => undefined };

export function fixture(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`fixtures/${name}.parq`, import.meta.url)));
}

export interface PlainRow {
  readonly path: string | null;
  readonly offset: number | null;
  readonly size: number | null;
  /** Bytes in hexadecimal. */
  readonly raw: string | null;
}

export function plainRows({ rows, path, urls, offset, size, raw }: RecordColumns): readonly PlainRow[] {
  const inline = new Map<number, string>();
  for (const part of raw) {
    part.rows.forEach((row, index) =>
      inline.set(row, Buffer.from(part.bytes.slice(part.starts[index], part.ends[index])).toString("hex")),
    );
  }
  const number = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  return Array.from({ length: rows }, (_, row) => ({
    path: urls[(path[row] ?? 0) - 1] ?? null,
    offset: number(offset?.[row]),
    size: number(size?.[row]),
    raw: inline.get(row) ?? null,
  }));
}
