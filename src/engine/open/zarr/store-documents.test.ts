import { describe, expect, it } from "vitest";
import { startRangeServer } from "../../../../e2e/support/range-server.ts";
import { explained } from "#core/findings/explain.ts";
import { keyAt } from "#core/findings/fact.ts";
import { httpStore, type Store } from "#io/store.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { storeDocuments } from "./store-documents.ts";

it("says which documents of a store are denied, and goes on with the others", async () => {
  const texts = new Map([["a/.zarray", "{}"]]);
  const said = { code: "PublicAccessNotPermitted", message: "Public access is not permitted." };
  const store = {
    keys: ["a/.zarray", "a/.zattrs", "a/0"],
    sizeOf: () => undefined,
    get(key: string) {
      const text = texts.get(key);
      if (text === undefined) return Promise.resolve({ kind: "denied", status: 403, said });
      return Promise.resolve({ kind: "present", bytes: new TextEncoder().encode(text) });
    },
  } as unknown as Store;
  const { documents, findings } = await storeDocuments(store, [], CONTEXT);
  expect([...documents.keys()]).toEqual(["a/.zarray"]);
  expect(findings).toMatchObject([{ code: "key-denied", place: keyAt("a/.zattrs"), facts: { status: 403 } }]);
  expect(explained(findings[0]!).message).toContain("The server says PublicAccessNotPermitted: “Public access");
});

it("does not wait for all bytes of a document that declares too many", async () => {
  const fetch = (url: string) => {
    if (!url.endsWith("/zarr.json")) return Promise.resolve(new Response("", { status: 404 }));
    const headers = { "Content-Length": `${320 << 20}` };
    return Promise.resolve(new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }), { headers }));
  };
  const { findings } = await storeDocuments(httpStore("https://example.org/s", { fetch }), [], CONTEXT);
  const cause = { code: "response-too-large", facts: { size: 320 << 20, limit: 64 << 20 } };
  expect(findings).toMatchObject([{ code: "metadata-not-fetched", place: keyAt("zarr.json"), facts: { cause } }]);
});

/** A store that cannot be listed. */
function unlisted(texts: ReadonlyMap<string, string>) {
  const asked: string[] = [];
  const store = {
    keys: undefined,
    sizeOf: () => undefined,
    get(key: string) {
      asked.push(key);
      const text = texts.get(key);
      if (text === undefined) return Promise.resolve({ kind: "absent", status: 404 });
      return Promise.resolve({ kind: "present", bytes: new TextEncoder().encode(text) });
    },
  } as unknown as Store;
  return { store, asked };
}

it("asks for the levels that a group names, which nothing else would show", async () => {
  const ome = { version: "0.5", multiscales: [{ axes: [], datasets: [{ path: "0" }, { path: "s/1" }] }] };
  const root = JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { ome } });
  const { store, asked } = unlisted(
    new Map([
      ["zarr.json", root],
      ["0/zarr.json", "{}"],
    ]),
  );
  const { documents } = await storeDocuments(store, [], CONTEXT);
  expect(asked).toEqual([".zmetadata", "zarr.json", "0/zarr.json", "s/1/zarr.json"]);
  expect([...documents.keys()]).toEqual(["zarr.json", "0/zarr.json"]);
});

it("asks for those of Zarr v2, and of groups that were asked for", async () => {
  const attributes = (path: string) => JSON.stringify({ multiscales: [{ version: "0.4", datasets: [{ path }] }] });
  const texts = [
    [".zgroup", "{}"],
    [".zattrs", attributes("0")],
    ["labels/a/.zattrs", attributes("7")],
  ] as const;
  const { store, asked } = unlisted(new Map(texts));
  await storeDocuments(store, ["labels/a"], CONTEXT);
  expect(asked).toContain("0/.zarray");
  expect(asked).toContain("labels/a/7/.zarray");
});

describe("of a store that its server lists", () => {
  const group = JSON.stringify({ zarr_format: 3, node_type: "group" });
  const array = JSON.stringify({ zarr_format: 3, node_type: "array" });
  const version3 = {
    "/b/s/zarr.json": group,
    "/b/s/a/zarr.json": array,
    "/b/s/a/c/0/0": "",
    "/b/s/g/zarr.json": group,
    "/b/s/g/x/zarr.json": array,
    "/b/s/g/c/0": "",
    "/b/s/docs/readme": "",
  };
  const version2 = {
    "/b/s/.zgroup": "{}",
    "/b/s/a/.zarray": "{}",
    "/b/s/a/.zattrs": "{}",
    "/b/s/a/0.0": "",
    "/b/s/g/.zgroup": "{}",
    "/b/s/g/x/.zarray": "{}",
  };

  async function read(files: Readonly<Record<string, string>>, faults: Readonly<Record<string, string>> = {}) {
    const server = await startRangeServer({ files, lists: true });
    for (const [path, fault] of Object.entries(faults)) server.misbehave(path, fault);
    try {
      const found = await storeDocuments(httpStore(server.url("/b/s/")), ["p"], CONTEXT);
      return { ...found, keys: [...found.documents.keys()].toSorted(), asked: server.requests.map(({ path }) => path) };
    } finally {
      await server.stop();
    }
  }

  it("finds all groups and arrays, by a listing a group and none of an array's chunks", async () => {
    const found = await read(version3);
    expect(found.keys).toEqual(["a/zarr.json", "g/x/zarr.json", "g/zarr.json", "zarr.json"]);
    expect([found.unlisted, found.findings]).toEqual([false, []]);
    const listed = found.asked.flatMap((url) => new URLSearchParams(url.split("?")[1]).get("prefix") ?? []);
    expect(new Set(listed)).toEqual(new Set(["s/", "s/g/"]));
    expect((await read(version2)).keys).toEqual([".zgroup", "a/.zarray", "a/.zattrs", "g/.zgroup", "g/x/.zarray"]);
  });

  it("asks by path as before where it is not listed, or something else is", async () => {
    const denied = await read(version3, { "/b": "403" });
    expect([denied.keys, denied.unlisted, denied.asked.includes("/b/s/p/zarr.json")]).toEqual([
      ["zarr.json"],
      true,
      true,
    ]);
    const { fetch } = globalThis;
    const other = { fetch: (url: string, init: RequestInit) => fetch(url.replace("prefix=s", "prefix=t"), init) };
    const server = await startRangeServer({ files: { ...version3, "/b/t/a/zarr.json": array }, lists: true });
    const found = await storeDocuments(httpStore(server.url("/b/s/"), other), [], CONTEXT);
    await server.stop();
    expect([[...found.documents.keys()], found.unlisted]).toEqual([["zarr.json"], true]);
  });

  it("ends where there are more than can be shown", async () => {
    const folders = new Set(Array.from({ length: 2001 }, (_, index) => `g${index}`));
    const { store } = unlisted(new Map([["zarr.json", group]]));
    const list = () => Promise.resolve({ files: new Map([["zarr.json", 1]]), folders, isCut: false });
    const { findings, unlisted: isUnlisted } = await storeDocuments({ ...store, list }, [], CONTEXT);
    expect(findings).toMatchObject([{ code: "hierarchy-too-large", facts: { problem: "nodes", limit: 2000 } }]);
    expect(isUnlisted).toBe(true);
  });
});
