/** Tests of the package's promises: its exports and types, the sample read, and a store that needs no codec. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import * as index from "./index.ts";
import * as node from "./node.ts";

const SAMPLES = join(import.meta.dirname, "../../public/samples");
const sample = (name: string) => node.openPath(join(SAMPLES, name));
const typesFile = readFileSync(join(import.meta.dirname, "types.ts"), "utf8");

describe("the package", () => {
  it("exports what it is recorded to export", () => {
    expect(Object.keys(index).toSorted()).toEqual(["open", "version"]);
    expect(Object.keys(node).toSorted()).toEqual(["open", "openPath", "version"]);
    const types = [...typesFile.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(types).toEqual([
      "OpenOptions",
      "Problem",
      "ReferenceState",
      "ChunkReference",
      "ReferenceWindow",
      "Values",
      "ReadOptions",
      "Group",
      "ZarrArray",
      "CheckOptions",
      "Checked",
      "Repair",
      "StoredObjects",
      "DecodedStore",
      "StoredRange",
      "StoredBytes",
      "Dataset",
      "WriteOptions",
      "Written",
      "GivenFile",
    ]);
  });

  it("has types that know nothing of the engine", () => {
    expect(typesFile).not.toMatch(/\bimport\b/);
  });

  it("reads the sample", async () => {
    const dataset = await sample("ocean.v1.json");
    expect(dataset.format).toBe("Kerchunk JSON, Version 1");
    const sst = dataset.array("/sst");
    expect(sst.dimensionNames).toEqual(["time", "lat", "lon"]);
    const { total, references } = await sst.references({ from: 1, count: 2 });
    expect(references).toHaveLength(2);
    expect(total).toBeGreaterThan(2);
    expect(references[0]).toMatchObject({ state: "range", key: "sst/0.0.1", target: "ocean-a.nc" });
    const values = await sst.read("0, :2, 0", { cf: true });
    expect(values).toMatchObject({ shape: [2], dtype: "<f8", missing: 0 });
    expect(() => dataset.array("nothing")).toThrow();
  });

  it("checks the broken sample, and has its repairs", async () => {
    const dataset = await sample("ocean-broken.json");
    const { problems, chunks } = await dataset.check({ deep: "all" });
    expect(problems.length).toBeGreaterThan(3);
    expect(chunks.unreached).toBe(1);
    expect(chunks.decoded + chunks.failed + chunks.unreached).toBe(chunks.of);
    const repairs = await dataset.repairs();
    expect(repairs.some(({ certainty }) => certainty === "safe")).toBe(true);
  });

  it("opens text, and throws for what is no dataset", async () => {
    const text = '{"version": 1, "refs": {".zgroup": "{\\"zarr_format\\":2}"}}';
    expect((await index.open({ text })).hierarchy).toEqual([{ kind: "group", path: "", attributes: "{}" }]);
    await expect(index.open({ text: "no" })).rejects.toThrow();
  });

  it("never gives the fill value for a chunk that failed", async () => {
    const dataset = await sample("ocean-broken.json");
    const { chunks } = await dataset.check({ deep: "all" });
    expect(chunks.failed).toBeGreaterThan(0);
    const store = dataset.zarrita();
    const failing = dataset.hierarchy.filter((one) => one.kind === "array");
    const results = await Promise.all(
      failing.map(async ({ path }) => {
        const array = await zarr.open.v2(zarr.root(store).resolve(`/${path}`), { kind: "array" });
        return zarr.get(array, null).then(
          () => "read",
          (error: unknown) => (error as { code?: string }).code,
        );
      }),
    );
    expect(results).toContain("read");
    expect(results.some((one) => one !== "read" && one !== undefined)).toBe(true);
  });

  it("gives texts to zarrita, chunks at the edge whole", async () => {
    const array = { zarr_format: 2, shape: [2, 3], chunks: [2, 2], dtype: "|O", fill_value: null, order: "C" };
    const refs = {
      ".zgroup": '{"zarr_format":2}',
      "names/.zarray": JSON.stringify({ ...array, filters: [{ id: "json2" }], compressor: null }),
      "names/0.0": '[["a","b"],["d","ä"],"|O",[2,2]]',
      "names/0.1": '[["c","-"],["f","-"],"|O",[2,2]]',
    };
    const store = (await index.open({ text: JSON.stringify({ version: 1, refs }) })).zarrita();
    const names = await zarr.open.v2(zarr.root(store).resolve("/names"), { kind: "array" });
    expect((await zarr.get(names, null)).data).toEqual(["a", "b", "c", "d", "ä", "f"]);
    const edge = new TextDecoder().decode(await store.get("/names/0.1"));
    expect(edge.replaceAll("\0", "")).toBe("\u0004\u0001c\u0001f");
  });

  it("has stored bytes by range", async () => {
    const raw = (await sample("ocean.v1.json")).raw();
    const whole = (await raw.get("/sst/0.0.1")) as Uint8Array;
    expect(await raw.getRange("/sst/0.0.1", { offset: 2, length: 5 })).toEqual(whole.subarray(2, 7));
    expect(await raw.getRange("/sst/0.0.1", { suffixLength: 3 })).toEqual(whole.subarray(-3));
    const chunk_grid = { name: "regular", configuration: { chunk_shape: [1] } };
    const v3 = { zarr_format: 3, node_type: "array", shape: [2], data_type: "uint8", chunk_grid, fill_value: 0 };
    const array = { ...v3, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }] };
    const refs = { "t/zarr.json": JSON.stringify(array), "t/c/1": "x" };
    const byKey = (await index.open({ text: JSON.stringify({ version: 1, refs }) })).raw();
    expect(await byKey.get("/t/c/1")).toEqual(Uint8Array.of(120));
    expect(await byKey.get("/t/1")).toBeUndefined();
    expect(new TextDecoder().decode(await raw.get("/.zgroup"))).toContain("zarr_format");
    expect(await raw.get("/nothing/0")).toBeUndefined();
  });
});
