/** Small Zarr stores, made for the stories: objects by key. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { RangeServer } from "./range-server.ts";

export type StoreFiles = Readonly<Record<string, string | Uint8Array>>;

export const SHARDED = resolve(import.meta.dirname, "../../src/engine/testing/sharded");
export const PARQUET = resolve(import.meta.dirname, "../fixtures/parquet-2-dim");

const GROUP = JSON.stringify({ zarr_format: 2 });

/** Values of `temp`: 0 to 11, row by row. Its chunk 1.1 is missing. */
const CHUNKS: readonly (readonly [row: number, column: number, values: readonly number[]])[] = [
  [0, 0, [0, 1, 4, 5]],
  [0, 1, [2, 3, 6, 7]],
  [1, 0, [8, 9, -1, -1]],
];

const int32 = (values: readonly number[]) => new Uint8Array(Int32Array.from(values).buffer);

/** An array `temp` of 3 × 4 int32 in chunks of 2 × 2, in a group. */
export function version2Store(): StoreFiles {
  const temp = {
    zarr_format: 2,
    shape: [3, 4],
    chunks: [2, 2],
    dtype: "<i4",
    compressor: null,
    filters: null,
    fill_value: -1,
    order: "C",
  };
  return {
    ".zgroup": GROUP,
    "temp/.zarray": JSON.stringify(temp),
    "temp/.zattrs": JSON.stringify({ units: "K" }),
    ...Object.fromEntries(CHUNKS.map(([row, column, values]) => [`temp/${row}.${column}`, int32(values)])),
  };
}

/** The same in Version 3, below a group `sub`; without consolidated metadata. */
export function version3Store(): StoreFiles {
  const temp = {
    zarr_format: 3,
    node_type: "array",
    shape: [3, 4],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value: -1,
    attributes: { units: "K" },
  };
  const group = JSON.stringify({ zarr_format: 3, node_type: "group" });
  return {
    "zarr.json": group,
    "sub/zarr.json": group,
    "sub/temp/zarr.json": JSON.stringify(temp),
    ...Object.fromEntries(CHUNKS.map(([row, column, values]) => [`sub/temp/c/${row}/${column}`, int32(values)])),
  };
}

/** A folder of files as a store. */
export function filesIn(folder: string): StoreFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  const files = paths.filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path)]));
}

/** Writes them to a new folder of the given name. */
export function writeStore(name: string, files: StoreFiles): string {
  const folder = join(mkdtempSync(join(tmpdir(), "refscope-")), name);
  for (const [key, content] of Object.entries(files)) {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

export function putStore(server: RangeServer, prefix: string, files: StoreFiles): void {
  for (const [key, content] of Object.entries(files)) server.put(`${prefix}/${key}`, content);
}

/** What was asked below a prefix and answered with the object. */
export function fetched({ requests }: RangeServer, prefix: string): readonly string[] {
  const found = requests.filter(({ path, status }) => path.startsWith(`${prefix}/`) && status >= 200 && status < 300);
  return found.map(({ path }) => decodeURIComponent(path.slice(prefix.length + 1)));
}

const REPOSITORIES = resolve(import.meta.dirname, "../../src/formats/icechunk/fixtures/repositories.json");

/** An Icechunk repository of the reader's fixtures, by path. */
export function repository(name: "v1" | "v2" | "v2dict"): StoreFiles {
  const all = JSON.parse(readFileSync(REPOSITORIES, "utf8")) as Record<string, Record<string, string>>;
  return Object.fromEntries(
    Object.entries(all[name]!).map(([path, base64]) => [path, new Uint8Array(Buffer.from(base64, "base64"))]),
  );
}
