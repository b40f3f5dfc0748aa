/** LZMA's symbols: literals and matches by the range decoder (LZMA specification, "LZMA Decoder"). */
import { copyMatch, type Output, reserve } from "../codec.ts";
import { decodeBit, decodeDirect, decodeReverseTree, decodeTree, freshProbabilities, isAtEnd } from "./range.ts";
import type { RangeDecoder } from "./range.ts";
import { invalid } from "./streams.ts";

/** lc, lp, pb: how many bits of the byte before and of the position choose probabilities. */
export interface Properties {
  readonly literalContext: number;
  readonly literalPosition: number;
  readonly position: number;
}

export interface Lzma {
  readonly properties: Properties;
  /** Farthest match, in bytes. */
  readonly dictionarySize: number;
  /** Position in the output at which the dictionary begins. */
  dictionaryStart: number;
  readonly probabilities: Uint16Array;
  /** 0 to 6 after a literal, 7 to 11 after a match. */
  state: number;
  /** The last four distances less 1, newest first. */
  readonly distances: Uint32Array;
}

const STATES = 12;
const POSITIONS = 16;
const LENGTHS = 2 + 2 * 8 * POSITIONS + 256;
const IS_MATCH = 0;
const IS_REPEAT = IS_MATCH + STATES * POSITIONS;
const IS_REPEAT_0 = IS_REPEAT + STATES;
const IS_REPEAT_1 = IS_REPEAT_0 + STATES;
const IS_REPEAT_2 = IS_REPEAT_1 + STATES;
const IS_LONG = IS_REPEAT_2 + STATES;
const SLOTS = IS_LONG + STATES * POSITIONS;
const DISTANCES = SLOTS + 4 * 64;
const ALIGNMENT = DISTANCES + 128;
const MATCH_LENGTH = ALIGNMENT + 16;
const REPEAT_LENGTH = MATCH_LENGTH + LENGTHS;
const LITERALS = REPEAT_LENGTH + LENGTHS;

const MARKER = 0xffff_ffff;
const AFTER_LITERAL = Uint8Array.of(0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5);

/** `undefined` where the byte cannot be: liblzma keeps lc + lp to 4. */
export function propertiesOf(byte: number): Properties | undefined {
  const literalContext = byte % 9;
  const literalPosition = Math.floor(byte / 9) % 5;
  const position = Math.floor(byte / 45);
  if (byte > 224 || literalContext + literalPosition > 4) return undefined;
  return { literalContext, literalPosition, position };
}

export function newLzma(properties: Properties, dictionarySize: number, dictionaryStart: number): Lzma {
  const { literalContext, literalPosition } = properties;
  return {
    properties,
    // liblzma rounds the size in this way.
    dictionarySize: Math.ceil(Math.max(4096, dictionarySize) / 16) * 16,
    dictionaryStart,
    probabilities: freshProbabilities(LITERALS + (0x300 << (literalContext + literalPosition))),
    state: 0,
    distances: new Uint32Array(4),
  };
}

export function resetState(lzma: Lzma): void {
  lzma.probabilities.fill(1024);
  lzma.state = 0;
  lzma.distances.fill(0);
}

/**
 * Appends up to output length `target`. Returns whether the end marker was met; where it was not, the output has exactly
 * that length. Matches past it are invalid.
 */
export function decodeSymbols(lzma: Lzma, range: RangeDecoder, output: Output, target: number): boolean {
  const { probabilities, properties } = lzma;
  const mask = (1 << properties.position) - 1;
  while (output.length < target) {
    const position = (output.length - lzma.dictionaryStart) & mask;
    if (decodeBit(range, probabilities, IS_MATCH + lzma.state * POSITIONS + position) === 0) {
      decodeLiteral(lzma, range, output);
      continue;
    }
    const length = decodeMatch(lzma, range, position);
    if (length === 0) return true;
    copy(lzma, output, length, target);
  }
  return false;
}

/** After data of known length: whether nothing but the end marker follows. */
export function endsWithMarker(lzma: Lzma, range: RangeDecoder, output: Output): boolean {
  const position = (output.length - lzma.dictionaryStart) & ((1 << lzma.properties.position) - 1);
  const isMatch = decodeBit(range, lzma.probabilities, IS_MATCH + lzma.state * POSITIONS + position) === 1;
  return isMatch && decodeMatch(lzma, range, position) === 0 && isAtEnd(range);
}

