/** Arrays of stores and repositories whose chunk grid is not read: what their references are is listed all the same. */
import { expect, it } from "vitest";
import { nodeOf } from "#core/findings/fact.ts";
import { fixtureFiles, testZstd } from "#formats/icechunk/testing/objects.ts";
import { CONTEXT, openServed, openSet } from "../repository/testing/open.ts";
import { overviewOf } from "../describe/overview.ts";
import type { EngineSet } from "../engine-set.ts";
import { rowsOf } from "../table/rows.ts";
import { openView } from "../table/view.ts";
import { loadRest } from "../table/load-pages.ts";

const encoder = new TextEncoder();

const metadata = (separator: "/" | ".") => ({
  zarr_format: 3,
  node_type: "array",
  shape: [10],
  data_type: "uint8",
  chunk_grid: { name: "unequal", configuration: { chunk_shapes: [[3, 7]] } },
  chunk_key_encoding: { name: "default", configuration: { separator } },
  fill_value: 9,
  codecs: [{ name: "bytes" }],
});

async function rowsBelow(set: EngineSet, scope: string) {
  const view = await openView(set.index, { scope, filter: {} }, CONTEXT);
  return rowsOf(view, 0, 100, set.met.results, set.nativePlace);
}

it.each(["/", "."] as const)("objects of a store are rows with their sizes (keys with %j)", async (separator) => {
  const texts = {
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "a/zarr.json": JSON.stringify(metadata(separator)),
    [`a/c${separator}0`]: "abc",
    [`a/c${separator}1`]: "abcdefg",
    "a/README": "no chunk",
  };
  const set = await openSet(new Map(Object.entries(texts).map(([key, text]) => [key, encoder.encode(text)])));
  const rows = await rowsBelow(set, "a");
  expect(rows.map(({ key, state, length }) => [key, state, length])).toEqual([
    [`a/c${separator}0`, "native", 3],
    [`a/c${separator}1`, "native", 7],
  ]);
  expect((await overviewOf(set, "a", CONTEXT)).states).toMatchObject({ native: 2 });
  expect(rows[0]?.reasons).toMatchObject([{ code: "chunk-grid-unsupported" }]);
  expect(set.findings.map(({ code, place }) => [code, nodeOf(place)])).toEqual([["chunk-grid-unsupported", "a"]]);
});

it("so are those whose keys are encoded in a way that is not read", async () => {
  const other = { ...metadata("/"), chunk_key_encoding: { name: "suffix", configuration: { suffix: ".tif" } } };
  const texts = {
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "a/zarr.json": JSON.stringify({ ...other, chunk_grid: { name: "regular", configuration: { chunk_shape: [5] } } }),
    "a/c/0.tif": "abcde",
    "a/README": "no chunk",
  };
  const set = await openSet(new Map(Object.entries(texts).map(([key, text]) => [key, encoder.encode(text)])));
  const rows = await rowsBelow(set, "a");
  expect(rows.map(({ key, state, length }) => [key, state, length])).toEqual([["a/c/0.tif", "native", 5]]);
  expect(set.findings.map(({ code, place }) => [code, nodeOf(place)])).toEqual([["chunk-keys-unsupported", "a"]]);
});

const HEADER_BYTES = 39;
const decoder = new TextDecoder("latin1");

/** The same repository with another name of the same length for its regular chunk grids. */
async function withUnreadGrids(): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map(fixtureFiles("v2"));
  for (const [path, bytes] of files) {
    if (!path.startsWith("snapshots/")) continue;
    const body = await testZstd.decompress(bytes.subarray(HEADER_BYTES), { limit: 2 ** 24 });
    const text = decoder.decode(body).replaceAll('"regular"', '"unequal"');
    const header = bytes.slice(0, HEADER_BYTES);
    header[38] = 0; // Not compressed.
    files.set(path, Buffer.concat([header, Buffer.from(text, "latin1")]));
  }
  return files;
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const placesOf = async (set: EngineSet) =>
  (await rowsBelow(set, ""))
    .filter(({ state }) => state !== "missing")
    .map(({ key, state, target, offset, length }) => [key, state, target, offset, length].join(" "))
    .toSorted(inOrder);

it("references of a repository are rows with their locations: virtual, native and inline ones", async () => {
  const [regular, unread] = [await openSet(fixtureFiles("v2")), await openSet(await withUnreadGrids())];
  const places = await placesOf(unread);
  expect(places).toEqual(await placesOf(regular));
  expect(places.filter((place) => place.includes(" virtual "))).not.toEqual([]);
  const arrays = [...regular.hierarchy.nodes.values()].filter(({ kind }) => kind === "array").map(({ path }) => path);
  const found = unread.findings.filter(({ code }) => code === "chunk-grid-unsupported");
  expect(new Set(found.map(({ place }) => nodeOf(place)))).toEqual(new Set(arrays));
  expect(unread.tally.states).toMatchObject({ missing: 0, unknown: 0 });
});

it("manifests behind an address are read when the rest is asked for", async () => {
  const { set } = await openServed(await withUnreadGrids());
  expect(await rowsBelow(set, "")).toEqual([]);
  const pages = set.nodes.flatMap((node) => (node.pages === undefined ? [] : [node.pages]));
  expect(pages.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
  await loadRest(set, "", CONTEXT);
  expect(await placesOf(set)).toEqual(await placesOf(await openSet(fixtureFiles("v2"))));
});
