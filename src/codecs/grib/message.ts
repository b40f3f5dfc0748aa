/** The values of a GRIB message, one a point of its grid, in the order in which they are stored. */
import { decodeFailed } from "../failure.ts";
import { readBitmap, spread } from "./bitmap.ts";
import { values1 } from "./edition-1.ts";
import { damaged, gridUnsupported, notAMessage } from "./failure.ts";
import { view } from "./numbers.ts";
import { codedCount, readPacking } from "./packing.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { unpackField } from "./unpack.ts";
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
  const coded = await unpackField({ packing, data, count }, options);
  return bitmap === undefined ? coded : spread(codec, coded, bitmap, points);
}
