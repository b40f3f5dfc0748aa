/** Tests of the installed zarrita against Python's results: each of its known faults, run and compared. */
import { describe, expect, it } from "vitest";
import { cellCount, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { ReaderComparison } from "#core/readers/comparison.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openAny, openFiles } from "#engine/open/open-any.ts";
import { shardedCases } from "#engine/testing/sharded.ts";
import { featuresOf } from "./reader-verdicts.ts";
import { serveZarrita, zarritaHere } from "./serve-zarrita.ts";
import { zarritaRun, type RunLimits } from "./zarrita-run.ts";
import type { FromZarrita, ZarritaThread } from "./zarrita-messages.ts";

/** Bytes 0 to 99. */
const FILE = Uint8Array.from({ length: 100 }, (_, at) => at);
const URL = "https://data.example/f.bin";

function serve(input: RequestInfo | globalThis.URL, init?: RequestInit): Promise<Response> {
  const { pathname } = new globalThis.URL(input instanceof Request ? input.url : input);
  if (pathname === "/gone") return Promise.resolve(new Response(null, { status: 404 }));
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("Range") ?? "") ?? [];
  if (first === undefined || last === undefined || pathname === "/no-ranges")
    return Promise.resolve(new Response(FILE, { headers: { "Content-Length": "100" } }));
  const part = FILE.slice(Number(first), Number(last) + 1);
  if (part.length === 0) return Promise.resolve(new Response(null, { status: 416 }));
  const headers = { "Content-Range": `bytes ${first}-${Number(first) + part.length - 1}/100` };
  return Promise.resolve(new Response(part, { status: 206, headers }));
}

function whenDone(): { readonly promise: Promise<void>; readonly done: () => void } {
  let done: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done: () => done() };
}

