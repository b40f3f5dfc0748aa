/** Zarr v3 arrays in Kerchunk JSON: keys of both encodings, and shards that are references into another file. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { digestArray } from "../digest/digest.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { openFiles } from "./open-any.ts";
import { rowsOf } from "../table/rows.ts";
import { shardedCases, type ShardedCase } from "../testing/sharded.ts";
import { openView } from "../table/view.ts";
import { nodeOf } from "#core/findings/fact.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const encoder = new TextEncoder();

async function open(files: Parameters<typeof openFiles>[0]): Promise<EngineSet> {
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(files, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

function newHash() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

const digestOf = async (set: EngineSet, path: string) =>
  (await digestArray(set, arrayNode(set, path), { newHash, perChunk: false }, CONTEXT)).digest;

/** The case's shards one behind another in a file, and a document that points at them. */
async function asReferences({ files }: ShardedCase) {
  const refs: [string, unknown][] = [];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset = 100;
  for (const path of files.list) {
    const read = await files.source(path)?.read(undefined, CONTEXT);
    const bytes = read?.bytes ?? new Uint8Array(0);
    if (path === "zarr.json") refs.push([`group/array/${path}`, new TextDecoder().decode(bytes)]);
    else {
      refs.push([`group/array/${path}`, ["all.bin", offset, bytes.length]]);
      parts.push(bytes);
      offset += bytes.length;
    }
  }
  const text = `{"version":1,"refs":{${refs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}}`;
  return droppedFiles([
    { path: "refs.json", blob: new Blob([text]) },
    { path: "all.bin", blob: new Blob([new Uint8Array(100), ...parts]) },
  ]);
}

describe.each((await shardedCases()).filter(({ name }) => name !== "bad_uneven_config"))("$name", (one) => {
  it("reads the same through references as from its store", async () => {
    const [store, set] = [await open(one.files), await open(await asReferences(one))];
    const [expected, found] = [await digestOf(store, ""), await digestOf(set, "group/array")];
    expect({ ...found, errors: Object.keys(found.errors ?? {}) }).toEqual({
      ...expected,
      errors: Object.keys(expected.errors ?? {}),
    });
  });
});

it.each([
  ["c/1", { name: "default", configuration: { separator: "/" } }],
  ["c.1", { name: "default", configuration: { separator: "." } }],
  ["1", { name: "v2", configuration: { separator: "." } }],
])("keys like %s are chunks", async (key, encoding) => {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: encoding,
    fill_value: 9,
    codecs: [{ name: "bytes" }],
  };
  const refs = { "a/zarr.json": JSON.stringify(metadata), [`a/${key}`]: "base64:AQI=" };
  const document = encoder.encode(JSON.stringify({ version: 1, refs }));
  const set = await open(droppedFiles([{ path: "refs.json", blob: new Blob([document]) }]));
  const digest = await digestOf(set, "a");
  const hash = createHash("sha256")
    .update(Uint8Array.of(9, 9, 1, 2))
    .digest("hex");
  expect(digest).toMatchObject({ sha256: hash });
  expect(set.table.strays).toEqual([]);
});

it("keys of an array whose chunk grid is not read are shown with their locations; one finding names the grid", async () => {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [10],
    data_type: "uint8",
    chunk_grid: { name: "unequal", configuration: { chunk_shapes: [[3, 7]] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 9,
    codecs: [{ name: "bytes" }],
  };
  const refs = {
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "a/zarr.json": JSON.stringify(metadata),
    "a/c/0": ["x.bin", 100, 3],
    "a/c/1": ["x.bin", 103, 7],
  };
  const document = encoder.encode(JSON.stringify({ version: 1, refs }));
  const set = await open(droppedFiles([{ path: "refs.json", blob: new Blob([document]) }]));
  const view = await openView(set.index, { scope: "a", filter: {} }, CONTEXT);
  const rows = rowsOf(view, 0, 10, new Map()).map(({ key, target, offset, length }) => [key, target, offset, length]);
  expect(rows).toEqual([
    ["a/c/0", "x.bin", 100, 3],
    ["a/c/1", "x.bin", 103, 7],
  ]);
  expect(set.findings.map(({ code, place }) => [code, nodeOf(place)])).toEqual([["chunk-grid-unsupported", "a"]]);
  expect(set.findings[0]?.facts).toEqual({ found: '"unequal"' });
});

/** The case's shards in the document itself, as base64. */
async function asInline({ files }: ShardedCase) {
  const refs: [string, string][] = [];
  for (const path of files.list) {
    const bytes = (await files.source(path)?.read(undefined, CONTEXT))?.bytes ?? new Uint8Array(0);
    const isMetadata = path === "zarr.json";
    refs.push([`a/${path}`, isMetadata ? new TextDecoder().decode(bytes) : `base64:${toBase64(bytes)}`]);
  }
  const text = JSON.stringify({ version: 1, refs: Object.fromEntries(refs) });
  return droppedFiles([{ path: "refs.json", blob: new Blob([text]) }]);
}

describe.each((await shardedCases()).filter(({ name }) => name !== "bad_uneven_config"))("inline $name", (one) => {
  it("reads the same from the document as from its store", async () => {
    const [store, set] = [await open(one.files), await open(await asInline(one))];
    const [expected, found] = [await digestOf(store, ""), await digestOf(set, "a")];
    expect({ ...found, errors: Object.keys(found.errors ?? {}) }).toEqual({
      ...expected,
      errors: Object.keys(expected.errors ?? {}),
    });
  });
});
