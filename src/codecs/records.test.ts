/** Arrays of records with objects in them: what kerchunk's codecs make of them, and zarr-python puts into shape. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { runPipeline } from "./pipeline.ts";
import { parsePythonLiteral } from "./objects/record-json.ts";

interface Case {
  readonly name: string;
  readonly zarray: object;
  readonly stored: string;
  readonly values?: readonly unknown[];
  readonly error?: string;
}

const CASES = JSON.parse(readFileSync(new URL("fixtures/records.json", import.meta.url), "utf8")) as readonly Case[];
const { signal } = new AbortController();

const run = ({ zarray, stored }: Pick<Case, "zarray" | "stored">) =>
  runPipeline(
    parseArrayMetadataV2(JSON.stringify(zarray)).metadata,
    new Uint8Array(Buffer.from(stored, "base64")),
    signal,
  );

/** The texts of elements as the cases have values. */
function valueOf(text: string | Uint8Array | undefined): unknown {
  const json = String(text)
    .replaceAll("NaN", '{"float":"nan"}')
    .replaceAll(/b"([^"]*)"/g, (_, base64: string) => `{"bytes":"${Buffer.from(base64, "base64").toString("hex")}"}`);
  return JSON.parse(json);
}

/** Python's dates are texts in JSON. */
function asWritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asWritten);
  return typeof value === "object" && value !== null && "date" in value ? value.date : value;
}

/** Cases that kerchunk reads and Refscope refuses by name. */
const REFUSED = new Map([["fits-cast", "codec-configuration"]]);

describe("records are read as kerchunk reads them", () => {
  it.each(CASES.filter(({ name }) => name !== "no-strings").map((one) => [one.name, one] as const))(
    "%s",
    async (name, one) => {
      const { texts, error } = await run(one);
      const refused = REFUSED.get(name);
      if (one.values === undefined || refused !== undefined) {
        expect(error?.code).toMatch(refused ?? /^(?:decode-failed|codec-configuration|chunk-size-mismatch)$/);
        return;
      }
      expect(error).toBeUndefined();
      const found = Array.from({ length: texts?.length ?? 0 }, (_, at) => valueOf(texts?.at(at)));
      expect(found).toEqual(asWritten(one.values));
    },
  );

  it("also where the filter's type is a list in JSON", async () => {
    const one =
      CASES.find(({ zarray }) => JSON.stringify(zarray).includes("fill_hdf_strings")) ?? expect.fail("no case");
    const { filters, ...array } = one.zarray as { readonly filters: readonly Record<string, unknown>[] };
    const asList = filters.map((filter) => ({ ...filter, dtype: parsePythonLiteral(String(filter["dtype"])) }));
    const { texts, error } = await run({ ...one, zarray: { ...array, filters: asList } });
    expect(error).toBeUndefined();
    expect(Array.from({ length: texts?.length ?? 0 }, (_, at) => valueOf(texts?.at(at)))).toEqual(one.values);
  });

  it("and bytes stay bytes where no field is text", async () => {
    const one = CASES.find(({ name }) => name === "no-strings") ?? expect.fail("no case");
    const { bytes, error } = await run(one);
    expect(error).toBeUndefined();
    expect(Buffer.from(bytes ?? []).toString("base64")).toBe(one.stored);
  });

  it("by no other codec", async () => {
    const zarray = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: [["a", "|O"]],
      compressor: null,
      filters: [{ id: "json2" }],
      fill_value: null,
      order: "C",
    };
    const stored = Buffer.from('["x","|O",[1]]').toString("base64");
    expect((await run({ zarray, stored })).error?.code).toBe("object-codec-missing");
  });

  it("a small heap that many rows name stops where the limit is", async () => {
    const rows = 60_000;
    const heap = new Uint8Array(20_000);
    const table = new DataView(new ArrayBuffer(rows * 8 + heap.length));
    for (let row = 0; row < rows; row += 1) table.setInt32(row * 8, heap.length);
    const zarray = {
      zarr_format: 2,
      shape: [rows],
      chunks: [rows],
      dtype: [["v", "|O"]],
      compressor: {
        id: "FITSVarBintable",
        dt_in: "[('v', '>i4', (2,))]",
        dt_out: "[('v', 'O')]",
        nrow: rows,
        types: { v: "B" },
      },
      filters: null,
      fill_value: null,
      order: "C",
    };
    const stored = Buffer.from(table.buffer).toString("base64");
    expect((await run({ zarray, stored })).error?.code).toBe("decode-too-large");
  });
});

describe("Python's literals", () => {
  it.each([
    [
      "[('a', 'S16'), ('b', '>i4', (2,))]",
      [
        ["a", "S16"],
        ["b", ">i4", [2]],
      ],
    ],
    ["[('a', 'O')]", [["a", "O"]]],
    [' ( "it\'s" , -3, (), [] , (4) ) ', ["it's", -3, [], [], 4]],
    [String.raw`'\xe9\u20ac\'\n'`, "é€'\n"],
  ])("%s", (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  it.each([
    "",
    "[",
    "[1 2]",
    "[,]",
    "{'a': 1}",
    "__import__('os')",
    "[1",
    "1]",
    "'a",
    "1.5",
    "12a",
    "[".repeat(50),
    String.raw`'\q'`,
  ])("not %s", (text) => {
    expect(parsePythonLiteral(text)).toBeUndefined();
  });
});
