/**
 * Small sets of all the layouts that readers ask for differently, and a hundred reads of them; the same at every run.
 */
import { deflateSync } from "node:zlib";
import { crc32c } from "#codecs/checksums/checksums.ts";
import type { Plane } from "#core/plane/plane.ts";

export interface PricedSet {
  readonly name: string;
  /** Below the server's root, with the array `a`; a document of references, or the folder of a store. */
  readonly address: string;
  readonly kind: "references" | "store";
  readonly format: 2 | 3;
  readonly files: Readonly<Record<string, Uint8Array | string>>;
}

const SHAPE = [24, 20, 30] as const;
const CHUNKS = [3, 10, 10] as const;
const SHARD = [6, 20, 20] as const;
const ARRAY_V2 = { zarr_format: 2, dtype: "<i2", order: "C", fill_value: 0, filters: null, shape: SHAPE };
const ZLIB = { id: "zlib", level: 6 };
const GROUP_V2 = JSON.stringify({ zarr_format: 2 });

/** Numbers between 0 and 1 (mulberry32). */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const GRID = SHAPE.map((length, each) => Math.ceil(length / (CHUNKS[each] ?? 1)));

function chunkNames(separator: string): readonly string[] {
  const [depth = 0, rows = 0, columns = 0] = GRID;
  return Array.from({ length: depth * rows * columns }, (_, at) =>
    [Math.floor(at / (rows * columns)), Math.floor(at / columns) % rows, at % columns].join(separator),
  );
}

/** Bytes of one chunk, of random length, compressed or not. */
function chunkBytes(random: () => number, isCompressed = true): Uint8Array {
  const values = new Int16Array(CHUNKS.reduce((product, length) => product * length, 1));
  const most = 1 + Math.floor(random() * 2000);
  for (let at = 0; at < values.length; at += 1) values[at] = Math.floor(random() * most);
  const bytes = new Uint8Array(values.buffer);
  return isCompressed ? new Uint8Array(deflateSync(bytes)) : bytes;
}

interface Scatter {
  readonly files: number;
  /** Bytes between two chunks, at most. */
  readonly gap: number;
  /** Share of the chunks without a reference, and of those in the document. */
  readonly missing: number;
  readonly inline: number;
}

function references(name: string, format: 2 | 3, { files, gap, missing, inline }: Scatter): PricedSet {
  const random = randomly(name.length);
  const parts: Uint8Array[][] = Array.from({ length: files }, () => [new Uint8Array(512)]);
  const ends = parts.map(() => 512);
  const refs: Record<string, unknown> =
    format === 2
      ? { ".zgroup": GROUP_V2, "a/.zarray": JSON.stringify({ ...ARRAY_V2, chunks: CHUNKS, compressor: ZLIB }) }
      : { "zarr.json": groupV3(), "a/zarr.json": arrayV3(CHUNKS, [BYTES]) };
  for (const [at, chunk] of chunkNames(format === 2 ? "." : "/").entries()) {
    const bytes = chunkBytes(random, format === 2);
    const key = format === 2 ? `a/${chunk}` : `a/c/${chunk}`;
    if (random() < missing) continue;
    if (random() < inline) refs[key] = `base64:${Buffer.from(bytes).toString("base64")}`;
    else {
      const file = at % files;
      const hole = Math.floor(random() * gap);
      parts[file]?.push(new Uint8Array(hole), bytes);
      refs[key] = [`{{u}}/${name}-${file}.bin`, (ends[file] ?? 0) + hole, bytes.length];
      ends[file] = (ends[file] ?? 0) + hole + bytes.length;
    }
  }
  const held = parts.map((of, file) => [`/${name}-${file}.bin`, Buffer.concat(of)] as const);
  return {
    name,
    address: `/${name}.json`,
    kind: "references",
    format,
    files: { [`/${name}.json`]: JSON.stringify({ version: 1, refs }), ...Object.fromEntries(held) },
  };
}

/** Objects behind HTTP cannot be listed. */
const groupV3 = (array?: string): string =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "group",
    attributes: {},
    ...(array === undefined
      ? {}
      : { consolidated_metadata: { kind: "inline", must_understand: false, metadata: { a: JSON.parse(array) } } }),
  });
const BYTES = { name: "bytes", configuration: { endian: "little" } };

