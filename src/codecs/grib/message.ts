/** The values of a GRIB message, one a point of its grid, in the order in which they are stored. */
import { decodeFailed } from "../failure.ts";
import { readBitmap, spread } from "./bitmap.ts";
import { decodeCcsdsPacking } from "./ccsds.ts";
import { unpackGroups } from "./complex.ts";
import { values1 } from "./edition-1.ts";
import { damaged, gridUnsupported, notAMessage } from "./failure.ts";
import { bitReader, takeInto, view } from "./numbers.ts";
import { codedCount, readPacking, type Packing } from "./packing.ts";
import { unpackPng } from "./png.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { applyScale } from "./scale.ts";
import { walk, type RawSection } from "./walk.ts";

/** The first field's sections, as eccodes reads a message that has several; whole and in order. Throws as `messageValues`. */
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
export function gridSection(
  codec: string,
  bytes: Uint8Array,
  wanted: Parameters<typeof gridUnsupported>[1],
): Uint8Array {
  const { edition, sections } = messageSections(codec, bytes);
  if (edition === 1) throw gridUnsupported(codec, wanted, "a message of GRIB edition 1");
  return sectionOf(sections, 3);
}

/**
 * Missing values are NaN. Throws `grib-not-a-message`, `grib-packing-unsupported`, `grib-bitmap-unsupported`,
 * `decode-failed`, `decode-too-large`.
 */
export function messageValues(bytes: Uint8Array, options: ReadOptions): Float64Array<ArrayBuffer> {
  const { edition, sections } = messageSections(options.codec, bytes);
  return edition === 1 ? values1(sections, options) : values2(sections, options);
}

function values2(sections: readonly RawSection[], options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const section5 = sectionOf(sections, 5);
  const packing = readPacking(codec, section5);
  const points = view(sectionOf(sections, 3)).getUint32(6);
  const bitmap = readBitmap(codec, sectionOf(sections, 6), points);
  const count = codedCount(section5);
  checkCount(count, options);
  if (bitmap !== undefined) checkCount(points, options);
  const data = sectionOf(sections, 7).subarray(5);
  const coded = unpack(packing, data, count, options);
  return bitmap === undefined ? coded : spread(codec, coded, bitmap, points);
}

function unpack(packing: Packing, data: Uint8Array, count: number, options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec, reader } = options;
  if (packing.kind === "ieee") return unpackIeee(codec, data, packing.bytes, count);
  const { bits, scale } = packing;
  // A field without bits is constant; neither reader scales its reference value.
  if (bits === 0) return new Float64Array(count).fill(scale.reference);
  const values = unpackNumbers(packing, data, count, options);
  applyScale(values, scale, reader);
  return values;
}

function unpackNumbers(
  packing: Exclude<Packing, { kind: "ieee" }>,
  data: Uint8Array,
  count: number,
  { codec, reader }: ReadOptions,
): Float64Array<ArrayBuffer> {
  const { bits } = packing;
  if (packing.kind === "complex") {
    return unpackGroups(codec, data, { bits, groups: packing.groups, count, signedFirst: reader === "gribberish" });
  }
  if (packing.kind === "ccsds") return decodeCcsdsPacking(codec, data, { bits, ccsds: packing.ccsds, count });
  return packing.kind === "png" ? unpackPng(codec, data, bits, count) : unpackSimple(codec, data, bits, count);
}

/** Template 7.0: one number after another. */
function unpackSimple(codec: string, data: Uint8Array, bits: number, count: number): Float64Array<ArrayBuffer> {
  const needed = Math.ceil((bits * count) / 8);
  if (needed > data.length) {
    throw damaged(codec, 7, `${needed} bytes for ${count} values of ${bits} bits`, `${data.length} bytes`);
  }
  const out = new Float64Array(count);
  takeInto(bitReader(data, 0), bits, { out, at: 0, count, add: 0 });
  return out;
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
