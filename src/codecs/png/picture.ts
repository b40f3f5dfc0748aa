/** PNG pictures (ISO/IEC 15948) that are not interlaced: their chunks, and rows of pixels without filters. */
import { joinBytes } from "#core/bytes.ts";
import type { RefscopeError } from "#core/findings/finding.ts";
import { crc32 } from "../checksums/checksums.ts";
import { decodeFailed, decodeTooLarge } from "../codec.ts";
import { unzlib } from "../deflate/zlib.ts";

export interface PngSource {
  readonly codec: string;
  /** The part of the codec's data that is the picture, where there are others. */
  readonly section?: string;
}

export interface PngPicture {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colour: number;
  readonly channels: number;
  /** Red, green and blue of each entry (PLTE). */
  readonly palette: Uint8Array;
  /** Chunk tRNS, as it is. */
  readonly transparency: Uint8Array | undefined;
  readonly compressed: Uint8Array;
}

/** Depths by colour type (§11.2.2). */
const KINDS: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

export function damaged({ codec, section }: PngSource, expected: string, found: string): RefscopeError {
  return decodeFailed(codec, expected, found, section);
}

/** Throws `decode-failed`. */
export function readPng(source: PngSource, data: Uint8Array): PngPicture {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isPng = data.length >= 33 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
  if (!isPng) throw damaged(source, "a PNG picture, which begins with 89 50 4e 47", "other bytes");
  const parts: Uint8Array[] = [];
  let [palette, transparency]: [Uint8Array, Uint8Array | undefined] = [new Uint8Array(), undefined];
  let header: Omit<PngPicture, "palette" | "transparency" | "compressed"> | undefined;
  for (let at = 8; at + 12 <= data.length;) {
    const length = view.getUint32(at);
    if (length > data.length - at - 12) break;
    const name = String.fromCharCode(...data.subarray(at + 4, at + 8));
    const body = data.subarray(at + 8, at + 8 + length);
    if (crc32(data.subarray(at + 4, at + 8 + length)) >>> 0 !== view.getUint32(at + 8 + length)) {
      throw damaged(source, `the checksum of the PNG chunk ${name}`, "another one: the picture is damaged");
    }
    if (name === "IHDR") header = readHeader(source, body);
    if (name === "PLTE") palette = body;
    if (name === "tRNS") transparency = body;
    if (name === "IDAT") parts.push(body);
    if (name === "IEND" && header !== undefined) {
      return { ...header, palette, transparency, compressed: joinBytes(parts) };
    }
    at += length + 12;
  }
  throw damaged(source, "a PNG picture up to its IEND", `${data.length} bytes without it`);
}

function readHeader(source: PngSource, body: Uint8Array) {
  if (body.length !== 13) throw damaged(source, "a PNG header of 13 bytes", `${body.length} bytes`);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const [depth, colour, interlace] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)];
  const kind = KINDS.get(colour);
  if (kind?.depths.includes(depth) !== true || interlace !== 0) {
    const found = `colour type ${colour} of ${depth} bits${interlace === 0 ? "" : ", interlaced"}`;
    throw damaged(source, "a PNG picture of a colour type and depth of the standard, not interlaced", found);
  }
  return { width: view.getUint32(0), height: view.getUint32(4), depth, colour, channels: kind.channels };
}

/** Bytes of a row of pixels. */
export const rowBytes = ({ width, depth, channels }: PngPicture): number => Math.ceil((width * depth * channels) / 8);

/**
 * Rows of pixels one after another. The caller has kept their size within bounds. Throws `decode-failed`, `decode-too-
 * large`, `checksum-mismatch`.
 */
export function pngRows(source: PngSource, picture: PngPicture): Uint8Array {
  const row = rowBytes(picture);
  const size = (row + 1) * picture.height;
  if (!Number.isSafeInteger(size)) throw decodeTooLarge(source.codec, 2 ** 53, `${size} bytes of pixels`);
  const raw = unzlib(source.codec, picture.compressed, size);
  if (raw.length !== size) throw damaged(source, `${size} bytes of pixels`, `${raw.length} bytes`);
  return unfilter(source, raw, row, Math.max(1, (picture.depth * picture.channels) / 8));
}

/** Undoes the filter of each row (§9), which its first byte names; rows without those bytes. */
function unfilter(source: PngSource, raw: Uint8Array, row: number, step: number): Uint8Array {
  const height = row === 0 ? 0 : raw.length / (row + 1);
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] as number;
    if (filter > 4) throw damaged(source, "a PNG row filter of 0 to 4", `filter ${filter} in row ${y}`);
    const from = y * (row + 1) + 1;
    const target = y * row;
    for (let x = 0; x < row; x++) {
      const left = x < step ? 0 : (out[target + x - step] as number);
      const up = y === 0 ? 0 : (out[target + x - row] as number);
      const corner = x < step || y === 0 ? 0 : (out[target + x - row - step] as number);
      out[target + x] = (raw[from + x] as number) + predicted(filter, left, up, corner);
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
