/** Pages in each of Parquet's compressions, by what decompresses them for the engine. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { keyAt } from "#core/findings/fact.ts";
import { readRecord } from "#formats/kerchunk-parquet/record.ts";
import { plainRows, type PlainRow } from "#formats/kerchunk-parquet/testing.ts";
import { decompressors } from "./open-parquet.ts";

const FIXTURES = new URL("../../../formats/kerchunk-parquet/fixtures/", import.meta.url);
const ROWS = JSON.parse(readFileSync(new URL("rows.json", FIXTURES), "utf8")) as readonly PlainRow[];
const fileOf = (name: string) => new Uint8Array(readFileSync(new URL(`${name}.parq`, FIXTURES)));
const read = (bytes: Uint8Array<ArrayBuffer>) =>
  readRecord(bytes, keyAt("a/refs.0.parq"), decompressors(), new AbortController().signal);

it.each([
  "duckdb-gzip",
  "duckdb-snappy-v2",
  "duckdb-zstd",
  "pyarrow-brotli",
  "pyarrow-lz4-raw",
  "hyparquet-lz4-hadoop",
  "hyparquet-lz4-block",
])("%s", async (name) => {
  expect(plainRows(await read(fileOf(name)))).toEqual(ROWS);
});

it.each(["pyarrow-brotli", "pyarrow-lz4-raw", "hyparquet-lz4-hadoop"])(
  "%s, damaged, is refused by name",
  async (name) => {
    const whole = fileOf(name);
    for (let at = 4; at < whole.length - 8; at += 7) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      // Some bytes are of no concern, others make other values.
      const failed = await read(damaged).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failed !== undefined) expect(failed).toMatchObject({ code: expect.stringMatching(/^parquet-/) as unknown });
    }
  },
);
