import { expect, it } from "vitest";
import { keyAt } from "../../../core/findings/fact.ts";
import { httpStore, type Store } from "../../../io/store.ts";
import { CONTEXT } from "../../fixtures/plain-table.ts";
import { storeDocuments } from "./store-documents.ts";

it("says which documents of a store are denied, and goes on with the others", async () => {
  const texts = new Map([["a/.zarray", "{}"]]);
  const store = {
    keys: ["a/.zarray", "a/.zattrs", "a/0"],
    sizeOf: () => undefined,
    get(key: string) {
      const text = texts.get(key);
      if (text === undefined) return Promise.resolve({ kind: "denied", status: 403 });
      return Promise.resolve({ kind: "present", bytes: new TextEncoder().encode(text) });
    },
  } as unknown as Store;
  const { documents, findings } = await storeDocuments(store, [], CONTEXT);
  expect([...documents.keys()]).toEqual(["a/.zarray"]);
  expect(findings).toMatchObject([{ code: "key-denied", place: keyAt("a/.zattrs"), facts: { status: 403 } }]);
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
