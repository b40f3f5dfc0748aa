import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REMOTE } from "#core/file-bytes.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { SourceArray } from "#core/source-file.ts";
import { codesOfDamaged, fileOfBytes } from "#core/testing/file-of-bytes.ts";
import recorded from "./fixtures/expected.json" with { type: "json" };
import { readNetcdf3 } from "./read-netcdf3.ts";

const bytesOf = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, "fixtures", name)));
const read = (name: string, bytes = bytesOf(name), size = bytes.length) =>
  readNetcdf3(fileOfBytes(name, bytes, REMOTE, size));

interface Recorded {
  readonly version: number;
  readonly headerBytes: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, RecordedVariable>>;
}

interface RecordedVariable {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly dims: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly references: readonly (readonly number[])[];
}

/** One value stands for itself, and zeros at the end of text are padding. */
const plain = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\0+$/, "") : Array.isArray(value) && value.length === 1 ? value[0] : value;

const attributesAsRead = (attributes: ReadonlyMap<string, string>) =>
  Object.fromEntries([...attributes].map(([name, text]) => [name, parseJson(text).value]));

function attributesAsRecorded(attributes: Readonly<Record<string, unknown>>) {
  const kept = Object.entries(attributes).filter(([name]) => name !== "_FillValue");
  return Object.fromEntries(kept.map(([name, value]) => [name, plain(value)]));
}

const rows = ({ references: { count, ordinal, offset, length } }: SourceArray) =>
  Array.from({ length: count }, (_, at) => [ordinal[at], offset[at], length[at]]);

const codesIn = async (name: string, bytes?: Uint8Array<ArrayBuffer>) =>
  (await read(name, bytes)).findings.map(({ code, facts }) => [code, (facts as { what?: string }).what]);

describe("NetCDF-3 files", () => {
  it.each(Object.entries(recorded as unknown as Readonly<Record<string, Recorded>>))(
    "%s: variables, attributes and places of all values are as recorded",
    async (name, { version, headerBytes, attributes, variables }) => {
      const { arrays, groups, structures, label } = await read(name);
      expect(label).toContain(version === 1 ? "classic" : `CDF-${version}`);
      expect(structures[0]).toMatchObject({ offset: 0, length: headerBytes });
      expect(attributesAsRead(groups[0]?.attributes ?? new Map())).toEqual(attributesAsRecorded(attributes));
      expect(arrays.map(({ path }) => path)).toEqual(Object.keys(variables));
      for (const array of arrays) {
        const one = variables[array.path] as RecordedVariable;
        expect([array.dtype, array.shape, array.dimensions]).toEqual([JSON.stringify(one.dtype), one.shape, one.dims]);
        expect(rows(array), array.path).toEqual(one.references);
        expect(attributesAsRead(array.attributes)).toEqual(attributesAsRecorded(one.attributes));
        const fill = plain(one.attributes["_FillValue"]) ?? null;
        expect(parseJson(array.fill).value).toEqual(fill);
      }
    },
  );

  it("has fixed variables in one chunk, and a chunk for each record", async () => {
    const { arrays } = await read("classic.nc");
    const chunks = new Map(arrays.map((array) => [array.path, array.chunks]));
    expect([chunks.get("scalar"), chunks.get("fixed"), chunks.get("v_i2")]).toEqual([[], [5, 3], [1, 5, 3]]);
  });

  it("says what Kerchunk writes otherwise: a record too many, another fill value, numbers as strings, no CDF-5", async () => {
    expect(await codesIn("one_record_i2.nc")).toEqual([["kerchunk-would-write", "shape"]]);
    expect(await codesIn("attrs.nc")).toEqual([
      ["kerchunk-would-write", "fill"],
      ["kerchunk-would-write", "attribute"],
    ]);
    expect(await codesIn("cdf5.nc")).toEqual([["kerchunk-would-write", "format"]]);
    expect(await codesIn("classic.nc")).toEqual([]);
  });

  it("counts the records of a stream by the file's size", async () => {
    const bytes = bytesOf("classic.nc");
    bytes.fill(255, 4, 8);
    expect((await read("classic.nc", bytes)).arrays.at(-1)?.shape[0]).toBe(6);
    expect((await read("classic.nc", bytes.slice(0, -184))).arrays.at(-1)?.shape[0]).toBe(5);
  });

  it("is cut where it is shorter than its header says, and has no more references than there is room for", async () => {
    const cut = await read("classic.nc", bytesOf("classic.nc").slice(0, 1000));
    expect(cut.findings).toMatchObject([{ code: "data-file-cut", facts: { says: 1913, size: 1000 } }]);
    const bytes = bytesOf("classic.nc");
    bytes.set([127, 255, 255, 255], 4);
    const { arrays, findings } = await read("classic.nc", bytes);
    expect(findings[0]?.code).toBe("data-file-cut");
    expect(arrays.find(({ path }) => path === "time")?.references.count).toBe(6);
  });

  it("names what is damaged, and where", async () => {
    const bytes = bytesOf("classic.nc");
    bytes.set([0, 0, 0, 77], 8);
    await expect(read("classic.nc", bytes)).rejects.toMatchObject({
      finding: { code: "data-file-damaged", facts: { structure: "list of dimensions", offset: 8, found: "77" } },
    });
    const huge = bytesOf("one_record_char.nc");
    huge.fill(255, 4, 8);
    await expect(read("one_record_char.nc", huge, 2 ** 33)).rejects.toMatchObject({ code: "data-file-too-large" });
    const files = Object.keys(recorded).map((name) => [name, bytesOf(name)] as const);
    const { codes, longest } = await codesOfDamaged(files, 600, readNetcdf3);
    expect(codes).toEqual(["data-file-cut", "data-file-damaged", "fine"]);
    expect(longest).toBeLessThan(1000);
  });
});
