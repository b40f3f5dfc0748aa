/** The corpus's manifests, entry by entry against JSON.parse. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { corpus } from "#core/testing/corpus.ts";
import { readManifest } from "./read.ts";
import { rowsOf, tableOf } from "./testing.ts";
import { manifestOf, storedGrid, chooseBase } from "./index.ts";

const CORPUS = corpus.folder;

const STORES = [
  "chunk-manifest-virtualizarr-a/virtualizarr.zarr",
  "gen-chunk-manifest-a/air.zarr",
  "gen-chunk-manifest-a/ocean_month.zarr",
].filter((store) => corpus.entries.includes(dirname(store)));

interface FoundArray {
  readonly path: string;
  readonly metadata: ArrayMetadata;
}

function arraysOf(store: string): readonly FoundArray[] {
  return readdirSync(store, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("zarr.json"))
    .flatMap((name) => {
      const document = parseJson(readFileSync(join(store, name), "utf8")).value;
      if (!isJsonObject(document) || document.get("node_type") !== "array") return [];
      return [{ path: relative(".", dirname(name)), metadata: metadataOf(document) }];
    });
}

/** Only what a manifest needs of it. */
function metadataOf(document: JsonObject): ArrayMetadata {
  const numbers = (value: JsonValue | undefined) => (value as readonly JsonValue[]).map(Number);
  const grid = (document.get("chunk_grid") as JsonObject).get("configuration") as JsonObject;
  return metadata(numbers(document.get("shape")), {
    chunks: numbers(grid.get("chunk_shape")),
    storageTransformers: (document.get("storage_transformers") as readonly JsonObject[]).map((one) => ({
      id: one.get("name") as string,
      configuration: one.get("configuration") as JsonObject,
    })),
  });
}

function metadata(shape: readonly number[], more: Partial<ArrayMetadata>): ArrayMetadata {
  return {
    zarrFormat: 3,
    shape,
    chunks: shape,
    dataType: { kind: "int", size: 8, byteOrder: "little", text: "int64" } as unknown as ArrayMetadata["dataType"],
    decoding: [],
    order: "C",
    separator: "c/",
    fillValue: 0,
    dimensionNames: undefined,
    ...more,
  };
}

describe(corpus.title, () => {
  test.each(STORES)("%s", async (name) => {
    const store = join(CORPUS, name);
    const arrays = arraysOf(store);
    expect(arrays.length).toBeGreaterThanOrEqual(3);
    for (const { path, metadata } of arrays) {
      const reference = manifestOf(metadata, path);
      if (reference.kind !== "file") throw new Error(reference.kind);
      expect(reference.findings).toEqual([]);
      expect(reference.key).toBe(`${path}/manifest.json`);
      const text = readFileSync(join(store, reference.key), "utf8");
      const grid = storedGrid(metadata);
      const manifest = readManifest({ kind: "text", text }, { array: path, grid, key: reference.key });
      expect(manifest).toMatchObject({ findings: [], prefixes: [] });
      const exists = (candidate: string) => Promise.resolve(existsSync(join(store, candidate)));
      const base = await chooseBase(exists, { arrayPath: path, paths: manifest.paths });
      const expected = Object.entries(
        JSON.parse(text) as Record<string, { path: string; offset: number; length: number }>,
      ).map(([key, entry]) => {
        const target = entry.path === "virtualizarr.nc" ? "../virtualizarr.nc" : entry.path;
        return [`${path}/${key}`, "range", target, entry.offset, entry.length];
      });
      expect(rowsOf(tableOf(manifest, grid, base))).toEqual(expected);
    }
  });

  test("a relative path is found beside the store", async () => {
    const store = join(CORPUS, STORES[0] ?? "");
    const exists = (candidate: string) => Promise.resolve(existsSync(join(store, candidate)));
    const base = await chooseBase(exists, { arrayPath: "data", paths: ["virtualizarr.nc"] });
    expect(base).toMatchObject({ directory: "..", findings: [{ code: "manifest-path-base" }] });
  });

  test("zarr-java's: a manifest that is not there, and no transformer at all", () => {
    const referenceOf = (name: string) => {
      const [array] = arraysOf(join(CORPUS, "chunk-manifest-zarr-java", name));
      if (array === undefined) throw new Error(`There is no array in ${name}.`);
      return manifestOf(array.metadata, "");
    };
    expect(referenceOf("empty")).toEqual({ kind: "none", findings: [] });
    const reference = referenceOf("exists");
    expect(reference).toMatchObject({ kind: "file", key: "manifest.json", findings: [] });
    expect(existsSync(join(CORPUS, "chunk-manifest-zarr-java/exists/manifest.json"))).toBe(false);
  });
});

describe("the transformer", () => {
  const transformer = (id: string, ...members: readonly (readonly [string, JsonValue])[]) => ({
    id,
    configuration: new Map(members),
  });
  const of = (...storageTransformers: NonNullable<ArrayMetadata["storageTransformers"]>) =>
    manifestOf(metadata([4], { storageTransformers }), "g/a");
  const codesOf = (reference: ReturnType<typeof of>) => reference.findings.map(({ code }) => code);

  test("none", () => {
    expect(manifestOf(metadata([4], {}), "a")).toEqual({ kind: "none", findings: [] });
    expect(of()).toEqual({ kind: "none", findings: [] });
  });

  test.each(["chunk-manifest-json", "chunk_manifest_json", "chunk-manifest"])("%s", (id) => {
    expect(of(transformer(id, ["manifest", "./m.json"]))).toEqual({
      kind: "file",
      path: "./m.json",
      key: "g/a/m.json",
      findings: [],
    });
  });

  test("a manifest in the metadata, or elsewhere by its URL", () => {
    const value = new Map<string, JsonValue>([["0", new Map()]]);
    expect(of(transformer("chunk-manifest-json", ["manifest", value]))).toEqual({
      kind: "inline",
      value,
      findings: [],
    });
    const url = of(transformer("chunk-manifest-json", ["manifest", "https://h/m.json"]));
    expect(url).toMatchObject({ kind: "file", key: "https://h/m.json" });
  });

  test.each([[undefined], [5], [""], [null], [["m.json"]]])("with the manifest %j it says nothing", (manifest) => {
    const members = manifest === undefined ? [] : [["manifest", manifest] as const];
    const broken = of(transformer("chunk-manifest-json", ...members));
    expect(broken.kind).toBe("broken");
    expect(codesOf(broken)).toEqual(["chunk-manifest-invalid"]);
  });

  test("others are named, a second one is left out", () => {
    const first = transformer("chunk-manifest-json", ["manifest", "m.json"]);
    const second = transformer("chunk-manifest-json", ["manifest", "n.json"]);
    const found = of(transformer("encryption"), first, second);
    expect(found).toMatchObject({ kind: "file", path: "m.json" });
    expect(codesOf(found)).toEqual(["storage-transformer-unknown", "chunk-manifest-repeated"]);
    expect(codesOf(of(transformer("encryption")))).toEqual(["storage-transformer-unknown"]);
  });

  test("the keys of an array with shards count shards", () => {
    const sharding = { shape: [4, 4], indexLocation: "end", indexCodecs: [], separator: "/" } as const;
    expect(storedGrid(metadata([10, 4], { chunks: [2, 2], sharding }))).toEqual(gridOf([10, 4], [4, 4]));
    expect(storedGrid(metadata([10, 4], { chunks: [2, 2] }))).toEqual([5, 2]);
  });
});
