import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failure, keyAt, RefscopeError, targetAt } from "#core/findings/finding.ts";
import { describeRecord, readRecord } from "./record.ts";
import { fixture, plainRows, testDecompressors, type PlainRow } from "./testing.ts";

const PLACE = keyAt("a/refs.0.parq");
const { signal } = new AbortController();
const read = (bytes: Uint8Array<ArrayBuffer>) => readRecord(bytes, PLACE, testDecompressors, signal);
const ROWS = JSON.parse(readFileSync(new URL("fixtures/rows.json", import.meta.url), "utf8")) as readonly PlainRow[];

async function codeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const error: unknown = await read(bytes).catch((cause: unknown) => cause);
  return error instanceof RefscopeError ? error.code : `no RefscopeError: ${String(error)}`;
}

describe("rows of a record", () => {
  const names = ["duckdb-gzip", "duckdb-snappy-v2", "duckdb-zstd", "hyparquet-delta", "hyparquet-dictionary"];
  it.each(names)("are those that were written: %s", async (name) => {
    const record = await read(fixture(name));
    expect(plainRows(record)).toEqual(ROWS);
    expect(record.urls).toEqual(["s3://bucket/a.nc", "s3://bucket/b.nc"]);
  });

  it("are read as fastparquet writes them, plain and padded with nulls", async () => {
    const record = await read(fixture("fastparquet"));
    expect(record.urls).toEqual(["rain1.0.nc", "rain1.1.nc", "rain1.2.nc"]);
    expect(plainRows(record).map(({ size }) => size)).toEqual([1_036_800, 1_036_800, 1_036_800]);
  });

  it("are read where fastparquet packs fewer numbers than it says", async () => {
    const record = await read(fixture("fastparquet-dictionary"));
    expect([record.rows, record.urls]).toEqual([50, ["/data/vz/ocean_month_0.nc"]]);
    expect(record.path.every((id) => id === 1)).toBe(true);
  });

  it("may have no path at all (a column of nulls) and inline bytes", async () => {
    const record = await read(fixture("pyarrow-inline"));
    expect(plainRows(record).map(({ path, raw }) => [path, raw === null])).toEqual([
      [null, false],
      [null, true],
      [null, true],
    ]);
  });

  it("may lack the column raw, and have nulls for a whole file", async () => {
    const record = await read(fixture("hyparquet-as-gdal"));
    expect(plainRows(record)[0]).toEqual({ path: "0.bin", offset: null, size: null, raw: null });
  });
});

describe("records that cannot be read", () => {
  it("are named for what they are", async () => {
    expect(await codeOf(new Uint8Array())).toBe("parquet-record-broken");
    expect(await codeOf(fixture("duckdb-zstd").subarray(0, 300))).toBe("parquet-record-broken");
    expect(await codeOf(fixture("hyparquet-other"))).toBe("parquet-not-a-record");
    const named = {
      finding: expect.objectContaining({ code: "parquet-not-a-record", place: targetAt("x.parq") }) as unknown,
    };
    expect(() => describeRecord(fixture("hyparquet-other"), targetAt("x.parq"))).toThrow(
      expect.objectContaining(named),
    );
    const without = readRecord(fixture("duckdb-zstd"), PLACE, new Map(), signal);
    await expect(without).rejects.toMatchObject({ code: "parquet-record-unsupported" });
  });

  it("say what a codec says of a page", async () => {
    const fails = () => {
      throw failure("http-status", PLACE, { status: 500, expected: [200], attempts: 1 });
    };
    const result = readRecord(fixture("duckdb-zstd"), PLACE, new Map([["ZSTD", fails]]), signal);
    const facts = { expected: "a page compressed as ZSTD", cause: { code: "http-status" } };
    await expect(result).rejects.toMatchObject({ finding: { code: "parquet-record-broken", place: PLACE, facts } });
  });

  it("may be too large", async () => {
    const file = new Uint8Array(9 * 2 ** 20);
    const magic = new TextEncoder().encode("PAR1");
    file.set(magic);
    file.set(magic, file.length - 4);
    const found = file.length - 12;
    new DataView(file.buffer).setUint32(file.length - 8, found, true);
    const facts = { what: "footer", limit: 8 * 2 ** 20, found };
    await expect(read(file)).rejects.toMatchObject({
      finding: { code: "parquet-record-too-large", place: PLACE, facts },
    });
  });

  it("are never a foreign error, whatever byte is wrong", async () => {
    const whole = fixture("hyparquet-dictionary");
    for (let at = 4; at < whole.length - 4; at += 1) {
      for (const wrong of [0, 0x7f, 0xff]) {
        const bytes = whole.slice();
        bytes[at] = wrong;
        const result = await read(bytes).catch((cause: unknown) => cause);
        if (result instanceof Error) expect(result).toBeInstanceOf(RefscopeError);
      }
    }
  });

  it("pass on that reading was given up", async () => {
    const given = AbortSignal.abort();
    const result = readRecord(fixture("duckdb-zstd"), PLACE, testDecompressors, given);
    await expect(result).rejects.toMatchObject({ name: "AbortError" });
  });
});

it("the footer says who wrote a record and how", () => {
  expect(describeRecord(fixture("duckdb-snappy-v2"), PLACE)).toMatchObject({
    rows: 12,
    columnNames: ["path", "offset", "size", "raw"],
    writer: expect.stringContaining("DuckDB") as string,
  });
});
