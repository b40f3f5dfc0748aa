/** The values of a GRIB message, one a point of its grid, in the order in which they are stored. */
import { type Bits, bitsFrom, moveTo } from "#core/bits.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";
import { pngRows, readPng, rowBytes } from "../png/picture.ts";
import { damaged, gridUnsupported, notAMessage, packingUnsupported } from "./failure.ts";
import {
  bitReader,
  bitsLeft,
  ibmFloat,
  MAX_BITS,
  signed,
  signed16,
  take,
  takeInto,
  takeScaled,
  view,
} from "./numbers.ts";
import { codedCount, type Groups, type Packing, readPacking, type RunLength, type ScaledPacking } from "./packing.ts";
import { rowPoints1 } from "./read-grid.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { applyScale, scaleSteps } from "./scale.ts";
import { sectionName, sectionName1 } from "./tables.ts";
import { type RawSection, walk } from "./walk.ts";

/**
 * The first field's sections, as eccodes reads a message that has several; whole and in order. Throws as
 * `messageValues`.
 */
export function messageSections(codec: string, bytes: Uint8Array): { edition: 1 | 2; sections: readonly RawSection[] } {
  const { edition, sections, problem } = walk(bytes);
  if (edition === undefined) throw notAMessage(codec, bytes);
  if (problem === undefined) return { edition, sections };
  if (edition === 1) throw decodeFailed(codec, problem.expected, problem.found);
  throw damaged(codec, problem.section, problem.expected, problem.found);
}

/** The first section of a number. Sections 1 and 3 to 7 are there, once the walk found no problem. */
export function sectionOf(sections: readonly RawSection[], number: number): Uint8Array {
  const found = sections.find((section) => section.number === number);
  if (found === undefined) throw new Error(`A message without a problem has a section ${number}.`);
  return found.bytes;
}

/** Section 3 of a message of edition 2. Throws as `messageSections`, and `grib-grid-unsupported` for edition 1. */
export function gridSection(codec: string, bytes: Uint8Array, wanted: Parameters<typeof gridUnsupported>[1]) {
  const { edition, sections } = messageSections(codec, bytes);
  if (edition === 1) throw gridUnsupported(codec, wanted, "a message of GRIB edition 1");
  return sectionOf(sections, 3);
}

/**
 * Missing values are NaN. Throws `grib-not-a-message`, `grib-packing-unsupported`, `grib-bitmap-unsupported`,
 * `decode-failed`, `decode-too-large`.
 */
export async function messageValues(bytes: Uint8Array, options: ReadOptions): Promise<Float64Array<ArrayBuffer>> {
  const { edition, sections } = messageSections(options.codec, bytes);
  return edition === 1 ? values1(sections, options) : values2(sections, options);
}

async function values2(sections: readonly RawSection[], options: ReadOptions): Promise<Float64Array<ArrayBuffer>> {
  const { codec } = options;
  const section5 = sectionOf(sections, 5);
  const packing = readPacking(codec, section5);
  const points = view(sectionOf(sections, 3)).getUint32(6);
  const bitmap = readBitmap(codec, sectionOf(sections, 6), points);
  const count = codedCount(section5);
  checkCount(count, options);
  if (bitmap !== undefined) checkCount(points, options);
  const data = sectionOf(sections, 7).subarray(5);
  // With no values stored, nothing is unpacked, as in eccodes.
  const coded =
    bitmap !== undefined && count === 0 ? new Float64Array() : await unpackField({ packing, data, count }, options);
  return bitmap === undefined ? coded : spread(codec, coded, bitmap, points);
}

// Values of a message of GRIB edition 1 (FM 92 of 1988), in simple packing, the only one there that is widely used.

function wrong(codec: string, section: number, expected: string, found: string): Error {
  return decodeFailed(codec, expected, found, `${sectionName1(section)} of GRIB edition 1`);
}

