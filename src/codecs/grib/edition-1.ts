/** Values of a message of GRIB edition 1 (FM 92 of 1988), in simple packing, the only one there that is widely used. */
import { decodeFailed } from "../failure.ts";
import { spread } from "./bitmap.ts";
import { packingUnsupported } from "./failure.ts";
import { bitReader, ibmFloat, MAX_BITS, signed16, takeInto, view } from "./numbers.ts";
import { rowLengths1 } from "./read-grid-1.ts";
import type { ReadOptions } from "./read-options.ts";
import { applyScale } from "./scale.ts";
import { sectionName1 } from "./tables.ts";
import type { RawSection } from "./walk.ts";

function wrong(codec: string, section: number, expected: string, found: string): Error {
  return decodeFailed(codec, expected, found, `${sectionName1(section)} of GRIB edition 1`);
}

/** Throws `grib-packing-unsupported`, `decode-failed`, `decode-too-large`. */
export function values1(sections: readonly RawSection[], options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const part = (number: number) => sections.find((section) => section.number === number)?.bytes;
  const [product, grid, mask, data] = [part(1), part(2), part(3), part(4)];
  if (product === undefined || data === undefined) throw new Error("A message without a problem has sections 1 and 4.");
  const bitmap = mask === undefined ? undefined : readBitmap1(codec, mask);
  const points = bitmap?.points ?? (grid === undefined ? undefined : gridPoints(grid));
  const coded = unpack1(data, signed16(view(product), 26), bitmap === undefined ? points : undefined, options);
  if (bitmap === undefined) return coded;
  keepTo(bitmap.points, options);
  return spread(codec, coded, bitmap.bits, bitmap.points);
}

function keepTo(count: number, { codec, maximum }: ReadOptions): void {
  if (count > maximum) throw wrong(codec, 4, `at most ${maximum} values for a chunk of this shape`, `${count} values`);
}

/** Ni × Nj, or the sum of the rows' own lengths; `undefined` where neither is there. */
function gridPoints(grid: Uint8Array): number | undefined {
  if (grid.length < 10) return undefined;
  const data = view(grid);
  const [columns, rows] = [data.getUint16(6), data.getUint16(8)];
  if (columns !== 0xffff && rows !== 0xffff) return columns * rows;
  return rowLengths1(grid)?.reduce((sum, length) => sum + length, 0);
}

function readBitmap1(codec: string, section: Uint8Array): { readonly bits: Uint8Array; readonly points: number } {
  const data = view(section);
  const points = (section.length - 6) * 8 - data.getUint8(3);
  if (data.getUint16(4) !== 0) {
    throw wrong(codec, 3, "the bit-map itself", `bit-map ${data.getUint16(4)}, which the centre defines elsewhere`);
  }
  if (points < 0) throw wrong(codec, 3, "fewer unused bits than bits", `${data.getUint8(3)} unused bits`);
  return { bits: section.subarray(6), points };
}

/** `points`: how many values there are where nothing says which are missing, if that is known. */
function unpack1(section: Uint8Array, decimal: number, points: number | undefined, options: ReadOptions) {
  const { codec, reader } = options;
  const data = view(section);
  const flags = data.getUint8(3);
  if ((flags & 0xf0) !== 0) {
    const found = `binary data of GRIB edition 1 with the flags ${(flags >> 4).toString(2).padStart(4, "0")}: ${flagNames(flags)}`;
    throw packingUnsupported(codec, 1, found);
  }
  const bits = data.getUint8(10);
  if (bits > MAX_BITS) throw wrong(codec, 4, `at most ${MAX_BITS} bits for each value`, `${bits} bits`);
  const reference = ibmFloat(data.getUint32(6));
  if (bits === 0) {
    if (points === undefined) throw wrong(codec, 4, "a number of points for a constant field", "none in section 2");
    keepTo(points, options);
    return new Float64Array(points).fill(reference);
  }
  const stored = Math.floor(((section.length - 11) * 8 - (flags & 15)) / bits);
  if (points !== undefined && points > stored) throw wrong(codec, 4, `${points} values of ${bits} bits`, `${stored}`);
  const count = points ?? stored;
  keepTo(count, options);
  const out = new Float64Array(count);
  takeInto(bitReader(section, 11), bits, { out, at: 0, count, add: 0 });
  applyScale(out, { reference, binary: signed16(data, 4), decimal }, reader);
  return out;
}

function flagNames(flags: number): string {
  const names: readonly (readonly [number, string])[] = [
    [128, "spherical harmonic coefficients"],
    [64, "complex or second-order packing"],
    [32, "whole numbers"],
    [16, "further flags"],
  ];
  return names.flatMap(([bit, name]) => ((flags & bit) === 0 ? [] : [name])).join(", ");
}
