/**
 * Checksums that codecs verify. All return an unsigned 32-bit number. The fast path is WebAssembly
 * (`wasm/sums.as.ts`).
 */
import { once } from "#core/basics.ts";
import { fastSum } from "../wasm/decode.ts";

/** Adler-32 (RFC 1950 §9). */
export const adler32 = (bytes: Uint8Array): number => fastSum("adler32", bytes) ?? plainAdler32(bytes);

function plainAdler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  // 3800 additions fit 32 bits before the remainder must be taken.
  for (let from = 0; from < bytes.length; from += 3800) {
    const to = Math.min(bytes.length, from + 3800);
    for (let i = from; i < to; i++) {
      a += bytes[i] as number;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

/** CRC-32 of gzip (RFC 1952 §8). `before`: that of the bytes before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  return fastSum("crc32", bytes, before) ?? crc(bytes, CRC32_TABLE(), before);
}

/** CRC-32C, Castagnoli's polynomial (RFC 3720 §12.1), as in Zarr v3's `crc32c` codec. */
export const crc32c = (bytes: Uint8Array): number => fastSum("crc32c", bytes) ?? crc(bytes, CRC32C_TABLE());

/**
 * Fletcher-32 as HDF5 computes it (H5checksum.c) and numcodecs verifies it: over big-endian 16-bit words, an odd
 * last byte as the high half of a word, sums starting at 0 and kept by end-around carry.
 */
export function fletcher32(bytes: Uint8Array): number {
  const words = bytes.length >> 1;
  let a = 0;
  let b = 0;
  for (let from = 0; from < words; from += 360) {
    const to = Math.min(words, from + 360);
    for (let i = from; i < to; i++) {
      a += ((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number);
      b += a;
    }
    a = fold(a);
    b = fold(b);
  }
  if (bytes.length % 2 === 1) {
    a = fold(a + ((bytes[bytes.length - 1] as number) << 8));
    b = fold(b + a);
  }
  return ((fold(b) << 16) | fold(a)) >>> 0;
}

const fold = (sum: number): number => (sum & 0xffff) + (sum >>> 16);

const CRC32_TABLE = once(() => crcTable(0xedb8_8320));
const CRC32C_TABLE = once(() => crcTable(0x82f6_3b78));

function crcTable(polynomial: number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? polynomial : 0);
    return value;
  });
}

function crc(bytes: Uint8Array, table: Int32Array, before = 0): number {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] as number);
  return ~value >>> 0;
}
