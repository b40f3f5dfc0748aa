/**
 * Complex packing (FM 92, templates 7.2 and 7.3, regulation 92.9.4): values in groups, each with its reference, its
 * width in bits and its length; with template 7.3 they are differences of order 1 or 2 between neighbours.
 */
import { damaged } from "./failure.ts";
import { bitReader, bitsLeft, MAX_BITS, signed, take, takeInto, type BitReader } from "./numbers.ts";
import type { Groups } from "./packing.ts";

/**
 * The packed whole numbers, before they are scaled; missing ones are NaN. `bits` is that of the groups' references, which
 * are 0 where it is, though the groups may have bits of their own. `signedFirst` says whether the first values of a
 * differenced field carry a sign (gribberish) or not (eccodes). The caller has kept `count` within bounds. Throws
 * `decode-failed`.
 */
export function unpackGroups(
  codec: string,
  data: Uint8Array,
  { bits, groups, count, signedFirst }: { bits: number; groups: Groups; count: number; signedFirst: boolean },
): Float64Array<ArrayBuffer> {
  const head = bitReader(data, 0);
  const extras = readExtras(codec, head, groups, signedFirst);
  const descriptors = readDescriptors(codec, data, head.next, bits, groups);
  const values = unpackRuns(codec, descriptors, { bits, groups, count });
  if (groups.order !== 0) undoDifferences(codec, values, groups.order, extras);
  return values;
}

interface Extras {
  readonly first: readonly number[];
  /** The overall minimum of the differences. */
  readonly bias: number;
}

function readExtras(codec: string, head: BitReader, { order, extraBytes }: Groups, signedFirst: boolean): Extras {
  if (order === 0 || extraBytes === 0) return { first: order === 0 ? [] : Array<number>(order).fill(0), bias: 0 };
  const width = extraBytes * 8;
  if (bitsLeft(head) < (order + 1) * width) throw short(codec, (order + 1) * extraBytes, head.bytes.length);
  const first = Array.from({ length: order }, () => {
    const value = take(head, width);
    return signedFirst ? signed(value, width) : value;
  });
  return { first, bias: signed(take(head, width), width) };
}

interface Descriptors {
  readonly references: BitReader;
  readonly widths: BitReader;
  readonly lengths: BitReader;
  readonly values: BitReader;
}

/** References, widths and lengths of all groups, one after another, each list filled up to a whole byte. */
function readDescriptors(codec: string, data: Uint8Array, from: number, bits: number, groups: Groups): Descriptors {
  const { count, widthBits, lengthBits } = groups;
  for (const width of [widthBits, lengthBits]) {
    if (width > MAX_BITS) throw damaged(codec, 5, `widths and lengths of at most ${MAX_BITS} bits`, `${width} bits`);
  }
  const widthsAt = from + Math.ceil((count * bits) / 8);
  const lengthsAt = widthsAt + Math.ceil((count * widthBits) / 8);
  const valuesAt = lengthsAt + Math.ceil((count * lengthBits) / 8);
  if (valuesAt > data.length) {
    throw damaged(codec, 7, `${valuesAt} bytes that describe ${count} groups`, `${data.length} bytes`);
  }
  return {
    references: bitReader(data, from),
    widths: bitReader(data, widthsAt),
    lengths: bitReader(data, lengthsAt),
    values: bitReader(data, valuesAt),
  };
}

function unpackRuns(
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
    if (length * width > bitsLeft(values)) throw short(codec, Math.ceil((length * width) / 8), values.bytes.length);
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

/** In place; missing values stay out of it: neighbours are those that are there. */
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
