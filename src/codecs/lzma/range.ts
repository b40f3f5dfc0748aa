/** LZMA's range decoder: bits by adaptive probabilities (LZMA specification, "Range Decoder"). */
import { cutOff, invalid } from "./streams.ts";
import type { Output } from "../codec.ts";

export interface RangeDecoder {
  readonly input: Uint8Array;
  /** Position up to which it may read; bytes past the input are cut off, bytes past this position are invalid. */
  readonly end: number;
  /** For errors. */
  readonly output: Output;
  position: number;
  /** Range and code, unsigned. */
  readonly words: Uint32Array;
}

const HALF = 1024;
const FULL_BITS = 11;
const MOVE_BITS = 5;
const LEAST_RANGE = 2 ** 24;

export const freshProbabilities = (count: number): Uint16Array => new Uint16Array(count).fill(HALF);

/** Starts at 5 bytes of the input, the first of which is 0. */
export function startRange(input: Uint8Array, from: number, end: number, output: Output): RangeDecoder {
  const range: RangeDecoder = { input, end, output, position: from, words: Uint32Array.of(0xffff_ffff, 0) };
  if (nextByte(range) !== 0) throw invalid(output.codec, "a first byte of 0 in LZMA data", `another at byte ${from}`);
  for (let i = 0; i < 4; i++) range.words[1] = ((range.words[1] as number) << 8) | nextByte(range);
  return range;
}

function nextByte(range: RangeDecoder): number {
  const { input, end, output, position } = range;
  if (position < end && position < input.length) {
    range.position++;
    return input[position] as number;
  }
  if (position >= input.length) throw cutOff(output.codec, input, output.length);
  throw invalid(output.codec, `LZMA data that end before byte ${end}`, "data that go on");
}

/** Reads the byte that the end of the data needs. Whether it is a possible end: the code is then 0. */
export function isAtEnd(range: RangeDecoder): boolean {
  if ((range.words[0] as number) < LEAST_RANGE) refill(range);
  return range.words[1] === 0;
}

function refill(range: RangeDecoder): void {
  const { words } = range;
  const next = nextByte(range);
  words[0] = (words[0] as number) << 8;
  words[1] = ((words[1] as number) << 8) | next;
}

export function decodeBit(range: RangeDecoder, probabilities: Uint16Array, index: number): 0 | 1 {
  const { words } = range;
  if ((words[0] as number) < LEAST_RANGE) refill(range);
  const width = words[0] as number;
  const code = words[1] as number;
  const probability = probabilities[index] as number;
  const bound = (width >>> FULL_BITS) * probability;
  if (code < bound) {
    words[0] = bound;
    probabilities[index] = probability + ((2048 - probability) >> MOVE_BITS);
    return 0;
  }
  words[0] = width - bound;
  words[1] = code - bound;
  probabilities[index] = probability - (probability >> MOVE_BITS);
  return 1;
}

/** Bits of equal probability, highest first. */
export function decodeDirect(range: RangeDecoder, bits: number): number {
  const { words } = range;
  let value = 0;
  for (let i = 0; i < bits; i++) {
    if ((words[0] as number) < LEAST_RANGE) refill(range);
    const width = (words[0] as number) >>> 1;
    const code = words[1] as number;
    const bit = code >= width ? 1 : 0;
    words[0] = width;
    if (bit === 1) words[1] = code - width;
    value = value * 2 + bit;
  }
  return value;
}

/** A symbol of `bits` bits, highest first, each with a probability that depends on those before. */
export function decodeTree(range: RangeDecoder, probabilities: Uint16Array, base: number, bits: number): number {
  let symbol = 1;
  for (let i = 0; i < bits; i++) symbol = (symbol << 1) | decodeBit(range, probabilities, base + symbol);
  return symbol - (1 << bits);
}

/** The same, lowest bit first. */
export function decodeReverseTree(range: RangeDecoder, probabilities: Uint16Array, base: number, bits: number): number {
  let symbol = 1;
  let value = 0;
  for (let i = 0; i < bits; i++) {
    const bit = decodeBit(range, probabilities, base + symbol);
    symbol = (symbol << 1) | bit;
    value |= bit << i;
  }
  return value;
}
