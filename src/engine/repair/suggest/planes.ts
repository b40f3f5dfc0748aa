/**
 * How much order there is in bytes when read as elements of a given size: the entropy of each byte of an element
 * ("plane"), of the bytes themselves or of their differences along a row or a column, whichever is least.
 *
 * Bytes of real data differ by plane: exponents and high bytes change little, low bytes are noise. A wrong reading mixes
 * the planes, and the entropy of a mixture is never below the mean of what was mixed. Noise and constants give the same
 * in every reading.
 */

import { entropyOf } from "#engine/looks/look.ts";

const BLOCKS = 8;
const MAX_SAMPLED_BYTES = 256 * 1024;
const MAX_PLANES = 32;
const LEAST_ELEMENTS = 16;

export interface PlaneEntropy {
  /** Bits a byte, 0 to 8. */
  readonly bits: number;
  /** Bytes that were looked at. */
  readonly counted: number;
}

/** Elements of `width` bytes, `row` of them a row. */
export interface Layout {
  readonly width: number;
  readonly row: number;
  readonly big: boolean;
}

/** @returns `undefined` where there are too few elements to tell */
export function planeEntropy(bytes: Uint8Array, { width, row, big }: Layout): PlaneEntropy | undefined {
  const elements = Math.floor(bytes.length / width);
  if (elements < LEAST_ELEMENTS || width > MAX_PLANES) return undefined;
  const blocks = sampleBlocks(elements, width);
  const { all, changed, flagBits } = changedElements(bytes, width, blocks);
  const whole = bitsOf(bytes, all, width, row);
  const inRuns = changed.length === all.length ? Infinity : flagBits + bitsOf(bytes, changed, width, row);
  const inSteps = wholeBits(
    differences(bytes, all, width, big),
    all.map((_, at) => at * width),
    width,
    row,
  );
  return { bits: Math.min(whole, inRuns, inSteps) / (all.length * width), counted: all.length * width };
}

/** From each element to the next, as numbers of `width` bytes: counters and steady coordinates have few. */
function differences(bytes: Uint8Array, starts: Uint32Array, width: number, big: boolean): Uint8Array {
  const steps = new Uint8Array(starts.length * width);
  for (let index = 0; index < starts.length; index++) {
    const at = starts[index] as number;
    if (at < width) continue;
    let borrow = 0;
    for (let place = 0; place < width; place++) {
      const byte = at + (big ? width - 1 - place : place);
      const step = (bytes[byte] as number) - (bytes[byte - width] as number) - borrow;
      steps[index * width + place] = step;
      borrow = step < 0 ? 1 : 0;
    }
  }
  return steps;
}

/**
 * How much likelier a byte is that of the element before it, at the same place, than the byte before it: elements have it,
 * planes that lie one after another have not. -1 to 1.
 */
export function regularity(bytes: Uint8Array, width: number): number {
  let [same, next] = [0, 0];
  const elements = Math.floor(bytes.length / width);
  if (width < 2 || elements < 2) return 0;
  const blocks = sampleBlocks(elements, width);
  let counted = 0;
  for (const { from, count } of blocks) {
    for (let at = (from + 1) * width; at < (from + count) * width; at++) {
      counted += 1;
      if (bytes[at] === bytes[at - width]) same += 1;
      if (bytes[at] === bytes[at - 1]) next += 1;
    }
  }
  return counted === 0 ? 0 : (same - next) / counted;
}

/** For the elements at `starts`, plane by plane, or each as one of those that occur. */
function bitsOf(bytes: Uint8Array, starts: Uint32Array, width: number, row: number): number {
  return Math.min(planeBits(bytes, starts, width, row), wholeBits(bytes, starts, width, row));
}

function planeBits(bytes: Uint8Array, starts: Uint32Array, width: number, row: number): number {
  const own = new Uint32Array(256);
  const alongRow = new Uint32Array(256);
  const alongColumn = new Uint32Array(256);
  let bits = 0;
  for (let plane = 0; plane < width; plane++) {
    for (let index = 0; index < starts.length; index++) {
      const at = (starts[index] as number) + plane;
      const byte = bytes[at] as number;
      tallyByte(own, byte);
      tallyByte(alongRow, at < width ? byte : byte - (bytes[at - width] as number));
      tallyByte(alongColumn, at < row * width ? byte : byte - (bytes[at - row * width] as number));
    }
    bits += Math.min(...[own, alongRow, alongColumn].map((counts) => entropyOf(counts, starts.length)));
    for (const counts of [own, alongRow, alongColumn]) counts.fill(0);
  }
  return bits * starts.length;
}

