/** Manifests with entries that stand for many chunks: a chunk is unknown until it is asked for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../../e2e/support/range-server.ts";
import { chunkAt, nodeAt } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { elementText } from "#core/plane/slice.ts";
import { droppedFiles } from "#io/local-files.ts";
import { readChunk } from "#engine/chunk/read-chunk.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { openAny, openFiles } from "../open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const GROUP = JSON.stringify({ zarr_format: 3, node_type: "group" });

const zarrJson = (manifest: unknown, more: object = {}) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [5],
    data_type: "int8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: "default" },
    codecs: ["bytes"],
    fill_value: -1,
    storage_transformers: [{ name: "chunk-manifest-json", configuration: { manifest } }],
    ...more,
  });

/** Read as one shard of two chunks of one element; its index is not compressed. */
const SHARDED = {
  shape: [4],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  codecs: [
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [1],
        codecs: ["bytes"],
        index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      },
    },
  ],
};

function shard(first: number, second: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array([first, second, ...new Uint8Array(32)]);
  const index = new DataView(bytes.buffer, 2);
  for (const [at, value] of [0, 1, 1, 1].entries()) index.setBigUint64(8 * at, BigInt(value), true);
  return bytes;
}

async function drop(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<EngineSet> {
  const dropped = droppedFiles(Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part]) })));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(dropped, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

/** Value of each chunk, "missing", or why it cannot be read. */
async function values(set: EngineSet, count: number): Promise<readonly (string | number)[]> {
  const found: (string | number)[] = [];
  for (let at = 0; at < count; at += 1) {
    const { reading, values } = await readChunk(set, "a", [at], CONTEXT);
    if (reading.outcome === "missing") found.push("missing");
    else found.push(values === undefined ? (reading.error?.code ?? "failed") : Number(elementText(values, 0)));
  }
  return found;
}

async function states(set: EngineSet) {
  await set.refresh(CONTEXT);
  const { whole, missing, unknown, bad } = set.tally.states;
  return { whole, missing, unknown, bad };
}

describe("in a folder", () => {
  it("chunks are below the prefix or missing; entries of their own win", async () => {
    const set = await drop({
      "s/zarr.json": GROUP,
      "s/a/zarr.json": zarrJson({ "c/": { path: "old/" }, "c/2": { path: "own.bin" }, "c/4": {} }),
      "s/a/old/0": new Uint8Array([7]),
      "s/a/old/2": new Uint8Array([99]),
      "s/a/old/3": new Uint8Array([8]),
      "s/a/old/4": new Uint8Array([99]),
      "s/a/own.bin": new Uint8Array([9]),
    });
    expect(await states(set)).toEqual({ whole: 3, missing: 2, unknown: 0, bad: 0 });
    expect(await values(set, 5)).toEqual([7, "missing", 9, 8, "missing"]);
    expect(set.findings.map(({ code }) => code)).toContain("manifest-prefix-entry");
  });

  it("relative paths begin where a first chunk is found, else in the array's own directory", async () => {
    const beside = await drop({
      "s/zarr.json": GROUP,
      "s/a/zarr.json": zarrJson({ "c/": { path: "old/" } }),
      "s/old/1": new Uint8Array([7]),
    });
    expect(await values(beside, 2)).toEqual(["missing", 7]);
    expect(beside.findings.find(({ code }) => code === "manifest-path-base")?.facts).toEqual({
      path: "old/1",
      directory: "",
    });
    const nowhere = await drop({ "s/zarr.json": GROUP, "s/a/zarr.json": zarrJson({ "c/": { path: "old/" } }) });
    expect(await values(nowhere, 2)).toEqual(["missing", "missing"]);
    expect(nowhere.findings.find(({ code }) => code === "manifest-prefix-base")).toMatchObject({
      place: nodeAt("a"),
      facts: { path: "old/" },
    });
  });

  it("whose entry is of one chunk are unknown, with the reason", async () => {
    const set = await drop({
      "s/zarr.json": GROUP,
      "s/a/zarr.json": zarrJson({ "c/": { path: "x.bin", offset: 0, length: 1 } }),
      "s/a/x.bin": new Uint8Array([7]),
    });
    expect(await states(set)).toMatchObject({ whole: 0, missing: 0 });
    const [pages] = [...set.index.paged.values()];
    expect(pages?.failureOf(1)).toMatchObject({
      code: "manifest-prefix-unusable",
      place: chunkAt("a", [0]),
      facts: { has: "range" },
    });
  });

  it("shards below a prefix are found as chunks are", async () => {
    const set = await drop({
      "s/zarr.json": GROUP,
      "s/a/zarr.json": zarrJson({ "c/": { path: "old/" } }, SHARDED),
      "s/a/old/1": shard(3, 4),
    });
    expect(await values(set, 4)).toEqual(["missing", "missing", 3, 4]);
  });
});

describe("behind a server", () => {
  let server: RangeServer;
  let elsewhere: RangeServer;
  beforeAll(async () => {
    server = await startRangeServer();
    elsewhere = await startRangeServer({ files: { "/old/0": new Uint8Array([7]), "/old/3": new Uint8Array([8]) } });
  });
  afterAll(async () => {
    await server.stop();
    await elsewhere.stop();
  });
  beforeEach(() => {
    server.reset();
    elsewhere.reset();
  });

  async function open(manifest: unknown, more?: object): Promise<EngineSet> {
    server.put("/s/zarr.json", GROUP);
    server.put("/s/a/zarr.json", zarrJson(manifest, more));
    const opened = await openAny(
      { kind: "url", url: server.url("/s/") },
      { locations: NO_LOCATIONS, network: {}, options: { paths: ["a"] }, context: CONTEXT },
    );
    if (opened.kind !== "set") throw new Error(opened.title);
    return opened.set;
  }

  it("nothing is asked for before a chunk is looked at: until then it is unknown, not missing", async () => {
    const set = await open({ "c/": { path: elsewhere.url("/old/") } });
    expect(await states(set)).toEqual({ whole: 0, missing: 0, unknown: 5, bad: 0 });
    expect(elsewhere.requests).toEqual([]);
    expect(await values(set, 2)).toEqual([7, "missing"]);
    expect(await states(set)).toEqual({ whole: 1, missing: 1, unknown: 3, bad: 0 });
    expect(new Set(elsewhere.requests.map(({ path }) => path))).toEqual(new Set(["/old/0", "/old/1"]));
    expect(await values(set, 5)).toEqual([7, "missing", "missing", 8, "missing"]);
    expect(await states(set)).toEqual({ whole: 2, missing: 3, unknown: 0, bad: 0 });
  });

  it("what the server denies, or does not answer, is not known to be missing", async () => {
    elsewhere.misbehave("/old/1", "403");
    elsewhere.misbehave("/old/2", "500");
    const set = await open({ "c/": { path: elsewhere.url("/old/") } });
    const found = await values(set, 3);
    expect(found[0]).toBe(7);
    expect(found.slice(1)).not.toContain("missing");
    const [pages] = [...set.index.paged.values()];
    expect(pages?.failureOf(2)).toMatchObject({ code: "chunk-denied", facts: { status: 403 } });
    expect(pages?.failureOf(3)?.code).toBe("http-status");
    expect(await states(set)).toEqual({ whole: 1, missing: 0, unknown: 2, bad: 2 });
  });

  it("a manifest that comes only later cannot say which of its chunks are asked for", async () => {
    server.misbehave("/s/a/m.json", "500");
    const set = await open("m.json");
    const [pages] = [...set.index.paged.values()];
    expect(pages?.failureOf(0)?.code).toBe("http-status");
    server.misbehave("/s/a/m.json", "");
    server.put("/s/a/m.json", JSON.stringify({ "c/": { path: elsewhere.url("/old/") } }));
    await pages?.load([0], CONTEXT);
    expect(pages?.failureOf(0)).toMatchObject({ code: "chunk-manifest-prefix", place: nodeAt("a") });
    expect(await states(set)).toMatchObject({ missing: 0 });
  });
});