function copy(lzma: Lzma, output: Output, length: number, target: number): void {
  const distance = (lzma.distances[0] as number) + 1;
  const reach = Math.min(lzma.dictionarySize, output.length - lzma.dictionaryStart);
  if (distance > reach) throw invalid(output.codec, `a distance of at most ${reach}`, String(distance));
  if (output.length + length > target) {
    throw invalid(output.codec, `${target - output.length} bytes to the end`, `a match of ${length} bytes`);
  }
  reserve(output, length);
  copyMatch(output.bytes, output.length, distance, length);
  output.length += length;
}

function decodeLiteral(lzma: Lzma, range: RangeDecoder, output: Output): void {
  const { probabilities, properties, dictionaryStart } = lzma;
  if (output.length === output.bytes.length) reserve(output, 1);
  const { bytes, length } = output;
  const before = length > dictionaryStart ? (bytes[length - 1] as number) : 0;
  const place = (length - dictionaryStart) & ((1 << properties.literalPosition) - 1);
  const context = (place << properties.literalContext) + (before >> (8 - properties.literalContext));
  const base = LITERALS + 0x300 * context;
  let symbol = 1;
  if (lzma.state >= 7) {
    let match = bytes[length - (lzma.distances[0] as number) - 1] as number;
    let isAlike = true;
    while (isAlike && symbol < 0x100) {
      const expected = (match >> 7) & 1;
      match <<= 1;
      const bit = decodeBit(range, probabilities, base + ((1 + expected) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      isAlike = bit === expected;
    }
  }
  while (symbol < 0x100) symbol = (symbol << 1) | decodeBit(range, probabilities, base + symbol);
  bytes[length] = symbol & 255;
  output.length++;
  lzma.state = AFTER_LITERAL[lzma.state] as number;
}

/** The length of a match, whose distance is then the newest; 0 for the end marker. */
function decodeMatch(lzma: Lzma, range: RangeDecoder, position: number): number {
  const { probabilities, distances } = lzma;
  if (decodeBit(range, probabilities, IS_REPEAT + lzma.state) === 1) return decodeRepeat(lzma, range, position);
  distances.copyWithin(1, 0, 3);
  const length = decodeLength(range, probabilities, MATCH_LENGTH, position);
  lzma.state = lzma.state < 7 ? 7 : 10;
  const distance = decodeDistance(range, probabilities, Math.min(length - 2, 3));
  distances[0] = distance;
  if (distance !== MARKER) return length;
  if (isAtEnd(range)) return 0;
  throw invalid(range.output.codec, "the end of LZMA data after the end marker", "more data");
}

/** A match at one of the last four distances. */
function decodeRepeat(lzma: Lzma, range: RangeDecoder, position: number): number {
  const { probabilities, distances, state } = lzma;
  if (decodeBit(range, probabilities, IS_REPEAT_0 + state) === 0) {
    if (decodeBit(range, probabilities, IS_LONG + state * POSITIONS + position) === 0) {
      lzma.state = state < 7 ? 9 : 11;
      return 1;
    }
  } else {
    let place = 1;
    if (decodeBit(range, probabilities, IS_REPEAT_1 + state) === 1) {
      place = 2 + decodeBit(range, probabilities, IS_REPEAT_2 + state);
    }
    const distance = distances[place] as number;
    distances.copyWithin(1, 0, place);
    distances[0] = distance;
  }
  lzma.state = state < 7 ? 8 : 11;
  return decodeLength(range, probabilities, REPEAT_LENGTH, position);
}

/** 2 to 9 by 3 bits, 10 to 17 by 3 more, 18 to 273 by 8 bits. */
function decodeLength(range: RangeDecoder, probabilities: Uint16Array, base: number, position: number): number {
  const low = base + 2 + 8 * position;
  if (decodeBit(range, probabilities, base) === 0) return 2 + decodeTree(range, probabilities, low, 3);
  const middle = low + 8 * POSITIONS;
  if (decodeBit(range, probabilities, base + 1) === 0) return 10 + decodeTree(range, probabilities, middle, 3);
  return 18 + decodeTree(range, probabilities, base + 2 + 16 * POSITIONS, 8);
}

/** Distance less 1. */
function decodeDistance(range: RangeDecoder, probabilities: Uint16Array, lengthClass: number): number {
  const slot = decodeTree(range, probabilities, SLOTS + 64 * lengthClass, 6);
  if (slot < 4) return slot;
  const bits = (slot >> 1) - 1;
  const base = (2 | (slot & 1)) * 2 ** bits;
  if (slot < 14) return base + decodeReverseTree(range, probabilities, DISTANCES + base - slot, bits);
  const high = decodeDirect(range, bits - 4) * 16;
  return base + high + decodeReverseTree(range, probabilities, ALIGNMENT, 4);
}
