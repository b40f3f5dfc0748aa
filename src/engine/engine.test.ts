import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, vi } from "vitest";
import { grown, type EngineEvent } from "../core/engine-event.ts";
import { NO_LOCATIONS } from "../core/byte-source.ts";
import { createEngine } from "./engine.ts";

const folder = resolve(import.meta.dirname, "../../e2e/fixtures/parquet-2-dim");
const context = () => ({ signal: new AbortController().signal, report: () => undefined });

/** The folder as a server gives it: nothing can be listed. */
const served: typeof fetch = async (input, init) => {
  const path = join(folder, decodeURIComponent(new URL(input as string).pathname));
  if (!existsSync(path)) return new Response(undefined, { status: 404 });
  const bytes = readFileSync(path);
  const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get("range") ?? "");
  if (range === null) return new Response(bytes);
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
  const headers = { "content-range": `bytes ${first}-${last}/${bytes.length}` };
  return new Response(bytes.subarray(first, last + 1), { status: 206, headers });
};

async function openParquet() {
  const engine = createEngine({ http: { fetch: served } });
  const events: EngineEvent[] = [];
  engine.listen((event) => events.push(event));
  const source = { kind: "url", url: "https://data.example/" } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error(answer.title);
  return { engine, set: answer.set, events };
}

it("says what has become known of a set whose references came page by page", async () => {
  const { engine, set, events } = await openParquet();
  expect(set.states.unknown).toBeGreaterThan(0);
  await engine.call("set.loadPages", { set: set.id, path: "" }, context());
  await vi.waitFor(() => expect(events).toHaveLength(1));
  const [event] = events;
  if (event?.kind !== "grown") throw new Error("another event");
  const now = grown(set, event.growth);
  const summary = await engine.call("set.summary", { set: set.id }, context());
  expect({ ...now, tableBytes: 0 }).toEqual({ ...summary, tableBytes: 0 });
  expect(summary.states.unknown).toBe(0);
});

it("says that a chunk was read, and what that gave", async () => {
  const { engine, set, events } = await openParquet();
  const { path, grid } = set.nodes.find(({ kind }) => kind === "array")!;
  const coordinates = grid!.map(() => 0);
  const reading = await engine.call("chunk.read", { set: set.id, array: path, coordinates }, context());
  expect(events).toContainEqual({ kind: "read", set: set.id });
  const results = await engine.call("chunk.results", { set: set.id, array: path }, context());
  expect(results.ok + results.failed).toBe(1);
  expect(await engine.call("chunk.findings", { set: set.id }, context())).toEqual([[reading.key, reading.findings]]);
});

it("shows a large document before its references are counted, and nothing of it as known until then", async () => {
  const rows = 100_002;
  const zarray = {
    zarr_format: 2,
    shape: [rows],
    chunks: [1],
    dtype: "|u1",
    compressor: null,
    fill_value: 0,
    filters: null,
    order: "C",
  };
  const chunks = Array.from({ length: rows - 1 }, (_, at) => `"a/${at}":["b.bin",${at},1]`).join(",");
  const text = `{".zgroup":{"zarr_format":2},"a/.zarray":${JSON.stringify(zarray)},${chunks}}`;
  const engine = createEngine();
  const source = { kind: "text", text, name: "large.json" } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error(answer.title);
  const { isCounted, states, nodes } = answer.set;
  expect({ isCounted, unknown: states.unknown, missing: states.missing }).toEqual({
    isCounted: false,
    unknown: rows,
    missing: 0,
  });
  expect(nodes.find(({ path }) => path === "a")).toMatchObject({ cells: rows, unknown: rows });
  const counted = await engine.call("set.summary", { set: answer.set.id }, context());
  expect(counted).toMatchObject({ isCounted: true, states: { unknown: 0, missing: 1, range: rows - 1 } });
});

it("forgets what failed when targets are given or moved, and keeps what was read", async () => {
  const zarray = { zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1", compressor: null, fill_value: 0, order: "C" };
  const refs = { "a/.zarray": JSON.stringify({ ...zarray, filters: null }), "a/0": ["one.bin", 0, 1], "a/1": "x" };
  const engine = createEngine();
  const source = { kind: "text", text: JSON.stringify(refs), name: "set.json" } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error(answer.title);
  const { id: set } = answer.set;
  for (const at of [0, 1]) await engine.call("chunk.read", { set, array: "a", coordinates: [at] }, context());
  expect((await engine.call("chunk.tally", { set }, context())).arrays).toEqual([
    { path: "a", ok: 1, failed: 0, unreached: 1 },
  ]);
  const files = { kind: "files", files: [{ path: "one.bin", blob: new Blob(["x"]) }] } as const;
  await engine.call("set.locate", { set, locations: NO_LOCATIONS, files }, context());
  expect((await engine.call("chunk.tally", { set }, context())).arrays).toEqual([{ path: "a", ok: 1, failed: 0 }]);
  const read = await engine.call("chunk.read", { set, array: "a", coordinates: [0] }, context());
  expect(read.outcome).toBe("ok");
});

it("fetches the references that are not here for a check of all", async () => {
  const { engine, set } = await openParquet();
  const costs = await engine.call("check.costs", { set: set.id }, context());
  expect(costs.unknown).toBeGreaterThan(0);
  await engine.call("check.values", { set: set.id }, context());
  const summary = await engine.call("set.summary", { set: set.id }, context());
  expect(summary.states.unknown).toBe(0);
});
