/** Decodes LERC with Esri's own decoder in WebAssembly (the package lerc). */
import { decode, load, type LercData } from "lerc";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { decodeFailed, decodeTooLarge } from "../failure.ts";
import { magic } from "../stream-start.ts";
import { unzlib } from "../zlib.ts";
import { unzstd } from "../zstd.ts";
import { readLercRaster } from "./header.ts";

/** As a URL, from which the package fetches it in a browser; in Node it reads the file. */
const MODULE = new URL("../../../node_modules/lerc/lerc-wasm.wasm", import.meta.url).href;

/**
 * Little-endian values: bands one after another, values of a pixel next to each other, as imagecodecs lays them out.
 * Pixels that the blob's mask leaves out are 0 there and here.
 *
 * @throws RefscopeError `decode-failed`, `decode-too-large`; `codec-unavailable` where WebAssembly is refused
 */
export async function decodeLerc(
  codec: string,
  input: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const blobs = await uncompressed(codec, input, limit);
  const { width, height, depth, bands, itemSize } = readLercRaster(codec, blobs);
  const size = width * height * depth * bands * itemSize;
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes, as the blob's head says`);
  try {
    await load({ locateFile: () => MODULE });
  } catch (cause) {
    throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "no-wasm" }, { cause });
  }
  const { pixels, noDataValues } = decoded(codec, blobs);
  if (noDataValues?.some((value) => value !== null) === true) {
    throw decodeFailed(codec, "pixels of which all values are valid, or none", "a value that stands for missing ones");
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of pixels) {
    if (at + byteLength > size) break;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  if (at !== size) throw decodeFailed(codec, `${size} bytes, as the blob's head says`, `${at} bytes`);
  return bytes;
}

/** A blob may be a little larger than its values. */
const MORE_THAN_VALUES = 2;
const HEADS = 65_536;

/** TIFF's LERC may lie in zstd or zlib: imagecodecs looks at the first bytes. */
async function uncompressed(codec: string, input: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const most = limit * MORE_THAN_VALUES + HEADS;
  if (isZstd(input, 0)) return unzstd(input, most);
  return input[0] === ZLIB ? unzlib(codec, input, most) : input;
}

const isZstd = magic(0x28, 0xb5, 0x2f, 0xfd);
const ZLIB = 0x78;

function decoded(codec: string, input: Uint8Array): LercData {
  try {
    return decode(input, { returnInterleaved: true });
  } catch (cause) {
    // The package's words are its status codes; bands with a mask each and several values a pixel end in a RangeError.
    const found = cause instanceof RangeError ? "masks of several bands, which are not read" : String(cause);
    throw decodeFailed(codec, "blobs that LERC's own decoder takes, with the right checksum", found.slice(0, 120));
  }
}
