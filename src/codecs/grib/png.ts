/**
 * Values as the pixels of a PNG picture (FM 92, template 7.41; PNG: ISO/IEC 15948). Only what GRIB writers make is read:
 * 1, 2, 4, 8, 16 (grey), 24 (RGB) or 32 (RGB with alpha) bits a pixel, not interlaced.
 */
import { pngRows, readPng, rowBytes } from "../png/picture.ts";
import { damaged } from "./failure.ts";
import { bitReader, takeInto } from "./numbers.ts";
import { sectionName } from "./tables.ts";

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
  const source = { codec, section: sectionName(7) };
  const picture = readPng(source, data);
  const { width, height } = picture;
  const depth = PIXELS.get(`${picture.colour}/${picture.depth}`);
  if (depth === undefined) {
    const found = `colour type ${picture.colour} of ${picture.depth} bits`;
    throw damaged(codec, 7, "a PNG picture in grey, RGB or RGBA of up to 32 bits a pixel, not interlaced", found);
  }
  const allowed = [...PIXELS.values()].filter((one) => one >= bits);
  // Values of few bits may stand in whole bytes as well.
  if (depth !== allowed[0] && !(depth === 8 && bits < 8)) {
    throw damaged(codec, 7, `pixels of ${allowed[0] ?? bits} bits, for values of ${bits} bits`, `${depth} bits`);
  }
  if (width * height !== count) {
    throw damaged(codec, 7, `a picture of ${count} pixels`, `one of ${width} × ${height} pixels`);
  }
  if (count === 0) return new Float64Array(0);
  const row = rowBytes(picture);
  const out = new Float64Array(count);
  const pixels = pngRows(source, picture);
  for (let y = 0; y < height; y++) {
    takeInto(bitReader(pixels, y * row), depth, { out, at: y * width, count: width, add: 0 });
  }
  return out;
}
