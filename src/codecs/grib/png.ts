/**
 * Values as the pixels of a PNG picture (FM 92, template 7.41; PNG: ISO/IEC 15948). Only what GRIB writers make is read:
 * 1, 2, 4, 8, 16 (grey), 24 (RGB) or 32 (RGB with alpha) bits a pixel, not interlaced.
 */
import { joinBytes } from "../../core/join-bytes.ts";
import { crc32 } from "../checksums.ts";
import { unzlib } from "../zlib.ts";
import { damaged } from "./failure.ts";
import { bitReader, takeInto, view } from "./numbers.ts";

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits per pixel. */
  readonly depth: number;
}

/** Bits a pixel, by colour type and depth. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ["0/1", 1],
  ["0/2", 2],
  ["0/4", 4],
  ["0/8", 8],
  ["0/16", 16],
  ["2/8", 24],
  ["6/8", 32],
]);

/** `count` whole numbers, before they are scaled. Throws `decode-failed`, `decode-too-large`, `checksum-mismatch`. */
export function unpackPng(codec: string, data: Uint8Array, bits: number, count: number): Float64Array<ArrayBuffer> {
  const { header, compressed } = readChunks(codec, data);
  const { width, height, depth } = header;
  const allowed = [...PIXELS.values()].filter((one) => one >= bits);
  // Values of few bits may stand in whole bytes as well.
  if (depth !== allowed[0] && !(depth === 8 && bits < 8)) {
    throw damaged(codec, 7, `pixels of ${allowed[0] ?? bits} bits, for values of ${bits} bits`, `${depth} bits`);
  }
  if (width * height !== count) {
    throw damaged(codec, 7, `a picture of ${count} pixels`, `one of ${width} × ${height} pixels`);
  }
  if (count === 0) return new Float64Array(0);
  const row = Math.ceil((width * depth) / 8);
  const raw = unzlib(codec, compressed, (row + 1) * height);
  if (raw.length !== (row + 1) * height) {
    throw damaged(codec, 7, `${(row + 1) * height} bytes of pixels`, `${raw.length} bytes`);
  }
  const out = new Float64Array(count);
  const pixels = unfilter(codec, raw, row, Math.max(1, depth / 8));
  for (let y = 0; y < height; y++) {
    takeInto(bitReader(pixels, y * row), depth, { out, at: y * width, count: width, add: 0 });
  }
  return out;
}

function readChunks(codec: string, data: Uint8Array): { header: Header; compressed: Uint8Array } {
  const bytes = view(data);
  const isPng = data.length >= 33 && bytes.getUint32(0) === 0x89504e47 && bytes.getUint32(4) === 0x0d0a1a0a;
  if (!isPng) throw damaged(codec, 7, "a PNG picture, which begins with 89 50 4e 47", "other bytes");
  const parts: Uint8Array[] = [];
  let header: Header | undefined;
  for (let at = 8; at + 12 <= data.length;) {
    const length = bytes.getUint32(at);
    if (length > data.length - at - 12) break;
    const name = String.fromCharCode(...data.subarray(at + 4, at + 8));
    const body = data.subarray(at + 8, at + 8 + length);
    if (crc32(data.subarray(at + 4, at + 8 + length)) >>> 0 !== bytes.getUint32(at + 8 + length)) {
      throw damaged(codec, 7, `the checksum of the PNG chunk ${name}`, "another one: the picture is damaged");
    }
    if (name === "IHDR") header = readHeader(codec, body);
    if (name === "IDAT") parts.push(body);
    if (name === "IEND" && header !== undefined) return { header, compressed: joinBytes(parts) };
    at += length + 12;
  }
  throw damaged(codec, 7, "a PNG picture up to its IEND", `${data.length} bytes without it`);
}

function readHeader(codec: string, body: Uint8Array): Header {
  if (body.length !== 13) throw damaged(codec, 7, "a PNG header of 13 bytes", `${body.length} bytes`);
  const data = view(body);
  const [depth, colour, interlace] = [data.getUint8(8), data.getUint8(9), data.getUint8(12)];
  const pixel = PIXELS.get(`${colour}/${depth}`);
  if (pixel === undefined || interlace !== 0) {
    const found = `colour type ${colour} of ${depth} bits${interlace === 0 ? "" : ", interlaced"}`;
    throw damaged(codec, 7, "a PNG picture in grey, RGB or RGBA of up to 32 bits a pixel, not interlaced", found);
  }
  return { width: data.getUint32(0), height: data.getUint32(4), depth: pixel };
}

/** Undoes the filter of each row (ISO/IEC 15948 §9), which its first byte names; rows without those bytes. */
function unfilter(codec: string, raw: Uint8Array, row: number, step: number): Uint8Array {
  const height = row === 0 ? 0 : raw.length / (row + 1);
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] as number;
    if (filter > 4) throw damaged(codec, 7, "a PNG row filter of 0 to 4", `filter ${filter} in row ${y}`);
    const source = y * (row + 1) + 1;
    const target = y * row;
    for (let x = 0; x < row; x++) {
      const left = x < step ? 0 : (out[target + x - step] as number);
      const up = y === 0 ? 0 : (out[target + x - row] as number);
      const corner = x < step || y === 0 ? 0 : (out[target + x - row - step] as number);
      out[target + x] = (raw[source + x] as number) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