async function open(document: unknown): Promise<EngineSet> {
  const network = { http: { fetch: serve, attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openAny({ kind: "text", text: JSON.stringify(document), name: "x.json" }, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

const ARRAY = {
  zarr_format: 2,
  shape: [4],
  chunks: [4],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: 7,
};

const zarray = (more: object = {}) => JSON.stringify({ ...ARRAY, ...more });

async function compare(
  refs: Readonly<Record<string, unknown>>,
  { array = "a", at = [0], version = 1 }: { array?: string; at?: readonly number[]; version?: 0 | 1 } = {},
  limits?: RunLimits,
): Promise<ReaderComparison> {
  const run = zarritaRun(await open(version === 0 ? refs : { version, refs }), zarritaHere, limits);
  try {
    return await run.compare(array, at, CONTEXT);
  } finally {
    run.close();
  }
}

describe("the same values", () => {
  it.each([0, 1] as const)("of a range, a value in the document and a missing chunk of Version %s", async (version) => {
    const same = { kind: "same", of: 4 };
    const of = (value: unknown) => compare({ "a/.zarray": zarray(), "a/0": value }, { version });
    expect(await of([URL, 10, 4])).toEqual(same);
    expect(await of("base64:AQIDBA==")).toEqual(same);
    expect(await of("abcd")).toEqual(same);
    expect(await compare({ "a/.zarray": zarray() }, { version })).toEqual(same);
  });

  it("of an array in Fortran order, in the part of the chunk that lies within the array", async () => {
    const metadata = zarray({ shape: [3, 3], chunks: [2, 2], order: "F", dtype: "<i2" });
    const refs = { "a/.zarray": metadata, "a/1.0": [URL, 2, 8] };
    expect(await compare(refs, { at: [1, 0] })).toEqual({ kind: "same", of: 2 });
  });

  it("of booleans, 64-bit integers and texts", async () => {
    const of = (dtype: string, length: number, more = {}) =>
      compare({ "a/.zarray": zarray({ dtype, fill_value: null, ...more }), "a/0": [URL, 0, 4 * length] });
    expect(await of("<i8", 8)).toEqual({ kind: "same", of: 4 });
    expect(await of("<f4", 4)).toEqual({ kind: "same", of: 4 });
    const bool = await compare({ "a/.zarray": zarray({ dtype: "|b1", fill_value: false }), "a/0": [URL, 0, 4] });
    expect(bool).toEqual({ kind: "same", of: 4 });
    const text = zarray({ dtype: "<U1", shape: [2], chunks: [2], fill_value: "" });
    expect(await compare({ "a/.zarray": text, "a/0": "base64:YQAAAGIAAAA=" })).toEqual({ kind: "same", of: 2 });
  });

  it("of a document that templates and gen make, from what they render to", async () => {
    const templates = { u: "https://data.example" };
    const gen = [{ key: "a/{{i}}", url: "{{u}}/f.bin", offset: "{{i * 4}}", length: "4", dimensions: { i: [0, 1] } }];
    const refs = { "a/.zarray": zarray({ shape: [8] }) };
    const run = zarritaRun(await open({ version: 1, templates, gen, refs }), zarritaHere);
    expect(await run.compare("a", [1], CONTEXT)).toEqual({ kind: "same", of: 4 });
    expect(await run.compare("a", [0], CONTEXT)).toEqual({ kind: "same", of: 4 });
  });
});

describe("rectilinear chunk grids", () => {
  it.each([
    ["unequal", [[3, 1]]],
    ["all alike", [4]],
  ])("whose edges are %s are not known to it, and no chunk is read", async (_what, shapes) => {
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type: "uint8",
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: shapes } },
      chunk_key_encoding: { name: "default" },
      fill_value: 0,
      codecs: [{ name: "bytes" }],
    };
    const refs = { "a/zarr.json": JSON.stringify(metadata), "a/c/0": [URL, 20, shapes[0] === 4 ? 4 : 3] };
    const found = await compare(refs);
    expect(found).toMatchObject({ kind: "error" });
    expect(found).not.toHaveProperty("ours");
    const set = await open({ version: 1, refs });
    const uses = await featuresOf(set, [], CONTEXT);
    expect(uses.find(({ feature }) => feature === "rectilinear-grid")).toMatchObject({ arrays: ["a"] });
  });
});

describe("zarrita's ReferenceStore", () => {
  it("throws on a reference to a whole file", async () => {
    const found = await compare({ "a/.zarray": zarray({ shape: [100], chunks: [100] }), "a/0": [URL] });
    expect(found).toEqual({ kind: "error", error: expect.stringMatching(/Range out of bounds.*length=0/) as string });
  });

  it("takes the whole file for the chunk where a server ignores ranges", async () => {
    const found = await compare({ "a/.zarray": zarray(), "a/0": ["https://data.example/no-ranges", 10, 4] });
    expect(found).toEqual({ kind: "differs", count: 4, of: 4, first: [0], ours: "10", theirs: "0" });
  });

  it("fills a chunk that is too short with zeros", async () => {
    const found = await compare({ "a/.zarray": zarray(), "a/0": [URL, 10, 3] });
    expect(found).toMatchObject({
      kind: "made-up",
      first: "10",
      of: 4,
      ours: { place: { kind: "chunk", array: "a" } },
    });
  });

  it("fills a range that reaches past the end of the file with zeros", async () => {
    expect(await compare({ "a/.zarray": zarray(), "a/0": [URL, 98, 4] })).toMatchObject({
      kind: "made-up",
      first: "98",
      ours: { code: "short-read" },
    });
  });

  it("takes the length of the target for that of a shard within it", async () => {
    const sharding = {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [2],
        codecs: [{ name: "bytes" }],
        index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      },
    };
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type: "uint8",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
      chunk_key_encoding: { name: "default" },
      fill_value: 7,
      codecs: [sharding],
    };
    const refs = { "a/zarr.json": JSON.stringify(metadata), "a/c/0": [URL, 20, 36] };
    const { promise, done } = whenDone();
    const heard: FromZarrita[] = [];
    const asked: string[] = [];
    const answer = serveZarrita((message) => {
      if (message.kind !== "request") {
        heard.push(message);
        done();
        return;
      }
      asked.push(message.of.method);
      const response = { status: 200, length: FILE.length };
      queueMicrotask(() => answer({ kind: "answer", request: message.request, response }));
    });
    answer({ kind: "open", source: { kind: "references", text: JSON.stringify({ version: 1, refs }) } });
    answer({ kind: "read", id: 1, array: "a", zarrFormat: 3, coordinates: [1] });
    await promise;
    expect(asked).toEqual(["HEAD"]);
    expect(heard).toEqual([{ kind: "error", id: 1, error: expect.stringMatching(/Range out of bounds/) as string }]);
  });

  it("reads the fill value where the target is not there", async () => {
    const found = await compare({ "a/.zarray": zarray(), "a/0": ["https://data.example/gone", 0, 4] });
    expect(found).toMatchObject({ kind: "made-up", first: "7", ours: { code: "http-status" } });
  });

  it.each(["my var", "é", "a#b", "a?b"])("does not find the array %s", async (array) => {
    const found = await compare({ [`${array}/.zarray`]: zarray(), [`${array}/0`]: [URL, 0, 4] }, { array });
    expect(found).toEqual({ kind: "error", error: expect.stringMatching(/not found/i) as string });
  });

  it("does not find metadata that are written as a JSON object", async () => {
    const refs = { "a/.zarray": ARRAY, "a/0": [URL, 0, 4] };
    expect(await compare(refs)).toEqual({ kind: "error", error: expect.stringMatching(/not found/i) as string });
    const older = await compare(refs, { version: 0 });
    expect(older).toEqual({ kind: "error", error: expect.stringMatching(/not iterable/) as string });
  });

  it("fails on metadata with a bare NaN, which Python writes", async () => {
    const refs = { "a/.zarray": zarray(), "a/.zattrs": '{"_FillValue": NaN}', "a/0": "abcd" };
    expect(await compare(refs)).toEqual({ kind: "error", error: expect.stringMatching(/decode JSON/) as string });
  });

  it("gives lists of json2 for elements where there are several dimensions", async () => {
    const of = (shape: readonly number[], value: string) =>
      compare(
        {
          "a/.zarray": zarray({ dtype: "|O", shape, chunks: shape, filters: [{ id: "json2" }], fill_value: null }),
          "a/0.0": value,
          "a/0": value,
        },
        { at: shape.map(() => 0) },
      );
    expect(await of([2], '["x","y","|O",[2]]')).toEqual({ kind: "same", of: 2 });
    expect(await of([1, 2], '[["x","y"],"|O",[1,2]]')).toMatchObject({
      kind: "differs",
      count: 2,
      ours: "x",
      theirs: '["x","y"]',
    });
  });

  it("cannot ask for a relative URL outside a page", async () => {
    const heard: FromZarrita[] = [];
    const { promise, done } = whenDone();
    const answer = serveZarrita((message) => {
      heard.push(message);
      done();
    });
    const text = JSON.stringify({ version: 1, refs: { "a/.zarray": zarray(), "a/0": ["f.bin", 0, 4] } });
    answer({ kind: "open", source: { kind: "references", text } });
    answer({ kind: "read", id: 1, array: "a", zarrFormat: 2, coordinates: [0] });
    await promise;
    expect(heard).toEqual([{ kind: "error", id: 1, error: expect.stringMatching(/parse URL/) as string }]);
  });

  it("takes a null URL for no reference", async () => {
    const found = await compare({ "a/.zarray": zarray(), "a/0": [null, 0, 4] });
    expect(found).toMatchObject({ kind: "made-up", first: "7" });
  });

  it("throws for a missing chunk of 64-bit integers without a fill value", async () => {
    const found = await compare({ "a/.zarray": zarray({ dtype: "<i8", fill_value: null }) });
    expect(found).toEqual({ kind: "error", error: expect.stringMatching(/null to a BigInt/) as string });
  });

  it("does not know dates", async () => {
    const found = await compare({ "a/.zarray": zarray({ dtype: "<M8[s]" }), "a/0": [URL, 0, 32] });
    expect(found).toMatchObject({ kind: "error" });
  });

  it("reads the fill value for an empty text", async () => {
    expect(await compare({ "a/.zarray": zarray(), "a/0": "" })).toMatchObject({ kind: "made-up", first: "7" });
  });

  it("has no codec fletcher32", async () => {
    const filters = [{ id: "fletcher32" }];
    const found = await compare({ "a/.zarray": zarray({ filters }), "a/0": "base64:AQIDBAQGAQQ=" });
    expect(found).toMatchObject({ kind: "error", error: expect.stringMatching(/fletcher32/) as string });
  });
});