/** Throws `grib-packing-unsupported`, `decode-failed`, `decode-too-large`. */
function values1(sections: readonly RawSection[], options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const part = (number: number) => sections.find((section) => section.number === number)?.bytes;
  const [product, grid, mask, data] = [part(1), part(2), part(3), part(4)];
  if (product === undefined || data === undefined) throw new Error("A message without a problem has sections 1 and 4.");
  const bitmap = mask === undefined ? undefined : readBitmap1(codec, mask);
  const points = bitmap?.points ?? (grid === undefined ? undefined : gridPoints(grid));
  const isReduced = grid !== undefined && rowPoints1(grid) !== undefined;
  const decimal = signed16(view(product), 26);
  const coded = unpack1(data, decimal, { points, areAllStored: bitmap === undefined && !isReduced }, options);
  if (bitmap === undefined) return coded;
  keepTo(bitmap.points, options);
  return spread(codec, coded, bitmap.bits, bitmap.points);
}

function keepTo(count: number, { codec, maximum }: ReadOptions): void {
  if (count > maximum) throw wrong(codec, 4, `at most ${maximum} values for a chunk of this shape`, `${count} values`);
}

/** Ni × Nj, or the points of rows that have their own lengths; `undefined` where neither is there. */
function gridPoints(grid: Uint8Array): number | undefined {
  if (grid.length < 10) return undefined;
  const data = view(grid);
  const [columns, rows] = [data.getUint16(6), data.getUint16(8)];
  if (columns !== 0xffff && rows !== 0xffff) return columns * rows;
  return rowPoints1(grid);
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

/**
 * `points` of the grid, where that is known; without `areAllStored` there are as many values as are stored: a bit-map says
 * which points have one, or rows have lengths of their own, where eccodes counts values too.
 */
function unpack1(
  section: Uint8Array,
  decimal: number,
  { points, areAllStored }: { readonly points: number | undefined; readonly areAllStored: boolean },
  options: ReadOptions,
): Float64Array<ArrayBuffer> {
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
  const stored = Math.max(0, Math.floor(((section.length - 11) * 8 - (flags & 15)) / bits));
  const count = areAllStored ? (points ?? stored) : stored;
  if (count > stored) throw wrong(codec, 4, `${count} values of ${bits} bits`, `${stored}`);
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

// Section 6: which points of the grid have a value (FM 92, code table 6.0).

/** The bits, a point each, from the highest of each byte on; `undefined` where all points have values. */
function readBitmap(codec: string, section6: Uint8Array, points: number): Uint8Array | undefined {
  const indicator = section6[5] as number;
  if (indicator === 255) return undefined;
  if (indicator === 254) {
    throw damaged(codec, 6, "a bit-map, or none", "the bit-map of a field before, but this is the message's first");
  }
  if (indicator !== 0) throw failure("grib-bitmap-unsupported", WHOLE_SET, { codec, indicator });
  const bytes = Math.ceil(points / 8);
  if (section6.length - 6 >= bytes) return section6.subarray(6, 6 + bytes);
  throw damaged(codec, 6, `a bit-map of ${bytes} bytes for ${points} points`, `${section6.length - 6} bytes`);
}

/**
 * Spreads coded values over the points that have one; the others are NaN. More values than points with one are not an
 * error to eccodes.
 */
function spread(codec: string, coded: Float64Array, bitmap: Uint8Array, points: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(points);
  let next = 0;
  for (let i = 0; i < points; i++) {
    const isThere = ((bitmap[i >> 3] as number) & (128 >> (i & 7))) !== 0;
    out[i] = isThere ? (coded[next++] ?? NaN) : NaN;
  }
  if (next <= coded.length || coded.length === 0) return out;
  throw damaged(codec, 6, `a bit-map with at most ${coded.length} points set, a value each`, `${next} points set`);
}

// Complex packing (FM 92, templates 7.2 and 7.3, regulation 92.9.4): values in groups, each with its reference, its
// width in bits and its length; with template 7.3 they are differences of order 1 or 2 between neighbours.

/**
 * The packed whole numbers, before they are scaled; missing ones are NaN. `bits` is that of the groups' references, which
 * are 0 where it is, though the groups may have bits of their own. `signedFirst` says whether the first values of a
 * differenced field carry a sign (gribberish) or not (eccodes). The caller has kept `count` within bounds. Throws
 * `decode-failed`.
 */
function unpackGroups(
  codec: string,
  data: Uint8Array,
  { bits, groups, count, signedFirst }: { bits: number; groups: Groups; count: number; signedFirst: boolean },
): Float64Array<ArrayBuffer> {
  const head = bitReader(data, 0);
  const extras = readExtras(codec, head, groups, signedFirst);
  const descriptors = readDescriptors(codec, head, bits, groups);
  const values = complexUnpackRuns(codec, descriptors, { bits, groups, count });
  if (groups.order !== 0) undoDifferences(codec, values, groups.order, extras);
  return values;
}

interface Extras {
  readonly first: readonly number[];
  /** The overall minimum of the differences. */
  readonly bias: number;
}

function readExtras(codec: string, head: Bits, { order, extraBytes }: Groups, signedFirst: boolean): Extras {
  if (order === 0 || extraBytes === 0) return { first: order === 0 ? [] : Array<number>(order).fill(0), bias: 0 };
  const width = extraBytes * 8;
  if (bitsLeft(head) < (order + 1) * width) throw short(codec, (order + 1) * extraBytes, head.end);
  const first = Array.from({ length: order }, () => {
    const value = take(head, width);
    return signedFirst ? signed(value, width) : value;
  });
  return { first, bias: signed(take(head, width), width) };
}

interface Descriptors {
  readonly references: Bits;
  readonly widths: Bits;
  readonly lengths: Bits;
  readonly values: Bits;
}

/** References, widths and lengths of all groups, one after another, each list filled up to a whole byte. */
function readDescriptors(codec: string, head: Bits, bits: number, groups: Groups): Descriptors {
  const { count, widthBits, lengthBits } = groups;
  for (const width of [widthBits, lengthBits]) {
    if (width > MAX_BITS) throw damaged(codec, 5, `widths and lengths of at most ${MAX_BITS} bits`, `${width} bits`);
  }
  const widthsAt = head.byte + Math.ceil((count * bits) / 8);
  const lengthsAt = widthsAt + Math.ceil((count * widthBits) / 8);
  const valuesAt = lengthsAt + Math.ceil((count * lengthBits) / 8);
  if (valuesAt > head.end) {
    throw damaged(codec, 7, `${valuesAt} bytes that describe ${count} groups`, `${head.end} bytes`);
  }
  return {
    references: head,
    widths: bitsFrom(head, widthsAt),
    lengths: bitsFrom(head, lengthsAt),
    values: bitsFrom(head, valuesAt),
  };
}

function complexUnpackRuns(
  codec: string,
  { references, widths, lengths, values }: Descriptors,
  { bits, groups, count }: { bits: number; groups: Groups; count: number },
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(count);
  let at = 0;
  for (let group = 0; group < groups.count; group++) {
    const reference = take(references, bits);
    const width = take(widths, groups.widthBits) + groups.widthReference;
    const coded = take(lengths, groups.lengthBits) * groups.lengthIncrement + groups.lengthReference;
    const length = group === groups.count - 1 ? groups.lastLength : coded;
    if (length > count - at) {
      throw damaged(codec, 7, `groups of ${count} values in all`, `more: group ${group} ends after ${at + length}`);
    }
    if (width > MAX_BITS) throw damaged(codec, 7, `groups of at most ${MAX_BITS} bits`, `a group of ${width} bits`);
    if (length * width > bitsLeft(values)) throw short(codec, Math.ceil((length * width) / 8), values.end);
    const isMissing = width === 0 && isMark(reference, bits, groups.missing);
    const add = isMissing ? NaN : width === 0 || groups.missing === 0 ? reference : 0;
    takeInto(values, width, { out, at, count: length, add });
    if (width > 0 && groups.missing > 0) markMissing(out.subarray(at, at + length), width, groups.missing, reference);
    at += length;
  }
  if (at === count) return out;
  throw damaged(codec, 7, `groups of ${count} values in all, as section 5 says`, `groups of ${at} values`);
}

/** All bits set marks a primary missing value; all but the last, where they are used, a secondary one. */
function isMark(value: number, width: number, missing: Groups["missing"]): boolean {
  const ones = 2 ** width - 1;
  return (missing > 0 && value === ones) || (missing === 2 && value === ones - 1);
}

function markMissing(run: Float64Array, width: number, missing: Groups["missing"], reference: number): void {
  for (let i = 0; i < run.length; i++) {
    const value = run[i] as number;
    run[i] = isMark(value, width, missing) ? NaN : value + reference;
  }
}

/** Undoes differences in place. Missing values do not count: a value's neighbours are the ones present. */
function undoDifferences(codec: string, values: Float64Array, order: 1 | 2, { first, bias }: Extras): void {
  let [before, last] = [0, 0];
  let seen = 0;
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const difference = values[i] as number;
    if (Number.isNaN(difference)) continue;
    const begun = seen < order;
    const step = order === 1 ? last : last + last - before;
    const value = begun ? (first[seen] as number) : difference + bias + step;
    seen++;
    before = last;
    last = value;
    values[i] = value;
    const size = Math.abs(value);
    if (size > largest) largest = size;
  }
  if (largest > Number.MAX_SAFE_INTEGER) {
    throw damaged(codec, 7, "differences that add up to numbers of at most 53 bits", `one of size ${largest}`);
  }
}

function short(codec: string, expected: number, found: number) {
  return damaged(codec, 7, `${expected} more bytes of packed values`, `the end of its ${found} bytes`);
}

interface PackedField {
  readonly packing: Packing;
  /** Section 7 without its head. */
  readonly data: Uint8Array;
  /** Values in it; the caller has kept it within bounds. */
  readonly count: number;
}

/** A value for each that is stored. Throws `decode-failed`, `checksum-mismatch`, `codec-unavailable`. */
async function unpackField(field: PackedField, options: ReadOptions): Promise<Float64Array<ArrayBuffer>> {
  const { packing, data, count } = field;
  if (packing.kind === "ieee") return unpackIeee(options.codec, data, packing.bytes, count);
  if (packing.kind === "run-length") return unpackRuns(options.codec, data, packing.runs, count);
  const { bits, scale } = packing;
  // A field without bits is constant, and eccodes does not scale its reference value; groups have bits of their own.
  const isConstant = packing.kind === "complex" ? packing.groups.count === 0 : bits === 0;
  const values = isConstant
    ? new Float64Array(count).fill(scale.reference)
    : await unpackValues(packing, field, options);
  if (packing.kind === "logarithms") raise(values, packing.offset);
  return values;
}

async function unpackValues(packing: ScaledPacking, field: PackedField, options: ReadOptions) {
  if (packing.kind === "simple" || packing.kind === "logarithms") return unpackSimple(packing, field, options);
  const values = await unpackNumbers(packing, field, options);
  applyScale(values, packing.scale, options.reader);
  return values;
}

/**
 * The stored whole numbers, before they are scaled. A decoder that is large is imported here, when its packing is met.
 */
async function unpackNumbers(
  packing: Exclude<ScaledPacking, { readonly kind: "simple" | "logarithms" }>,
  { data, count }: PackedField,
  { codec, reader }: ReadOptions,
): Promise<Float64Array<ArrayBuffer>> {
  const { bits } = packing;
  switch (packing.kind) {
    case "complex":
      return unpackGroups(codec, data, { bits, groups: packing.groups, count, signedFirst: reader === "gribberish" });
    case "png":
      return unpackPng(codec, data, bits, count);
    case "ccsds": {
      const { decodeAec } = await import("../aec/decode.ts");
      const parameters = { codec, section: sectionName(7), bits, ...packing.ccsds };
      return decodeAec(data, parameters, { count, limit: count * 8 });
    }
    case "jpeg2000": {
      const { decodeJpeg2000Packing } = await import("./jpeg2000.ts");
      return decodeJpeg2000Packing(codec, data, count);
    }
  }
}

/** Template 7.0: one number after another, scaled. */
function unpackSimple({ bits, scale }: ScaledPacking, { data, count }: PackedField, { codec, reader }: ReadOptions) {
  const needed = Math.ceil((bits * count) / 8);
  if (needed > data.length) {
    throw damaged(codec, 7, `${needed} bytes for ${count} values of ${bits} bits`, `${data.length} bytes`);
  }
  const out = new Float64Array(count);
  takeScaled(bitReader(data, 0), bits, { out, at: 0, count }, scaleSteps(scale, reader));
  return out;
}

/** Inverts eccodes' logarithmic preprocessing. */
function raise(values: Float64Array, offset: number): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.exp(values[i] as number) - offset;
}

