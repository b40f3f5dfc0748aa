/** Relative URLs of records lead to the same files from a server as from a disk, and which folder that is is said. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { corpus } from "#core/testing/corpus.ts";
import { droppedFiles } from "#io/local-files.ts";
import { hostLimit } from "#io/http/host-limit.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { openAny, openFiles } from "../open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const FIXTURES = new URL("../../../formats/kerchunk-parquet/fixtures/", import.meta.url);
const record = (name: string) => readFileSync(new URL(`${name}.parq`, FIXTURES));
const METADATA = Buffer.from(
  JSON.stringify({
    metadata: {
      ".zgroup": { zarr_format: 2 },
      "a/.zarray": {
        zarr_format: 2,
        shape: [3],
        chunks: [1],
        dtype: "|u1",
        fill_value: 0,
        order: "C",
        filters: null,
        compressor: null,
      },
    },
    record_size: 3,
  }),
);

type Files = Readonly<Record<string, Buffer>>;

let files: Files = {};
let asked: string[] = [];
let server: Server;
let origin = "";

beforeAll(async () => {
  server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(url.replace(/\?.*/, "").slice(1));
    asked.push(path);
    const bytes = files[path];
    response.writeHead(bytes === undefined ? 404 : 200, { "content-length": bytes?.length ?? 0 }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

const opening = (choice?: string) => ({
  locations: { ...NO_LOCATIONS, allowPrivate: true },
  network: { http: { limit: hostLimit(), attempts: 1 } },
  options: { choice },
  context: CONTEXT,
});

async function loaded(opened: Awaited<ReturnType<typeof openAny>>): Promise<EngineSet> {
  if (opened.kind !== "set") throw new Error(opened.title);
  for (const pages of opened.set.index.paged.values()) await pages.load(pages.rest(), CONTEXT);
  return opened.set;
}

async function byUrl(there: Files, address: string): Promise<EngineSet> {
  files = there;
  asked = [];
  return loaded(await openAny({ kind: "url", url: `${origin}/${address}` }, opening()));
}

async function onDisk(there: Files): Promise<EngineSet> {
  const dropped = Object.entries(there).map(([path, bytes]) => ({ path, blob: new Blob([new Uint8Array(bytes)]) }));
  return loaded(await openFiles(droppedFiles(dropped), opening()));
}

async function said(set: EngineSet) {
  await set.refresh(CONTEXT);
  return set.findings.filter(({ code }) => code === "parquet-path-base");
}

/** Address or path that the first relative URL leads to. */
function firstPlace({ targets, table }: EngineSet): string {
  const resolution = targets.resolve(table.targets.text(0));
  if (resolution.kind === "url") return resolution.url.replace(`${origin}/`, "");
  return resolution.kind === "file" ? resolution.path : "nowhere";
}

const SET = { "pub/set.parq/.zmetadata": METADATA, "pub/set.parq/a/refs.0.parq": record("fastparquet") };
const NAMES = ["rain1.0.nc", "rain1.1.nc", "rain1.2.nc"];
const FOLDERS = { beside: "pub/", inside: "pub/set.parq/", record: "pub/set.parq/a/" };
const placedIn = (folder: string): Files => Object.fromEntries(NAMES.map((name) => [folder + name, Buffer.from("x")]));

describe.each(Object.entries(FOLDERS))("files %s the set", (folder, path) => {
  const there = { ...SET, ...placedIn(path), ...placedIn("others/") };
  const facts = { folder, by: "found", others: [] };

  it("are found by URL", async () => {
    const set = await byUrl(there, "pub/set.parq");
    expect(firstPlace(set)).toBe(`${path}rain1.0.nc`);
    expect((await said(set)).map((one) => one.facts)).toEqual([facts]);
    await set.targets.read(set.targets.resolve(set.table.targets.text(2)), undefined, CONTEXT);
  });

  it("are found on disk", async () => {
    const set = await onDisk(there);
    expect(firstPlace(set)).toBe(`${path}rain1.0.nc`);
    expect((await said(set)).map((one) => one.facts)).toEqual([facts]);
  });
});

it("what lies in two of the folders is a warning", async () => {
  const there = { ...SET, ...placedIn(FOLDERS.beside), ...placedIn(FOLDERS.record) };
  for (const set of [await byUrl(there, "pub/set.parq"), await onDisk(there)]) {
    expect(firstPlace(set)).toBe("pub/rain1.0.nc");
    const [found] = await said(set);
    expect(found?.facts).toEqual({ folder: "beside", by: "found", others: ["record"] });
    expect(found && explained(found)).toMatchObject({ severity: "warning" });
  }
});

it("what lies nowhere is taken to be beside the set, and asked for once", async () => {
  const set = await byUrl(SET, "pub/set.parq?sig=1");
  expect((await said(set)).map((one) => one.facts)).toEqual([{ folder: "beside", by: "nothing", others: [] }]);
  // The signature is of the set's folder alone.
  expect(set.targets.resolve("rain1.0.nc")).toMatchObject({ kind: "url", url: `${origin}/pub/rain1.0.nc` });
  expect(set.targets.resolve("../x/a.nc")).toMatchObject({ kind: "url", url: `${origin}/x/a.nc` });
  expect(set.targets.base).toEqual({ kind: "url", url: `${origin}/pub/` });
  expect(asked.length).toBe(new Set(asked).size);
});

it("a folder at the root of its server is no folder above itself", async () => {
  const there = Object.fromEntries(Object.entries(SET).map(([path, bytes]) => [path.slice(13), bytes]));
  const set = await byUrl({ ...there, ...placedIn("") }, "?sig=1");
  expect(firstPlace(set)).toBe("rain1.0.nc?sig=1");
  expect((await said(set)).map((one) => one.facts)).toEqual([{ folder: "inside", by: "found", others: [] }]);
});

it("what GDAL wrote lies in the folder of the record", async () => {
  const name = "gdal-parquet-ref-2-dim";
  const paths = readdirSync(join(corpus.folder, name), { recursive: true, encoding: "utf8" });
  const there = Object.fromEntries(
    paths
      .filter((path) => /\.(?:zmetadata|parq|bin)$/.test(path))
      .map((path) => [`${name}/${path}`, readFileSync(join(corpus.folder, name, path))]),
  );
  for (const set of [await byUrl(there, name), await onDisk(there)]) {
    expect((await said(set)).map((one) => one.facts)).toEqual([{ folder: "record", by: "writer", others: [] }]);
    for (let id = 0; id < set.table.targets.count; id += 1) {
      const { bytes } = await set.targets.read(set.targets.resolve(set.table.targets.text(id)), undefined, CONTEXT);
      expect(bytes.length).toBeGreaterThan(0);
    }
  }
});
