/** Every Kerchunk Parquet set of the corpus against what pyarrow counted in it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { targetAt } from "#core/findings/fact.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { corpus, corpusFiles, filesBelow, recordedIn } from "#core/testing/corpus.ts";
import { recordPages, detectParquetMetadata, readParquetMetadata, type RecordSet } from "./index.ts";
import { readRecord } from "./record.ts";
import { plainRows, testContext, testDecompressors } from "./testing.ts";

const READER = "parquet_read_with_pyarrow25_fsspec2026.9";

interface Counted {
  readonly record_size: number;
  readonly files: number;
  readonly rows: number;
  readonly path_rows: number;
  readonly raw_rows: number;
  readonly null_rows: number;
  readonly n_urls: number;
}

const documents = corpusFiles().filter((path) => path.endsWith("/.zmetadata"));
const read = (path: string): Buffer => readFileSync(join(corpus.folder, path));

function expectedOf(folder: string): Counted | undefined {
  return recordedIn<Counted>(folder.split("/")[0] ?? "")[READER]?.[folder];
}

const isRecord = (path: string): boolean => path.endsWith(".parq");
const recordsOf = (folder: string): readonly string[] => filesBelow(corpus.folder, folder).filter(isRecord);
const hasRecords = (document: string): boolean => recordsOf(dirname(document)).length > 0;

describe(corpus.title, () => {
  test.each(documents)("%s is what lies beside it", (document) => {
    const { kind } = detectParquetMetadata(read(document).toString());
    expect(kind).toBe(hasRecords(document) ? "parquet" : "zarr");
  });

  test.each(documents.filter(hasRecords))("%s has the rows that pyarrow counts", async (document) => {
    const folder = dirname(document);
    const expected = expectedOf(folder);
    const counts = { files: 0, rows: 0, path_rows: 0, raw_rows: 0, null_rows: 0 };
    const urls = new Set<string>();
    for (const path of recordsOf(folder)) {
      const record = await readRecord(
        new Uint8Array(read(path)),
        targetAt(path),
        testDecompressors,
        testContext.signal,
      );
      const rows = plainRows(record);
      counts.files += 1;
      counts.rows += rows.length;
      counts.path_rows += rows.filter((row) => row.path !== null).length;
      counts.raw_rows += rows.filter((row) => row.raw !== null).length;
      counts.null_rows += rows.filter((row) => row.path === null && row.raw === null).length;
      record.urls.forEach((url) => urls.add(url));
    }
    expect(expected).toMatchObject({ ...counts, n_urls: urls.size });
  });

  test.each(documents.filter(hasRecords))("%s gives its references to the table", async (document) => {
    const folder = dirname(document);
    const expected = expectedOf(folder);
    const { documents, recordSize } = readParquetMetadata(read(document).toString());
    expect(recordSize).toBe(expected?.record_size);
    const fetch: RecordSet["fetch"] = (key) => {
      const path = `${folder}/${key}`;
      return Promise.resolve(existsSync(join(corpus.folder, path)) ? new Uint8Array(read(path)) : undefined);
    };
    const set = { recordSize: recordSize ?? 1, decompressors: testDecompressors, fetch };
    const table = tableBuilder();
    let past = 0;
    for (const { key, text } of documents.filter((one) => one.key.endsWith("/.zarray"))) {
      const { shape, chunks } = JSON.parse((text ?? "").replaceAll("NaN", "null")) as {
        shape: number[];
        chunks: number[];
      };
      const array = key.slice(0, -"/.zarray".length);
      const grid = gridOf(shape, chunks);
      const into = { table, array: table.addArray(array, grid, ".") };
      const pages = recordPages(set, array, grid);
      for (let page = 0; page < pages.count; page += 1) {
        const findings = await pages.load(page, into, testContext);
        const odd = findings.filter(({ code }) => code !== "parquet-record-missing");
        if (odd.some(({ code }) => code === "parquet-rows-past-grid")) past += 1;
        expect(odd.every(({ code }) => code === "parquet-rows-past-grid")).toBe(true);
      }
    }
    // One row of one set lies past its array's grid.
    const isConcatenated = folder.endsWith("ocean_month_concat.parquet");
    expect(past).toBe(isConcatenated ? 1 : 0);
    expect(table.live().rows).toBe((expected?.path_rows ?? 0) + (expected?.raw_rows ?? 0) - past);
  });
});
