/**
 * Encoders that compress nothing: streams which every decoder of the codec reads, of bytes that must be written as if
 * encoded.
 */
import type { JsonObject } from "../core/json/json.ts";
import { joinBytes } from "../core/bytes.ts";
import { swapBytes } from "../core/values/byte-order.ts";
import { adler32, fletcher32 } from "./checksums/checksums.ts";

type Encode = (bytes: Uint8Array, configuration: JsonObject) => Uint8Array;

const ENCODERS: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ["zlib", storedZlib],
  ["shuffle", shuffled],
  ["zstd", storedZstd],
  ["blosc", storedBlosc],
  // Never undone before.
  ["hdf5_bits", (bytes) => bytes],
  ["hdf5_bitshuffle", storedBitshuffle],
  ["hdf5_scaleoffset", storedScaleOffset],
  ["hdf5_shuffle", shuffled],
  ["imagecodecs_lz4h5", (bytes) => framed(bytes, bytes.length, bytes)],
  ["imagecodecs_lzf", storedLzf],
  ["fletcher32", (bytes) => joinBytes([bytes, little(fletcher32(bytes), 4)])],
]);

/** `filters` in order of encoding; `undefined` where one of them has no such encoder. */
export function storeOnly(filters: readonly JsonObject[], bytes: Uint8Array): Uint8Array | undefined {
  let encoded = bytes;
  for (const filter of filters) {
    const id = filter.get("id");
    const encode = typeof id === "string" ? ENCODERS.get(id) : undefined;
    if (encode === undefined) return undefined;
    encoded = encode(encoded, filter);
  }
  return encoded;
}

/** RFC 1950, and stored blocks of RFC 1951. */
function storedZlib(bytes: Uint8Array): Uint8Array {
  const most = 65_535;
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let from = 0; from === 0 || from < bytes.length; from += most) {
    const block = bytes.subarray(from, from + most);
    const isLast = from + most >= bytes.length ? 1 : 0;
    parts.push(Uint8Array.of(isLast), little(block.length, 2), little(block.length ^ 0xffff, 2), block);
  }
  return joinBytes([...parts, little(adler32(bytes), 4).toReversed()]);
}

/** RFC 8878: one segment of raw blocks. */
function storedZstd(bytes: Uint8Array): Uint8Array {
  const most = 131_072;
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0), little(bytes.length, 4)];
  for (let from = 0; from === 0 || from < bytes.length; from += most) {
    const block = bytes.subarray(from, from + most);
    parts.push(little(block.length * 8 + (from + most >= bytes.length ? 1 : 0), 3), block);
  }
  return joinBytes(parts);
}

/** Blosc 1: a header whose flag says that the bytes were copied. */
function storedBlosc(bytes: Uint8Array): Uint8Array {
  const size = little(bytes.length, 4);
  return joinBytes([Uint8Array.of(2, 1, 2, 1), size, size, little(bytes.length + 16, 4), bytes]);
}

function shuffled(bytes: Uint8Array, configuration: JsonObject): Uint8Array {
  const size = Number(configuration.get("elementsize") ?? 4);
  const count = Math.floor(bytes.length / size);
  const out = bytes.slice();
  for (let at = 0; at < count * size; at += 1) out[(at % size) * count + Math.floor(at / size)] = bytes[at] as number;
  return out;
}

/** liblzf: runs of literals, each with its length less one before it. */
function storedLzf(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += 32) {
    const run = bytes.subarray(from, from + 32);
    parts.push(Uint8Array.of(run.length - 1), run);
  }
  return joinBytes(parts);
}

/** One block, as HDF5's plugins frame them: sizes big-endian. */
function framed(
  bytes: Uint8Array,
  blockBytes: number,
  block: Uint8Array,
  rest: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const head = [little(bytes.length, 8).toReversed(), little(blockBytes, 4).toReversed()];
  const stored = block.length === 0 ? [] : [little(block.length, 4).toReversed(), block];
  return joinBytes([...head, ...stored, rest]);
}

function storedBitshuffle(bytes: Uint8Array, configuration: JsonObject): Uint8Array {
  const size = Number(configuration.get("elementsize") ?? 1);
  const whole = bytes.length - (bytes.length % (8 * size));
  const bits = shuffledBits(bytes.subarray(0, whole), size);
  const pack = configuration.get("compression") === "zstd" ? storedZstd : storedLz4;
  return framed(bytes, whole || 8 * size, whole === 0 ? bits : pack(bits), bytes.subarray(whole));
}

/** Bit 0 of byte 0 of all elements, then bit 1, and so on. */
function shuffledBits(bytes: Uint8Array, size: number): Uint8Array {
  const count = bytes.length / size;
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1)
    for (let bit = 0; bit < 8; bit += 1) {
      const to = (8 * (at % size) + bit) * count + Math.floor(at / size);
      out[to >> 3] = (out[to >> 3] as number) | ((((bytes[at] as number) >> bit) & 1) << (to & 7));
    }
  return out;
}

/** A block of literals alone. */
function storedLz4(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 15) return joinBytes([Uint8Array.of(bytes.length << 4), bytes]);
  const more = bytes.length - 15;
  const length = new Uint8Array(Math.floor(more / 255) + 1).fill(255);
  length[length.length - 1] = more % 255;
  return joinBytes([Uint8Array.of(0xf0), length, bytes]);
}

/** HDF5's filter 6: numbers of all their bits behind a header of 21 bytes; integers that need all bits have none. */
function storedScaleOffset(bytes: Uint8Array, configuration: JsonObject): Uint8Array {
  const numbers = configuration.get("parameters");
  const [, factor, , kind, size = 1, , order] = Array.isArray(numbers) ? numbers.map(Number) : [];
  if (kind !== 1 && factor === 8 * size) return bytes;
  const header = joinBytes([little(8 * size, 4), Uint8Array.of(8), new Uint8Array(16)]);
  return joinBytes([header, order === 1 ? swapBytes(bytes, size) : bytes]);
}

const little = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** at) % 256);