/** Template 7.4: big-endian floats, not scaled. */
function unpackIeee(codec: string, data: Uint8Array, size: 4 | 8, count: number): Float64Array<ArrayBuffer> {
  if (count * size > data.length) {
    throw damaged(codec, 7, `${count * size} bytes for ${count} values of ${size} bytes`, `${data.length} bytes`);
  }
  const bytes = view(data);
  return Float64Array.from({ length: count }, (_, i) =>
    size === 4 ? bytes.getFloat32(i * 4) : bytes.getFloat64(i * 8),
  );
}

// Run-length packing with levels (FM 92, template 7.200): radar of Japan's agency, among others.

/**
 * A number up to `maximum` is a level; those after it that are larger say, digit by digit from the lowest, how much more
 * often it stands than once. `count` values; without levels or numbers all are missing (NaN), as eccodes has it.
 * Throws `decode-failed`.
 */
function unpackRuns(codec: string, data: Uint8Array, { bits, maximum, levels }: RunLength, count: number) {
  const out = new Float64Array(count);
  const stored = bits === 0 ? 0 : Math.floor((data.length * 8) / bits);
  if (stored === 0 || maximum === 0) return out.fill(Number.NaN);
  const numbers = new Float64Array(stored);
  takeInto(bitReader(data, 0), bits, { out: numbers, at: 0, count: stored, add: 0 });
  const digits = 2 ** bits - 1 - maximum;
  let at = 0;
  let next = 0;
  while (next < stored && at < count) {
    const level = numbers[next++] as number;
    if (level > maximum) throw damaged(codec, 7, `a level, at most ${maximum}, to begin with`, String(level));
    let length = 1;
    for (let factor = 1; next < stored && (numbers[next] as number) > maximum; factor *= digits) {
      length += factor * ((numbers[next++] as number) - maximum - 1);
    }
    if (length > count - at) throw damaged(codec, 7, `${count - at} more values`, `a run of ${length}`);
    out.fill(levels[level] as number, at, at + length);
    at += length;
  }
  if (at < count) throw damaged(codec, 7, `${count} values`, `runs of ${at} in all`);
  return out;
}

