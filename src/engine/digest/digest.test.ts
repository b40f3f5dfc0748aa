/** Hashes of stores as NumPy sees their arrays, and of those without chunks. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { digestArray } from "./digest.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { openFiles } from "../open/open-any.ts";

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

async function digestOf(set: EngineSet, mostBytes?: number) {
  const newHash = () => {
    const hash = createHash("sha256");
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  return (
    await digestArray(
      set,
      arrayNode(set, ""),
      { newHash, perChunk: false, ...(mostBytes === undefined ? {} : { mostBytes }) },
      CONTEXT,
    )
  ).digest;
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

describe("a digest of rows of chunks that are too large at once", () => {
  const files = (members: object, count: number) => ({
    ".zarray": { ...version2("|u1", 7), ...members },
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`1.${at}.0`, Uint8Array.from({ length: 4 }, (__, i) => 10 * at + i)]),
    ),
  });

  it("is of smaller rows, where chunks have one element along the dimensions before", async () => {
    const set = await openStore(files({ shape: [2, 5, 3], chunks: [1, 2, 2] }, 3));
    const whole = await digestOf(set);
    expect(whole.sha256).toBeDefined();
    expect(await digestOf(set, 6)).toEqual(whole);
    const one = await openStore(files({ shape: [2, 3, 4], chunks: [1, 1, 4] }, 3));
    expect(await digestOf(one, 4)).toEqual(await digestOf(one));
  });

  it("is none where they have more", async () => {
    const set = await openStore(files({ shape: [4, 5, 3], chunks: [2, 1, 2] }, 3));
    const facts = { unit: "bytes", found: 30, limit: 29 };
    expect(Object.values((await digestOf(set, 29)).errors ?? {})[0]).toMatchObject({ code: "digest-too-large", facts });
  });
});

const text = (content: string) => createHash("sha256").update(content).digest("hex");
const objects = (filter: string, fill: unknown, more: object = {}) => ({
  ...version2("|O", fill),
  shape: [4],
  chunks: [2],
  filters: [{ id: filter }],
  ...more,
});

describe("a digest of objects", () => {
  it("is of one JSON list in C order, missing chunks as fill_value", async () => {
    const stored = new TextEncoder().encode('["\u00e9",{"k":[1.0,null]},"|O",[2]]');
    const set = await openStore({ ".zarray": objects("json2", 0), 1: stored });
    const sha256 = text('[0, 0, "\\u00e9", {"k": [1.0, null]}]');
    expect(await digestOf(set)).toMatchObject({ dtype: "|O", sha256, sha256_json: sha256 });
    const empty = await openStore({ ".zarray": objects("vlen-utf8", ""), 1: Uint8Array.of(1) });
    expect((await digestOf(empty)).errors).toHaveProperty("1");
  });

  it("cuts at the array's edge and turns F order", async () => {
    const cells = ["a", "b", "c", "d"].flatMap((letter) => [1, 0, 0, 0, letter.charCodeAt(0)]);
    const members = { shape: [2, 3], chunks: [2, 2], order: "F" };
    const files = { ".zarray": objects("vlen-utf8", "", members), "0.1": Uint8Array.of(4, 0, 0, 0, ...cells) };
    const set = await openStore(files);
    expect(await digestOf(set)).toMatchObject({ sha256: text('["", "", "a", "", "", "b"]') });
  });

  it("has none of what is too large to be put together", async () => {
    const tooLarge = async (members: object) => {
      const set = await openStore({ ".zarray": objects("vlen-utf8", "", members) });
      return Object.values((await digestOf(set)).errors ?? {})[0];
    };
    const chunks = await tooLarge({ shape: [5_000_001], chunks: [1] });
    expect(chunks).toMatchObject({ code: "digest-too-large", facts: { unit: "chunks", found: 5_000_001 } });
    const elements = await tooLarge({ shape: [2, 2 ** 24], chunks: [2, 2 ** 24] });
    expect(elements).toMatchObject({ code: "digest-too-large", facts: { unit: "elements", found: 2 ** 25 } });
  });

  it("takes fill values of Zarr v3 for elements of the type", async () => {
    const bytes = await openStore({ "zarr.json": version3("bytes", "YSc=", { codecs: [{ name: "vlen-bytes" }] }) });
    expect(await digestOf(bytes)).toMatchObject({ sha256: text(`["b\\"a'\\"", "b\\"a'\\""]`) });
    const number = await openStore({ "zarr.json": version3("string", 0, { codecs: [{ name: "vlen-utf8" }] }) });
    expect(await digestOf(number)).toMatchObject({ sha256: text('["0", "0"]') });
    const odd = await openStore({ "zarr.json": version3("string", [], { codecs: [{ name: "vlen-utf8" }] }) });
    expect((await digestOf(odd)).errors).toHaveProperty("c/0");
  });

  it("has none where nothing makes them, or only pickle does", async () => {
    const none = await openStore({ ".zarray": { ...objects("x", 0), filters: null } });
    expect(Object.values((await digestOf(none)).errors ?? {})[0]?.code).toBe("object-codec-missing");
    const pickled = await openStore({ ".zarray": objects("pickle", 0), 0: Uint8Array.of(0x80, 4) });
    expect(Object.values((await digestOf(pickled)).errors ?? {})[0]?.code).toBe("pickle-refused");
  });
});

describe("a digest of what nothing defines", () => {
  it("is of zeros, or null for objects, and says so", async () => {
    const numbers = await openStore({ ".zarray": version2("<i2", null), 0: Uint8Array.of(1, 0) });
    expect(await digestOf(numbers)).toMatchObject({ sha256: sha([1, 0, 0, 0]), undefined: true });
    const list = await openStore({ ".zarray": objects("vlen-utf8", null) });
    expect(await digestOf(list)).toMatchObject({ sha256: text("[null, null, null, null]"), undefined: true });
    const whole = await openStore({ ".zarray": { ...version2("<i2", null), shape: [1] }, 0: Uint8Array.of(1, 0) });
    expect(await digestOf(whole)).not.toHaveProperty("undefined");
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
    await expect(loadRest(set, "", CONTEXT)).rejects.toMatchObject({
      finding: { code: "too-many-pages", place: WHOLE_SET, facts: { limit: 200_000 } },
    });
    await set.refresh(CONTEXT);
    expect(set.tally.states.unknown).toBe(1_000_000_000);
    expect((await digestOf(set)).sha256).toBeUndefined();
  });
});
