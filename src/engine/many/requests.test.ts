/** How many requests a whole array takes, counted by a pretended server. */
import { expect, it } from "vitest";
import { parseSelection } from "#core/plane/selection.ts";
import { arrayNode } from "../engine-set.ts";
import { createEngine } from "../engine.ts";
import { openAny } from "../open/open-any.ts";
import { NO_LOCATIONS, OWN_MERGE } from "#core/byte-source.ts";
import { readSelection } from "./read-selection.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const CHUNK = 256 * 1024;
/** 64 MB. */
const CHUNKS = 256;
/** Before the first chunk, as files have headers. */
const HEADER = 4096;
const BLOCKS = (CHUNKS * CHUNK) / OWN_MERGE.most;

/** All bytes of a chunk are its number. */
function servedBytes(offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = offset; at < offset + length;) {
    const chunk = Math.floor((at - HEADER) / CHUNK);
    const end = Math.min(offset + length, HEADER + (chunk + 1) * CHUNK);
    bytes.fill(chunk, at - offset, end - offset);
    at = end;
  }
  return bytes;
}

/** Ranges of a file; `asked` has those that were asked for. */
function server() {
  const asked: (readonly [offset: number, length: number])[] = [];
  const fetch = (_: string, init: RequestInit): Promise<Response> => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init.headers).get("range") ?? "") ?? [];
    const [offset, end] = [Number(first), Number(last) + 1];
    asked.push([offset, end - offset]);
    const headers = { "content-range": `bytes ${offset}-${end - 1}/*`, "content-length": String(end - offset) };
    return Promise.resolve(new Response(servedBytes(offset, end - offset), { status: 206, headers }));
  };
  return { asked, fetch };
}

function references(): string {
  const zarray = { zarr_format: 2, dtype: "|u1", fill_value: 0, order: "C", compressor: null, filters: null };
  const chunks = Array.from({ length: CHUNKS }, (_, at) => [
    `a/${at}`,
    ["https://data.example/one.bin", HEADER + at * CHUNK, CHUNK],
  ]);
  const array = JSON.stringify({ ...zarray, shape: [CHUNKS * CHUNK], chunks: [CHUNK] });
  return JSON.stringify({ version: 1, refs: { "a/.zarray": array, ...Object.fromEntries(chunks) } });
}

it("a selection of chunks that lie one after another takes one request a block", async () => {
  const { asked, fetch } = server();
  const source = { kind: "text", text: references(), name: "refs.json" } as const;
  const opening = { locations: NO_LOCATIONS, network: { http: { fetch } }, options: {}, context: context() };
  const opened = await openAny(source, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  const node = arrayNode(opened.set, "a");
  const request = { set: opened.set, node, selection: parseSelection("::4096", [CHUNKS * CHUNK]) };
  const { bytes, failed } = await readSelection(request, context());
  expect(failed.size).toBe(0);
  expect([...bytes]).toEqual(Array.from(bytes, (_, at) => Math.floor((at * 4096) / CHUNK)));
  expect(asked).toEqual(Array.from({ length: BLOCKS }, (_, at) => [HEADER + at * OWN_MERGE.most, OWN_MERGE.most]));
});

it("so do chunks that a picture wants one by one", async () => {
  const { asked, fetch } = server();
  const engine = createEngine({ http: { fetch } });
  const source = { kind: "text", text: references(), name: "refs.json" } as const;
  const opened = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (opened.kind !== "set") throw new Error(opened.title);
  const of = { set: opened.set.id, array: "a", scaled: false, steps: { down: 1, across: CHUNK } };
  const plane = { row: undefined, column: 0, at: [0] };
  const tiles = await Promise.all(
    Array.from({ length: CHUNKS }, (_, chunk) =>
      engine.call("plane.tile", { ...of, plane, coordinates: [chunk] }, context()),
    ),
  );
  expect(tiles.map((tile) => tile.kind === "values" && tile.values[0])).toEqual(tiles.map((_, at) => at));
  expect(asked).toHaveLength(BLOCKS);
});
