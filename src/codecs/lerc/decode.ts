/**
 * LERC, Esri's compression of rasters (Esri/lerc, `doc/`), as imagecodecs reads it, with Esri's own decoder in WebAssembly
 * (the package lerc). What the raster is says the blob itself.
 */
import { decode, type LercData, load } from "lerc";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { hexBytes } from "#core/bytes.ts";
import { type Bytes, decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";
import { magic } from "../stream-start.ts";
import { unzlib } from "../deflate/zlib.ts";
import { unzstd } from "../zstd/zstd.ts";

const ID = "imagecodecs_lerc";

export const imagecodecsLerc: Decoder = {
  prepare: () => ({ label: "LERC", decode: (input, limit) => decodeLerc(ID, input, limit) }),
};

// Reads the heads of LERC blobs (Esri/lerc, `src/LercLib/Lerc2.h`), before the decoder allocates memory by them.

/** Bytes of an element by data type: int8, uint8, int16, uint16, int32, uint32, float32, float64. */
const ITEM_SIZES = [1, 1, 2, 2, 4, 4, 4, 8];
const FIRST_VERSION = 2;
const LAST_VERSION = 6;
const WITH_CHECKSUM = 3;
const WITH_DEPTH = 4;

/** One blob a band, all of a kind; bytes behind them are passed over. Throws `decode-failed`. */
function readLercRaster(codec: string, bytes: Uint8Array) {
  const first = readBlob(codec, bytes);
  if (first === undefined) {
    const found = bytes.length === 0 ? "nothing" : hexBytes(bytes.subarray(0, 10));
    throw decodeFailed(codec, "a blob of LERC 2, which begins with “Lerc2 ”", found);
  }
  const itemSize = ITEM_SIZES[first.dataType];
  if (itemSize === undefined) throw decodeFailed(codec, "a data type of 0 to 7", String(first.dataType));
  let bands = 0;
  for (let at = 0; at < bytes.length; bands++) {
    const blob = readBlob(codec, bytes.subarray(at));
    if (blob === undefined || blob.width !== first.width || blob.height !== first.height) break;
    at += blob.size;
  }
  const { width, height, depth } = first;
  return { width, height, depth, bands, itemSize };
}

function readBlob(codec: string, bytes: Uint8Array) {
  const isLerc = String.fromCharCode(...bytes.subarray(0, 6)) === "Lerc2 ";
  if (!isLerc) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 6;
  const next = () => {
    if (at + 4 > bytes.length) throw decodeFailed(codec, "the head of a LERC blob", `${bytes.length} bytes`);
    at += 4;
    return view.getInt32(at - 4, true);
  };
  const version = next();
  if (version < FIRST_VERSION || version > LAST_VERSION) {
    throw decodeFailed(codec, `LERC 2 of version ${FIRST_VERSION} to ${LAST_VERSION}`, `version ${version}`);
  }
  if (version >= WITH_CHECKSUM) next();
  const [height, width] = [next(), next()];
  const depth = version >= WITH_DEPTH ? next() : 1;
  // Valid pixels, and the side of a block.
  next();
  next();
  const [size, dataType] = [next(), next()];
  if (height <= 0 || width <= 0 || depth <= 0) {
    throw decodeFailed(codec, "a raster of at least one pixel", `${height} × ${width} × ${depth}`);
  }
  if (size < at || size > bytes.length) {
    throw decodeFailed(codec, `a blob of ${size} bytes`, `${bytes.length} bytes`);
  }
  return { height, width, depth, size, dataType };
}

/** URL of the module, from which the package fetches it in a browser; in Node it reads the file. */
const MODULE = new URL("../../../node_modules/lerc/lerc-wasm.wasm", import.meta.url).href;

/**
 * Little-endian values: bands one after another, values of a pixel next to each other, as imagecodecs lays them out.
 * Pixels that the blob's mask leaves out are 0 there and here.
 *
 * @throws RefscopeError `decode-failed`, `decode-too-large`; `codec-unavailable` where WebAssembly is refused
 */
export async function decodeLerc(codec: string, input: Bytes, limit: number): Promise<Bytes> {
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
async function uncompressed(codec: string, input: Bytes, limit: number): Promise<Uint8Array> {
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