describe("zarrita over a Zarr store", () => {
  /** Result for each chunk of the first array. */
  async function inStore(name: string): Promise<readonly ReaderComparison[]> {
    const one = (await shardedCases()).find((each) => each.name === name);
    if (one === undefined) throw new Error(name);
    const opened = await openFiles(one.files, { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT });
    if (opened.kind === "choose") throw new Error(opened.title);
    const { set } = opened;
    const array = [...set.hierarchy.nodes.values()].find((node) => node.kind === "array");
    if (array === undefined) throw new Error(`${name} has no array`);
    const run = zarritaRun(set, zarritaHere, { milliseconds: 20_000, chunkBytes: 1 << 20, bytes: 1 << 20 });
    const grid = gridOf(array.metadata.shape, array.metadata.chunks);
    const found: ReaderComparison[] = [];
    for (let ordinal = 0; ordinal < cellCount(grid); ordinal += 1)
      found.push(await run.compare(array.path, coordinatesOf(grid, ordinal), CONTEXT));
    return found;
  }

  const kinds = async (name: string) => [...new Set((await inStore(name)).map(({ kind }) => kind))].toSorted();

  it("reads inner chunks of shards with the index at the end", async () => {
    expect(await kinds("end_plain")).toEqual(["same"]);
    expect(await kinds("inner_crc32c")).toEqual(["same"]);
    expect(await kinds("missing_shard")).toEqual(["same"]);
  });

  it("does not know that the index may be at the start", async () => {
    expect(await kinds("start_gzip")).toContain("error");
    expect(await kinds("start_gzip")).not.toContain("same");
  });

  it("has no shards in shards, and ignores codecs beside sharding", async () => {
    const [first] = await inStore("nested");
    expect(first).toMatchObject({ kind: "error", error: expect.stringMatching(/sharding_indexed/) as string });
    expect(await kinds("sharding_then_gzip")).not.toContain("same");
  });

  it("never looks at a checksum", async () => {
    expect(await kinds("bad_inner_crc")).toEqual(["made-up", "same"]);
    expect(await kinds("bad_index_crc")).toEqual(["made-up"]);
  });
});

