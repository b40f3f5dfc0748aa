/** The sets that are damaged: the sample, and arrays of many types and codecs. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Data } from "./data.ts";
import { bytesOf } from "./data.ts";
import { encode, type Filter } from "./encode.ts";
import type { MadeSet, References } from "./damaged-set.ts";
import { seeded } from "./random.ts";

const samples = resolve(import.meta.dirname, "../../../../../public/samples");

export function sampleSet(): MadeSet {
  const read = (name: string) => new Uint8Array(readFileSync(join(samples, name)));
  const document = JSON.parse(new TextDecoder().decode(read("ocean.v1.json"))) as { refs: References };
  return {
    references: Object.fromEntries(Object.entries(document.refs).map(([key, value]) => [key, plainValue(value)])),
    files: new Map(["ocean-a.nc", "ocean-b.nc"].map((name) => [name, read(name)])),
  };
}

const plainValue = (value: References[string]) =>
  typeof value === "string" || Array.isArray(value) ? value : JSON.stringify(value);

export interface Chain {
  readonly name: string;
  /** Filters in the order of encoding, for elements of a type. */
  readonly filters: (data: Data) => readonly Filter[];
}

const shuffle = ({ itemSize }: Data): Filter => ({ id: "shuffle", elementsize: itemSize });

export const CHAINS: readonly Chain[] = [
  { name: "none", filters: () => [] },
  { name: "zlib", filters: () => [{ id: "zlib" }] },
  { name: "shuffle_zlib", filters: (data) => [shuffle(data), { id: "zlib" }] },
  { name: "shuffle", filters: (data) => [shuffle(data)] },
  { name: "shuffle_zlib_fletcher", filters: (data) => [shuffle(data), { id: "zlib" }, { id: "fletcher32" }] },
  { name: "fletcher", filters: () => [{ id: "fletcher32" }] },
  { name: "gzip", filters: () => [{ id: "gzip" }] },
  { name: "shuffle_zstd", filters: (data) => [shuffle(data), { id: "zstd" }] },
  { name: "lz4", filters: () => [{ id: "lz4" }] },
  { name: "shuffle_lz4", filters: (data) => [shuffle(data), { id: "lz4" }] },
  { name: "blosc", filters: () => [{ id: "blosc" }] },
  { name: "blosc_zstd", filters: () => [{ id: "blosc", cname: "zstd" }] },
];

export const DELTA_CHAIN: Chain = {
  name: "delta_zlib",
  filters: ({ dtype }) => [{ id: "delta", dtype }, { id: "zlib" }],
};

export const DELTA_TYPES: ReadonlySet<string> = new Set(["<i2", "<i4", "<f4", "<f8"]);

/** Rows and columns of a chunk. */
type ChunkShape = readonly [rows: number, columns: number];

/** An array for each kind of data and chain, four chunks each, one after another in one file, as HDF5 lays them out. */
export async function madeSet(
  kinds: readonly Data[],
  chains: readonly Chain[],
  [rows, columns]: ChunkShape = [32, 48],
): Promise<MadeSet> {
  const random = seeded(7);
  const references: Record<string, string | readonly [string, number, number]> = { ".zgroup": '{"zarr_format":2}' };
  const parts: Uint8Array[] = [];
  let length = 0;
  const append = (bytes: Uint8Array) => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const data of kinds) {
    for (const chain of chains) {
      const name = `${data.name}-${chain.name}`;
      const filters = chain.filters(data);
      references[`${name}/.zarray`] = zarray(data, filters, [rows, columns]);
      append(header(random.whole(100, 3000)));
      for (let at = 0; at < 4; at++) {
        const stored = await encode(bytesOf(data, rows, columns, 11 * at + 3), filters);
        references[`${name}/${at >> 1}.${at & 1}`] = ["made.nc", length, stored.length];
        append(stored);
      }
    }
  }
  append(header(500));
  return { references, files: new Map([["made.nc", joined(parts, length)]]) };
}

function zarray({ dtype }: Data, filters: readonly Filter[], [rows, columns]: ChunkShape): string {
  return JSON.stringify({
    shape: [2 * rows, 2 * columns],
    chunks: [rows, columns],
    dtype,
    filters: filters.length === 0 ? null : filters,
    compressor: null,
    fill_value: null,
    order: "C",
    zarr_format: 2,
  });
}

/** Something like the trees and messages that HDF5 keeps between chunks. */
function header(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at + 24 <= size; at += 24) bytes.set([84, 82, 69, 69, 1, 0, at & 255, 0, 255, 255, 255, 255], at);
  return bytes;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