const arrayV3 = (chunks: readonly number[], codecs: readonly unknown[]): string =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: SHAPE,
    data_type: "int16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs,
    attributes: {},
  });

function store(name: string, format: 2 | 3): PricedSet {
  const random = randomly(name.length + 100);
  const array =
    format === 2 ? JSON.stringify({ ...ARRAY_V2, chunks: CHUNKS, compressor: ZLIB }) : arrayV3(CHUNKS, [BYTES]);
  const metadata = { ".zgroup": JSON.parse(GROUP_V2), "a/.zarray": JSON.parse(array) };
  const files: Record<string, Uint8Array | string> =
    format === 2
      ? {
          [`/${name}/.zgroup`]: GROUP_V2,
          [`/${name}/.zmetadata`]: JSON.stringify({ zarr_consolidated_format: 1, metadata }),
          [`/${name}/a/.zarray`]: array,
        }
      : { [`/${name}/zarr.json`]: groupV3(array), [`/${name}/a/zarr.json`]: array };
  for (const chunk of chunkNames(format === 2 ? "." : "/")) {
    const bytes = chunkBytes(random, format === 2);
    if (random() >= 0.1) files[`/${name}/a/${format === 2 ? chunk : `c/${chunk}`}`] = bytes;
  }
  return { name, address: `/${name}/`, kind: "store", format, files };
}

function sharded(name: string): PricedSet {
  const random = randomly(7);
  const configuration = {
    chunk_shape: CHUNKS,
    codecs: [BYTES],
    index_codecs: [BYTES, { name: "crc32c" }],
    index_location: "end",
  };
  const array = arrayV3(SHARD, [{ name: "sharding_indexed", configuration }]);
  const files: Record<string, Uint8Array | string> = {
    [`/${name}/zarr.json`]: groupV3(array),
    [`/${name}/a/zarr.json`]: array,
  };
  const inner = SHARD.reduce((product, length, each) => product * (length / (CHUNKS[each] ?? 1)), 1);
  for (const shard of ["0/0/0", "0/0/1", "1/0/0", "1/0/1", "2/0/0", "3/0/0", "3/0/1"]) {
    files[`/${name}/a/c/${shard}`] = shardBytes(inner, random, shard === "0/0/0" ? 0 : 0.15);
  }
  return { name, address: `/${name}/`, kind: "store", format: 3, files };
}

function shardBytes(inner: number, random: () => number, empty: number): Uint8Array {
  const index = new BigUint64Array(2 * inner);
  const parts: Uint8Array[] = [];
  let end = 0;
  for (let at = 0; at < inner; at += 1) {
    const isEmpty = random() < empty;
    const bytes = isEmpty ? new Uint8Array(0) : chunkBytes(random, false);
    index[2 * at] = isEmpty ? 2n ** 64n - 1n : BigInt(end);
    index[2 * at + 1] = isEmpty ? 2n ** 64n - 1n : BigInt(bytes.length);
    parts.push(bytes);
    end += bytes.length;
  }
  const table = new Uint8Array(index.buffer);
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, crc32c(table), true);
  return Buffer.concat([...parts, table, checksum]);
}

export const PRICED_SETS: readonly PricedSet[] = [
  references("one-file", 2, { files: 1, gap: 0, missing: 0, inline: 0 }),
  references("scattered", 2, { files: 2, gap: 160_000, missing: 0.1, inline: 0.1 }),
  references("references-v3", 3, { files: 3, gap: 40_000, missing: 0, inline: 0 }),
  store("store-v2", 2),
  store("store-v3", 3),
  sharded("sharded"),
];

/** A map, a series, a column, a row or a point, somewhere. */
export function pricedReads(): readonly { readonly set: string; readonly plane: Plane }[] {
  const random = randomly(42);
  const shown: readonly (readonly [row: number | undefined, column: number | undefined])[] = [
    [1, 2],
    [undefined, 0],
    [undefined, 2],
    [0, 1],
    [undefined, undefined],
  ];
  return Array.from({ length: 102 }, (_, at) => {
    const [row, column] = shown[Math.floor(at / PRICED_SETS.length) % shown.length] ?? [1, 2];
    const place = SHAPE.map((length, each) => (each === row || each === column ? 0 : Math.floor(random() * length)));
    return { set: PRICED_SETS[at % PRICED_SETS.length]?.name ?? "", plane: { row, column, at: place } };
  });
}