describe("limits", () => {
  const refs = { "a/.zarray": zarray(), "a/0": [URL, 0, 4] };
  const limits: RunLimits = { milliseconds: 1000, chunkBytes: 100, bytes: 1000 };

  it("are kept: a chunk that is too large is not read, and no more bytes are fetched than may be", async () => {
    expect(await compare(refs, {}, { ...limits, chunkBytes: 3 })).toEqual({ kind: "not-run", why: "too-large" });
    // The runtime, not the set, decides how zarrita reads float16.
    const half = await compare({ "a/.zarray": zarray({ dtype: "<f2", shape: [1], chunks: [1] }), "a/0": "\0<" });
    expect(half.kind).toBe("Float16Array" in globalThis ? "same" : "not-run");
    const found = await compare(refs, {}, { ...limits, bytes: 3 });
    expect(found).toMatchObject({ kind: "error", error: expect.stringMatching(/More bytes/) as string });
  });

  it("end a thread that does not answer, and one that dies is noticed", async () => {
    let ends = 0;
    let ended: () => void = () => undefined;
    const silent: ZarritaThread = {
      post: () => undefined,
      listen: (_, died) => {
        ended = died;
      },
      end: () => {
        ends += 1;
      },
    };
    const run = zarritaRun(await open({ version: 1, refs }), () => silent, { ...limits, milliseconds: 1 });
    expect(await run.compare("a", [0], CONTEXT)).toEqual({ kind: "not-run", why: "timeout" });
    expect(ends).toBe(1);
    const dying = zarritaRun(await open({ version: 1, refs }), () => ({ ...silent, post: () => ended() }), limits);
    expect(await dying.compare("a", [0], CONTEXT)).toEqual({ kind: "not-run", why: "ended" });
  });

  it("cancelling ends it, and it can be asked again", async () => {
    const stop = new AbortController();
    const run = zarritaRun(await open({ version: 1, refs }), zarritaHere);
    const waiting = run.compare("a", [0], { ...CONTEXT, signal: stop.signal });
    stop.abort(new DOMException("Stopped", "AbortError"));
    await expect(waiting).rejects.toThrow("Stopped");
    expect(await run.compare("a", [0], CONTEXT)).toEqual({ kind: "same", of: 4 });
  });
});

it("a template in a document is never run as code", async () => {
  const heard: FromZarrita[] = [];
  const posted: unknown[] = [];
  const answer = serveZarrita((message) => heard.push(message));
  const thread: ZarritaThread = {
    post: (message) => {
      posted.push(message);
      answer(message);
    },
    listen: () => undefined,
    end: () => undefined,
  };
  const refs = { "a/.zarray": zarray(), "a/0": ["https://data.example/{{ constructor.constructor('x')() }}", 0, 4] };
  const limits: RunLimits = { milliseconds: 50, chunkBytes: 100, bytes: 1000 };
  await zarritaRun(await open({ version: 1, refs }), () => thread, limits).compare("a", [0], CONTEXT);
  expect(JSON.stringify(posted)).not.toContain("{{");
});
