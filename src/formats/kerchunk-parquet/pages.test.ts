import { expect, it } from "vitest";
import { keyAt, RefscopeError } from "#core/findings/finding.ts";
import { BLOCK_ROWS, LENGTH_WHOLE, TARGET_BAD, TARGET_INLINE } from "#core/table/reference-table.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { recordPages, type RecordSet } from "./index.ts";
import { fixture, testContext, testDecompressors } from "./testing.ts";

function setOf(files: Readonly<Record<string, string>>, recordSize: number): RecordSet {
  const fetch = (key: string) => {
    const name = files[key];
    return Promise.resolve(name === undefined ? undefined : fixture(name));
  };
  return { recordSize, decompressors: testDecompressors, fetch };
}

async function load(set: RecordSet, array: string, grid: readonly number[], page: number) {
  const table = tableBuilder();
  const into = { table, array: table.addArray(array, grid, ".") };
  const findings = await recordPages(set, array, grid).load(page, into, testContext);
  const live = table.live();
  const rows = Array.from({ length: live.rows }, (_, row) => {
    const block = live.blocks[Math.floor(row / BLOCK_ROWS)];
    const [target, offset, length] = [block?.target[row] ?? 0, block?.offset[row] ?? 0, block?.length[row] ?? 0];
    const ordinal = block?.ordinal[row];
    if (target === TARGET_BAD) return [ordinal, "bad", live.bad.get(row)?.written];
    if (target === TARGET_INLINE) return [ordinal, new TextDecoder().decode(live.inline.slice(offset, length))];
    return [ordinal, live.targets.text(target), ...(length === LENGTH_WHOLE ? [] : [offset, length])];
  });
  return { rows, findings };
}

const [A, B] = ["s3://bucket/a.nc", "s3://bucket/b.nc"];

it("says which chunks a record holds", () => {
  const pages = recordPages(setOf({}, 5), "sst", [4, 3]);
  expect([pages.unit, pages.count, pages.pageOf(4), pages.pageOf(5)]).toEqual(["record", 3, 0, 1]);
  expect([pages.cellsOf(0), pages.cellsOf(2), pages.cellsOf(3)]).toEqual([5, 2, 0]);
  const seen: number[] = [];
  pages.visit(2, (ordinal) => seen.push(ordinal));
  expect(seen).toEqual([10, 11]);
  expect(recordPages(setOf({}, 5), "scalar", []).count).toBe(1);
  expect(recordPages(setOf({}, 5), "empty", [0, 3]).count).toBe(0);
});

it("makes rows of a record as fsspec reads them, counted from its number times the record size", async () => {
  const { rows, findings } = await load(setOf({ "g/sst/refs.2.parq": "duckdb-zstd" }, 12), "g/sst", [6, 6], 2);
  expect(rows).toEqual([
    [24, A, 100, 50],
    [25, A, 150, 60],
    [26, A, 2 ** 33 + 5, 70],
    [28, "base64:AP+A"],
    [29, B],
    [30, B, 7, 8],
    [31, B, 15, 0],
    [32, ""],
    [33, A, 210, 9],
    [34, A],
  ]);
  expect(findings).toEqual([]);
});

it("says what is odd about the rows", async () => {
  const { rows, findings } = await load(setOf({ "refs.0.parq": "duckdb-odd" }, 6), "", [4], 0);
  expect(rows).toEqual([
    [0, "a"],
    [1, "bad", `["${A}",-1,2]`],
    [2, "bad", `["${A}",null,3]`],
    [3, A, 5, 6],
  ]);
  const place = keyAt("refs.0.parq");
  expect(findings).toMatchObject([
    { code: "parquet-rows-past-grid", place, facts: { rows: 2, row: 4, end: "grid", chunks: 4 } },
    { code: "parquet-raw-and-path", place, facts: { rows: 1, row: 0, chunk: 0 } },
    { code: "parquet-bad-range", place, facts: { rows: 2, row: 1, chunk: 1 } },
  ]);
});

it("says that a record is missing, or too short for the grid", async () => {
  const set = setOf({ "a/refs.1.parq": "duckdb-zstd" }, 20);
  const missing = await load(set, "a", [30], 0);
  expect(missing.rows).toEqual([]);
  expect(missing.findings).toMatchObject([
    { code: "parquet-record-missing", place: keyAt("a/refs.0.parq"), facts: { chunks: 20 } },
  ]);
  expect((await load(set, "a", [32], 1)).findings).toEqual([]);
  const short = await load(set, "a", [35], 1);
  expect(short.findings).toMatchObject([
    { code: "parquet-record-short", place: keyAt("a/refs.1.parq"), facts: { rows: 12, chunks: 15 } },
  ]);
  // Ten with references, and the three without a row.
  expect(short.rows).toHaveLength(13);
});

it("adds nothing of a record that is broken", async () => {
  const table = tableBuilder();
  const set: RecordSet = { ...setOf({}, 12), fetch: () => Promise.resolve(fixture("duckdb-zstd").slice(0, 500)) };
  const into = { table, array: table.addArray("a", [12], ".") };
  const result = recordPages(set, "a", [12]).load(0, into, testContext);
  await expect(result).rejects.toBeInstanceOf(RefscopeError);
  await expect(result).rejects.toMatchObject({
    finding: { code: "parquet-record-broken", place: keyAt("a/refs.0.parq") },
  });
  expect([table.live().rows, table.live().targets.count]).toEqual([0, 0]);
});

it("gives the table what URLs mean where somebody says it, else the URLs", async () => {
  const files = setOf({ "g/x/refs.0.parq": "hyparquet-as-gdal" }, 3);
  const { rows } = await load(files, "g/x", [3], 0);
  expect(rows).toEqual([
    [0, "0.bin"],
    [1, "https://a/b", 0, 4],
    [2, "/c", 1, 2],
  ]);
  const asked: unknown[] = [];
  const targetsOf: RecordSet["targetsOf"] = (urls, { array, writer }) => {
    asked.push(array, writer?.startsWith("GDAL"));
    return Promise.resolve(urls.map((url) => `there/${url}`));
  };
  const moved = await load({ ...files, targetsOf }, "g/x", [3], 0);
  expect(moved.rows.map(([, target]) => target)).toEqual(["there/0.bin", "there/https://a/b", "there//c"]);
  expect(asked).toEqual(["g/x", true]);
});