// Values as the pixels of a PNG picture (FM 92, template 7.41; PNG: ISO/IEC 15948). Only what GRIB writers make is
// read: 1, 2, 4, 8, 16 (grey), 24 (RGB) or 32 (RGB with alpha) bits a pixel, not interlaced.

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
function unpackPng(codec: string, data: Uint8Array, bits: number, count: number): Float64Array<ArrayBuffer> {
  const source = { codec, section: sectionName(7) };
  const picture = readPng(source, data);
  const { width, height } = picture;
  const depth = PIXELS.get(`${picture.colour}/${picture.depth}`);
  if (depth === undefined) {
    const found = `colour type ${picture.colour} of ${picture.depth} bits`;
    throw damaged(codec, 7, "a PNG picture in grey, RGB or RGBA of up to 32 bits a pixel, not interlaced", found);
  }
  const allowed = [...PIXELS.values()].filter((one) => one >= bits);
  // Values of few bits may be in whole bytes as well.
  if (depth !== allowed[0] && !(depth === 8 && bits < 8)) {
    throw damaged(codec, 7, `pixels of ${allowed[0] ?? bits} bits, for values of ${bits} bits`, `${depth} bits`);
  }
  if (width * height !== count) {
    throw damaged(codec, 7, `a picture of ${count} pixels`, `one of ${width} × ${height} pixels`);
  }
  if (count === 0) return new Float64Array(0);
  const row = rowBytes(picture);
  const out = new Float64Array(count);
  const pixels = bitReader(pngRows(source, picture), 0);
  for (let y = 0; y < height; y++) {
    moveTo(pixels, y * row, 0);
    takeInto(pixels, depth, { out, at: y * width, count: width, add: 0 });
  }
  return out;
}
