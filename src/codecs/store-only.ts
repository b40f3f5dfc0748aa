/** Encoders that compress nothing: streams which every decoder of the codec reads, of bytes that must be written as if encoded. */
import type { JsonObject } from "../core/json/json.ts";
import { joinBytes } from "../core/join-bytes.ts";
import { adler32, fletcher32 } from "./checksums/checksums.ts";

type Encode = (bytes: Uint8Array, configuration: JsonObject) => Uint8Array;

const ENCODERS: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ["zlib", storedZlib],
  ["shuffle", shuffled],
  ["zstd", storedZstd],
  ["blosc", storedBlosc],
  // Never undone before.
  ["hdf5_bits", (bytes) => bytes],
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

const little = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** at) % 256);