function tallyByte(counts: Uint32Array, value: number): void {
  counts[value & 255] = (counts[value & 255] as number) + 1;
}

interface Block {
  /** Range in elements. */
  readonly from: number;
  readonly count: number;
}

/** All, or some blocks over the whole length. */
function sampleBlocks(elements: number, width: number): readonly Block[] {
  const limit = Math.floor(MAX_SAMPLED_BYTES / width);
  if (elements <= limit) return [{ from: 0, count: elements }];
  const count = Math.floor(limit / BLOCKS);
  return Array.from({ length: BLOCKS }, (_, at) => ({
    from: Math.floor(((elements - count) * at) / (BLOCKS - 1)),
    count,
  }));
}

interface Changed {
  /** Byte positions of the elements, and of those that are not what the one before them is. */
  readonly all: Uint32Array;
  readonly changed: Uint32Array;
  /** Bits to say which these are, given whether the one before was one. */
  readonly flagBits: number;
}

/** Zeros and fill values come in runs: an element that repeats the one before it costs nothing but to be said so. */
function changedElements(bytes: Uint8Array, width: number, blocks: readonly Block[]): Changed {
  const all = new Uint32Array(blocks.reduce((sum, { count }) => sum + count, 0));
  const changed = new Uint32Array(all.length);
  const flags = [new Uint32Array(2), new Uint32Array(2)] as const;
  let [seen, found] = [0, 0];
  for (const { from, count } of blocks) {
    let before: 0 | 1 = 1;
    for (let at = from * width; at < (from + count) * width; at += width) {
      const isNew: 0 | 1 = at === from * width || !isRepeated(bytes, at, width) ? 1 : 0;
      flags[before][isNew] = (flags[before][isNew] as number) + 1;
      all[seen++] = at;
      if (isNew === 1) changed[found++] = at;
      before = isNew;
    }
  }
  const flagBits = flags.reduce((sum, counts) => {
    const total = (counts[0] ?? 0) + (counts[1] ?? 0);
    return sum + entropyOf(counts, total) * total;
  }, 0);
  return { all, changed: changed.subarray(0, found), flagBits };
}

function isRepeated(bytes: Uint8Array, at: number, width: number): boolean {
  for (let i = at; i < at + width; i++) if (bytes[i] !== bytes[i - width]) return false;
  return true;
}

const MAX_COUNTED = 16_384;
/**
 * Measurements recur too, as periods of time do, and in parts of elements as well: that does not favour any reading.
 */
const MAX_DISTINCT = 1 / 8;

/**
 * Bits of whole elements, for data in which elements recur, as flags and fill values do: the index of each, and the
 * first of each spelled out.
 */
function wholeBits(bytes: Uint8Array, starts: Uint32Array, width: number, row: number): number {
  const step = Math.max(1, Math.ceil(starts.length / MAX_COUNTED));
  const total = Math.ceil(starts.length / step);
  const counts = new Map<number, number>();
  const firsts: number[] = [];
  for (let at = 0; at < starts.length; at += step) {
    const start = starts[at] as number;
    const key = hashOf(bytes, start, width);
    const count = counts.get(key) ?? 0;
    if (count === 0) firsts.push(start);
    if (firsts.length > total * MAX_DISTINCT) return Infinity;
    counts.set(key, count + 1);
  }
  let bits = planeBits(bytes, Uint32Array.from(firsts), width, row);
  for (const count of counts.values()) bits -= count * Math.log2(count / total);
  return bits * step;
}

/** 32 bits; the bytes themselves for elements of up to 4 bytes. */
function hashOf(bytes: Uint8Array, at: number, width: number): number {
  let hash = 0;
  for (let i = at; i < at + width; i++)
    hash = width <= 4 ? (hash << 8) | (bytes[i] as number) : Math.imul(hash ^ (bytes[i] as number), 0x0100_0193);
  return hash;
}
