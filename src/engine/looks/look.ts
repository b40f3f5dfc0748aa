/** Describes bytes, whatever they are said to be: their entropy, and the format whose signature they begin with. */
import type { BytesLook, Signature } from "#core/check/lab.ts";
import { blosc, bz2, gzip, lz4Frame, lz4Hdf5, lz4Numcodecs, lzmaAlone, pcodec, xz, zlib, zstd } from "./compressed.ts";
import { beginning, grib, hdf5, hdf5Piece, jpeg, netcdf3, pickle, png, same, text, tiff, zip } from "./files.ts";
import type { Recognise } from "./signature.ts";

/** The first that fits counts: those with long signatures before those with short ones. */
const FORMATS: readonly Recognise[] = [
  beginning,
  hdf5,
  png,
  xz,
  bz2,
  zstd,
  lz4Frame,
  gzip,
  zip,
  grib,
  pcodec,
  netcdf3,
  tiff,
  hdf5Piece,
  jpeg,
  blosc,
  pickle,
  lzmaAlone,
  same,
  text,
  zlib,
  lz4Hdf5,
  lz4Numcodecs,
];

/**
 * Format whose signature the bytes begin with. Short signatures may be an accident of the data: "looks like" is all
 * that can be said.
 */
export function findSignature(bytes: Uint8Array): Signature | undefined {
  for (const recognise of FORMATS) {
    const signature = recognise(bytes);
    if (signature !== undefined) return signature;
  }
  return undefined;
}

/** Most bytes counted, from the beginning. */
const MAX_COUNTED = 16 * 1024 * 1024;

/** Pure. The time is that of one histogram. */
export function lookAt(bytes: Uint8Array): BytesLook {
  const counted = Math.min(bytes.length, MAX_COUNTED);
  const signature = findSignature(bytes);
  const isSame = signature?.name === "zeros" || signature?.name === "constant";
  const entropy = isSame ? 0 : entropyOf(histogram(bytes.subarray(0, counted)), counted);
  return { entropy, counted, ...(signature === undefined ? {} : { signature }) };
}

/**
 * How often each of the 256 bytes occurs. Counted in four tables in turn: bytes that repeat would else wait for their own
 * count to be written back.
 */
export function histogram(bytes: Uint8Array): Uint32Array {
  const [a, b, c, d] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) {
    (a[bytes[at] as number] as number) += 1;
    (b[bytes[at + 1] as number] as number) += 1;
    (c[bytes[at + 2] as number] as number) += 1;
    (d[bytes[at + 3] as number] as number) += 1;
  }
  for (let at = whole; at < bytes.length; at += 1) (a[bytes[at] as number] as number) += 1;
  return a.map((count, byte) => count + (b[byte] as number) + (c[byte] as number) + (d[byte] as number));
}

/** Shannon entropy in bits a byte. 0 where nothing was counted. */
export function entropyOf(counts: Uint32Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return Math.abs(bits);
}
