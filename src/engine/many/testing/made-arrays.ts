/**
 * For tests: whole arrays, cut into chunks and written as stores of Zarr v2 and v3 by the plainest code that does it.
 */
import { deflateSync } from "node:zlib";
import { crc32c } from "#codecs/checksums/checksums.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";

export interface MadeArray {
  readonly shape: readonly number[];
  readonly itemSize: number;
  /** Little-endian, in C order; missing chunks hold zeros. */
  readonly whole: Uint8Array<ArrayBuffer>;
  /** Files of the store, by path. */
  readonly files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
}

export interface Making {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly layout: "C" | "F" | "big" | "zlib" | "sharded";
  /** Bytes of an element: 1, 2, 4 or 8. */
  readonly itemSize: 1 | 2 | 4 | 8;
  /** Chunks that are left out, by ordinal. */
  readonly isMissing: (ordinal: number) => boolean;
}

const elementsOf = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1);

/** Element at `index` in C order; `undefined` outside. */
function elementAt(shape: readonly number[], index: readonly number[]): number | undefined {
  if (index.some((at, dimension) => at >= (shape[dimension] ?? 0))) return undefined;
  return index.reduce((element, at, dimension) => element * (shape[dimension] ?? 1) + at, 0);
}

export function makeArray(making: Making): MadeArray {
  const { shape, chunks, itemSize, layout, isMissing } = making;
  const grid = gridOf(shape, chunks);
  const whole = Uint8Array.from({ length: elementsOf(shape) * itemSize }, (_, at) => (at * 31 + 7) % 251);
  const files: Record<string, string | Uint8Array<ArrayBuffer>> = {};
  for (let ordinal = 0; ordinal < elementsOf(grid); ordinal += 1) {
    const coordinates = coordinatesOf(grid, ordinal);
    const chunk = cutChunk(making, whole, coordinates, isMissing(ordinal));
    if (isMissing(ordinal)) continue;
    files[chunkFileName(coordinates, layout)] = layout === "sharded" ? shard(making, chunk) : encoded(making, chunk);
  }
  return { shape, itemSize, whole, files: { ...files, ...metadataOf(making) } };
}

/** The chunk in C order, little-endian, garbage past the edge; where it is to be missing the whole gets zeros there. */
function cutChunk(
  { shape, chunks, itemSize }: Making,
  whole: Uint8Array,
  coordinates: readonly number[],
  clear: boolean,
): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(elementsOf(chunks) * itemSize).fill(0xee);
  for (let element = 0; element < elementsOf(chunks); element += 1) {
    const within = coordinatesOf(chunks, element);
    const index = within.map((at, dimension) => at + (coordinates[dimension] ?? 0) * (chunks[dimension] ?? 1));
    const from = elementAt(shape, index);
    if (from === undefined) continue;
    const part = whole.subarray(from * itemSize, (from + 1) * itemSize);
    chunk.set(part, element * itemSize);
    if (clear) part.fill(0);
  }
  return chunk;
}

function chunkFileName(coordinates: readonly number[], layout: Making["layout"]): string {
  if (layout === "sharded") return ["c", ...coordinates].join("/");
  return coordinates.length === 0 ? "0" : coordinates.join(".");
}

function encoded({ layout, chunks, itemSize }: Making, chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (layout === "zlib") return new Uint8Array(deflateSync(chunk));
  if (layout === "big")
    return chunk.map((_, at) => chunk[at - (at % itemSize) + (itemSize - 1 - (at % itemSize))] ?? 0);
  if (layout !== "F") return chunk;
  const turned = new Uint8Array(chunk.length);
  for (let element = 0; element < elementsOf(chunks); element += 1) {
    const from = elementAt(chunks, coordinatesOf(chunks.toReversed(), element).toReversed()) ?? 0;
    turned.set(chunk.subarray(from * itemSize, (from + 1) * itemSize), element * itemSize);
  }
  return turned;
}

/** Inner chunks of one element along the first dimension; all of them are there. */
function shard({ chunks }: Making, chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const inner = chunk.length / (chunks[0] ?? 1);
  const count = chunks[0] ?? 1;
  const index = new DataView(new ArrayBuffer(16 * count + 4));
  for (let at = 0; at < count; at += 1) {
    index.setBigUint64(16 * at, BigInt(at * inner), true);
    index.setBigUint64(16 * at + 8, BigInt(inner), true);
  }
  const bytes = new Uint8Array(index.buffer);
  index.setUint32(16 * count, crc32c(bytes.subarray(0, 16 * count)), true);
  return Uint8Array.from([...chunk, ...bytes]);
}

const NAMES_V2 = { 1: "u1", 2: "i2", 4: "f4", 8: "i8" } as const;
const NAMES_V3 = { 1: "uint8", 2: "int16", 4: "float32", 8: "int64" } as const;

function metadataOf({ shape, chunks, itemSize, layout }: Making): Readonly<Record<string, string>> {
  if (layout !== "sharded") {
    const order = itemSize === 1 ? "|" : layout === "big" ? ">" : "<";
    const document = {
      zarr_format: 2,
      shape,
      chunks,
      dtype: `${order}${NAMES_V2[itemSize]}`,
      order: layout === "F" ? "F" : "C",
      compressor: layout === "zlib" ? { id: "zlib", level: 1 } : null,
      filters: null,
      fill_value: 0,
    };
    return { ".zarray": JSON.stringify(document) };
  }
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const sharding = {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [1, ...chunks.slice(1)],
      codecs: [bytes],
      index_codecs: [bytes, { name: "crc32c" }],
    },
  };
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: NAMES_V3[itemSize],
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [sharding],
  };
  return { "zarr.json": JSON.stringify(document) };
}
