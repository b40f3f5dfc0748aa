/**
 * Chunks to decode: one noisy smooth field of 1024 by 1024 float32 (4 MB), stored in many ways. Compressors are
 * numcodecs' (its npm package), so that the bytes are what its writers make; filters are written here.
 */
import { deflateSync, gzipSync } from "node:zlib";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import { crc32c, fletcher32 } from "../src/codecs/checksums/checksums.ts";

export interface DecodeCase {
  readonly name: string;
  /** `.zarray` or `zarr.json`, by the Zarr format. */
  readonly zarrFormat: 2 | 3;
  readonly metadata: string;
  readonly stored: Uint8Array<ArrayBuffer>;
  /** numcodecs' configurations in the order of decoding, for Python. */
  readonly python: readonly object[];
}

const SIDE = 1024;
export const CHUNK_BYTES = SIDE * SIDE * 4;
/** Bits of the mantissa that are kept, as writers of climate data do: zlib after shuffle then halves this field. */
const KEPT_BITS = 16;

/** Waves and noise, the same every time. */
export function field(): Uint8Array<ArrayBuffer> {
  const values = new Float32Array(SIDE * SIDE);
  let state = 12_345;
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    values[i] =
      280 +
      20 * Math.sin(x / 90) * Math.cos(y / 70) +
      ((Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) >>> 0) / 2 ** 32) * 0.5;
  }
  const bits = new Uint32Array(values.buffer);
  const dropped = 23 - KEPT_BITS;
  bits.forEach((word, i) => {
    bits[i] = ((word + (1 << (dropped - 1))) >>> dropped) << dropped;
  });
  return new Uint8Array(values.buffer);
}

export function shuffled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const count = bytes.length / 4;
  const result = new Uint8Array(bytes.length);
  for (let byte = 0; byte < 4; byte++) {
    for (let i = 0; i < count; i++) result[byte * count + i] = bytes[4 * i + byte] as number;
  }
  return result;
}

function differences(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const result = values.map((value, i) => (i === 0 ? value : value - (values[i - 1] as number)));
  return new Uint8Array(result.buffer);
}

function scaled(bytes: Uint8Array<ArrayBuffer>, scale: number, offset: number): Uint8Array<ArrayBuffer> {
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return new Uint8Array(Int16Array.from(values, (value) => Math.round((value - offset) * scale)).buffer);
}

function withSum(bytes: Uint8Array, sum: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length + 4);
  result.set(bytes);
  new DataView(result.buffer).setUint32(bytes.length, sum, true);
  return result;
}

const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

type Id = Readonly<Record<string, string | number>> & { readonly id: string };

const SHUFFLE: Id = { id: "shuffle", elementsize: 4 };
const FLOAT = "<f4";

function caseV2(name: string, stored: Uint8Array, compressor: Id | null, filters: readonly Id[] = []): DecodeCase {
  const metadata = {
    zarr_format: 2,
    shape: [SIDE, SIDE],
    chunks: [SIDE, SIDE],
    dtype: FLOAT,
    fill_value: 0,
    order: "C",
    compressor,
    filters: filters.length === 0 ? null : filters,
  };
  const python = [...(compressor === null ? [] : [compressor]), ...filters.toReversed()];
  return { name, zarrFormat: 2, metadata: JSON.stringify(metadata), stored: copied(stored), python };
}

function caseCrc32c(bytes: Uint8Array): DecodeCase {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [SIDE, SIDE],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [SIDE, SIDE] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
    attributes: {},
  };
  const python = [{ id: "crc32c", location: "end" }];
  const stored = withSum(bytes, crc32c(bytes));
  return { name: "crc32c", zarrFormat: 3, metadata: JSON.stringify(metadata), stored, python };
}

async function bloscCase(
  bytes: Uint8Array,
  cname: "lz4" | "zstd" | "blosclz" | "zlib",
  shuffle: 1 | 2,
): Promise<DecodeCase> {
  const configuration = { id: "blosc", cname, clevel: 5, shuffle, blocksize: 0 };
  // The package takes elements of one byte: given shuffled planes it would find nothing to shuffle.
  const stored = await Blosc.fromConfig({ ...configuration, elementsize: 4 } as never).encode(bytes);
  return caseV2(`blosc-${cname} ${shuffle === 1 ? "shuffle" : "bitshuffle"}`, stored, configuration);
}

export async function decodeCases(): Promise<readonly DecodeCase[]> {
  const bytes = field();
  const planes = shuffled(bytes);
  const zstd = Zstd.fromConfig({ id: "zstd", level: 3 });
  const scale = { id: "fixedscaleoffset", scale: 100, offset: 280, dtype: FLOAT, astype: "<i2" };
  return [
    caseV2("zlib", deflateSync(bytes, { level: 4 }), { id: "zlib", level: 4 }),
    caseV2("zlib + shuffle", deflateSync(planes, { level: 4 }), { id: "zlib", level: 4 }, [SHUFFLE]),
    caseV2("gzip", gzipSync(bytes, { level: 4 }), { id: "gzip", level: 4 }),
    caseV2("zstd", await zstd.encode(bytes), { id: "zstd", level: 3 }),
    caseV2("zstd + shuffle", await zstd.encode(planes), { id: "zstd", level: 3 }, [SHUFFLE]),
    await bloscCase(bytes, "zstd", 1),
    await bloscCase(bytes, "zstd", 2),
    await bloscCase(bytes, "lz4", 1),
    await bloscCase(bytes, "lz4", 2),
    await bloscCase(bytes, "blosclz", 1),
    await bloscCase(bytes, "zlib", 1),
    caseV2("lz4", await LZ4.fromConfig({ id: "lz4" }).encode(bytes), { id: "lz4" }),
    caseV2("delta", differences(bytes), null, [{ id: "delta", dtype: FLOAT }]),
    caseV2("fixedscaleoffset", scaled(bytes, 100, 280), null, [scale]),
    caseV2("fletcher32", withSum(bytes, fletcher32(bytes)), null, [{ id: "fletcher32" }]),
    caseCrc32c(bytes),
  ];
}
