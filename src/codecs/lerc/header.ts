/** What the heads of LERC blobs say (Esri/lerc, `src/LercLib/Lerc2.h`): looked at before the decoder takes memory by them. */
import { hexBytes } from "../../core/hex-bytes.ts";
import { decodeFailed } from "../failure.ts";

export interface LercRaster {
  readonly width: number;
  readonly height: number;
  /** Values a pixel. */
  readonly depth: number;
  readonly bands: number;
  /** Bytes of a value. */
  readonly itemSize: number;
}

/** By data type: int8, uint8, int16, uint16, int32, uint32, float32, float64. */
const ITEM_SIZES = [1, 1, 2, 2, 4, 4, 4, 8];
const FIRST_VERSION = 2;
const LAST_VERSION = 6;
const WITH_CHECKSUM = 3;
const WITH_DEPTH = 4;

interface Blob {
  readonly height: number;
  readonly width: number;
  readonly depth: number;
  readonly size: number;
  readonly dataType: number;
}

/** One blob a band, all of a kind; bytes behind them are passed over. Throws `decode-failed`. */
export function readLercRaster(codec: string, bytes: Uint8Array): LercRaster {
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

function readBlob(codec: string, bytes: Uint8Array): Blob | undefined {
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
