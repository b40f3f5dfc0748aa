/** Hashes of stores as NumPy sees their arrays, and what is said of those without chunks. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "../core/location.ts";
import { droppedFiles } from "../io/local-files.ts";
import { digestArray } from "./digest.ts";
import { arrayNode, type EngineSet } from "./engine-set.ts";
import { loadRest } from "./load-pages.ts";
import { openFiles } from "./open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

async function openStore(files: Readonly<Record<string, unknown>>): Promise<EngineSet> {
  const dropped = Object.entries(files).map(([path, content]) => {
    const part = content instanceof Uint8Array ? new Uint8Array(content) : JSON.stringify(content);
    return { path: `s.zarr/${path}`, blob: new Blob([part]) };
  });
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(dropped), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const sha = (bytes: Iterable<number>) => createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");

async function digestOf(set: EngineSet) {
  const newHash = () => {
    const hash = createHash("sha256");
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  return (await digestArray(set, arrayNode(set, ""), { newHash, perChunk: false }, CONTEXT)).digest;
}

const version2 = (dtype: string, fill: unknown) => {
  const rest = { chunks: [1], compressor: null, filters: null, order: "C", fill_value: fill };
  return { zarr_format: 2, shape: [2], dtype, ...rest };
};

const version3 = (dataType: unknown, fill: unknown, more: object = {}) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [2],
  data_type: dataType,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
  chunk_key_encoding: { name: "default" },
  fill_value: fill,
  codecs: [{ name: "bytes", configuration: { endian: "big" } }],
  ...more,
});

const TEXT = { name: "fixed_length_utf32", configuration: { length_bytes: 4 } };

describe("a digest of big-endian chunks", () => {
  it("hashes text of Zarr v2 as stored, its fill value too", async () => {
    const set = await openStore({ ".zarray": version2(">U1", "z"), 0: Uint8Array.of(0, 0, 0, 0xe9) });
    expect(await digestOf(set)).toMatchObject({ dtype: ">U1", sha256: sha([0, 0, 0, 0xe9, 0, 0, 0, 0x7a]) });
  });

  it("gives Zarr v3 arrays the byte order that they have once read", async () => {
    const text = await openStore({ "zarr.json": version3(TEXT, "z"), "c/0": Uint8Array.of(0, 0, 0, 0xe9) });
    expect(await digestOf(text)).toMatchObject({ dtype: "<U1", sha256: sha([0xe9, 0, 0, 0, 0x7a, 0, 0, 0]) });
    const numbers = await openStore({ "zarr.json": version3("int16", 3), "c/0": Uint8Array.of(1, 2) });
    expect(await digestOf(numbers)).toMatchObject({ dtype: "<i2", sha256: sha([2, 1, 3, 0]) });
  });
});

const SHARDED = {
  shape: [1_000_000_000],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [10] } },
  codecs: [
    {
      name: "sharding_indexed",
      configuration: { chunk_shape: [1], codecs: [{ name: "bytes" }], index_codecs: [{ name: "bytes" }] },
    },
  ],
};

describe("a set without a chunk", () => {
  const codes = (set: EngineSet) => set.findings.map(({ code }) => code);

  it("is odd where its arrays have chunks, and these are missing", async () => {
    expect(codes(await openStore({ "zarr.json": version3("int8", 0) }))).toContain("no-chunks");
    expect(codes(await openStore({ "zarr.json": version3("int8", 0, { shape: [0] }) }))).not.toContain("no-chunks");
  });

  it("is not said to read as fill value where its shards are damaged", async () => {
    const more = { shape: [10], chunk_grid: SHARDED.chunk_grid, codecs: SHARDED.codecs };
    const set = await openStore({ "zarr.json": version3("int8", 0, more), "c/0": Uint8Array.of(1, 2, 3) });
    await loadRest(set, "", CONTEXT);
    await set.refresh(CONTEXT);
    expect(codes(set)).toEqual(expect.arrayContaining(["shard-truncated"]));
    expect(codes(set)).not.toContain("no-chunks");
  });

  it("of 100 million shards stays unknown", async () => {
    const set = await openStore({ "zarr.json": version3("int8", 0, SHARDED) });
    await expect(loadRest(set, "", CONTEXT)).rejects.toMatchObject({ code: "too-many-pages" });
    await set.refresh(CONTEXT);
    expect(set.tally.states.unknown).toBe(1_000_000_000);
    expect((await digestOf(set)).sha256).toBeUndefined();
  });
});
