/**
 * Brotli (RFC 7932). Our own decoder around tables of `hyparquet-compressors`, whose own writes as much as a stream says
 * and reads past its end: here the size is known before, and nothing is read that is not there.
 */
import { lookup, lookupOffsets } from "hyparquet-compressors/src/brotli.context.js";
import { kCopyLengthPrefixCode, kInsertLengthPrefixCode } from "hyparquet-compressors/src/brotli.prefix.js";
import { kNumTransforms, transformDictionaryWord } from "hyparquet-compressors/src/brotli.transform.js";
import { copyMatch } from "../output.ts";
import { alignedByte, continueAt, corrupt, take, takeSymbol, type Bits } from "./bits.ts";
import { countSymbol, takeMetaBlock, type MetaBlock } from "./meta-block.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface Decoding {
  readonly bits: Bits;
  readonly output: Bytes;
  at: number;
  /** Bytes that matches reach back over. */
  readonly window: number;
  /** The last four distances, the latest at the end. */
  readonly last: [number, number, number, number];
}

/** Exactly `size` bytes. Throws `decode-failed`. What follows the stream is not looked at. */
export function decodeBrotli(input: Uint8Array, size: number): Bytes {
  const bits: Bits = { input, position: 0, hold: 0, count: 0 };
  const window = (1 << takeWindowBits(bits)) - 16;
  const decoding: Decoding = { bits, output: new Uint8Array(size), at: 0, window, last: [16, 15, 11, 4] };
  while (!decodeMetaBlock(decoding));
  alignedByte(bits);
  if (decoding.at === size) return decoding.output;
  throw corrupt(`${size} bytes, as was declared`, `${decoding.at} bytes`);
}

function takeWindowBits(bits: Bits): number {
  if (take(bits, 1) === 0) return 16;
  const large = take(bits, 3);
  if (large !== 0) return 17 + large;
  const small = take(bits, 3);
  if (small === 1) throw corrupt("a window of 10 to 24 bits", "a larger one");
  return small === 0 ? 17 : 8 + small;
}

/** Whether it was the last. */
function decodeMetaBlock(decoding: Decoding): boolean {
  const { bits } = decoding;
  const isLast = take(bits, 1) === 1;
  if (isLast && take(bits, 1) === 1) return true;
  const nibbles = take(bits, 2) + 4;
  if (nibbles === 7) {
    skipMetadata(bits);
    return isLast;
  }
  let length = 0;
  for (let at = 0; at < nibbles; at += 1) {
    const nibble = take(bits, 4);
    if (at > 3 && at === nibbles - 1 && nibble === 0) throw corrupt("a length without leading zeros", "one with");
    length += nibble * 16 ** at;
  }
  length += 1;
  if (decoding.at + length > decoding.output.length) {
    throw corrupt(`${decoding.output.length} bytes, as was declared`, "more");
  }
  if (!isLast && take(bits, 1) === 1) copyStored(decoding, length);
  else decodeCommands(decoding, takeMetaBlock(bits), decoding.at + length);
  return isLast;
}

function skipMetadata(bits: Bits): void {
  if (take(bits, 1) !== 0) throw corrupt("a reserved bit of 0", "1");
  const bytes = take(bits, 2);
  let length = 0;
  for (let at = 0; at < bytes; at += 1) {
    const byte = take(bits, 8);
    if (at > 0 && at === bytes - 1 && byte === 0) throw corrupt("a length without leading zeros", "one with");
    length += byte * 256 ** at;
  }
  const from = alignedByte(bits);
  const to = from + (bytes === 0 ? 0 : length + 1);
  if (to > bits.input.length) throw corrupt("metadata inside the stream", "a stream that is cut off");
  continueAt(bits, to);
}

function copyStored(decoding: Decoding, length: number): void {
  const { bits, output, at } = decoding;
  const from = alignedByte(bits);
  if (from + length > bits.input.length) throw corrupt("stored bytes inside the stream", "a stream that is cut off");
  output.set(bits.input.subarray(from, from + length), at);
  decoding.at += length;
  continueAt(bits, from + length);
}

/** Insert and copy lengths by a command's upper bits (§5): where their codes begin. */
const INSERT_FROM = [0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16];
const COPY_FROM = [0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16];

function decodeCommands(decoding: Decoding, block: MetaBlock, end: number): void {
  const { bits } = decoding;
  const { commands } = block;
  while (decoding.at < end) {
    countSymbol(bits, commands);
    const command = takeSymbol(bits, block.commandCodes[commands.type] ?? { only: 0 });
    const range = command >> 6;
    const insert = kInsertLengthPrefixCode[(INSERT_FROM[range] ?? 0) + ((command >> 3) & 7)];
    const copy = kCopyLengthPrefixCode[(COPY_FROM[range] ?? 0) + (command & 7)];
    if (insert === undefined || copy === undefined) throw corrupt("a command", "none");
    const inserted = insert.offset + take(bits, insert.nbits);
    const copied = copy.offset + take(bits, copy.nbits);
    if (decoding.at + inserted > end) throw corrupt("literals inside their block", "more");
    decodeLiterals(decoding, block, inserted);
    if (decoding.at === end) return;
    copyBytes(decoding, block, { length: copied, isLastDistance: range < 2, end });
  }
}

function decodeLiterals(decoding: Decoding, block: MetaBlock, count: number): void {
  const { bits, output } = decoding;
  const { literals, literalMap, literalCodes, modes } = block;
  const end = decoding.at + count;
  let [one, two] = [output[decoding.at - 1] ?? 0, output[decoding.at - 2] ?? 0];
  for (let at = decoding.at; at < end; at += 1) {
    countSymbol(bits, literals);
    const mode = (modes[literals.type] as number) * 2;
    const first = lookup[(lookupOffsets[mode] as number) + one] as number;
    const context = first | (lookup[(lookupOffsets[mode + 1] as number) + two] as number);
    const code = literalCodes[literalMap[literals.type * 64 + context] as number];
    if (code === undefined) throw corrupt("a literal code", "none");
    two = one;
    one = takeSymbol(bits, code);
    output[at] = one;
  }
  decoding.at = end;
}

interface Copy {
  readonly length: number;
  readonly isLastDistance: boolean;
  /** Of the meta-block. */
  readonly end: number;
}

function copyBytes(decoding: Decoding, block: MetaBlock, { length, isLastDistance, end }: Copy): void {
  const { output, at, last } = decoding;
  const code = isLastDistance ? 0 : takeDistanceCode(decoding, block, length);
  const distance = distanceOf(decoding, block, code);
  const furthest = Math.min(decoding.window, at);
  if (distance > furthest) return copyWord(decoding, { length, word: distance - furthest - 1, end });
  if (at + length > end) throw corrupt("a match inside its block", "a longer one");
  if (code !== 0) {
    last.copyWithin(0, 1);
    last[3] = distance;
  }
  copyMatch(output, at, distance, length);
  decoding.at += length;
}

function takeDistanceCode({ bits }: Decoding, { distances, distanceMap, distanceCodes }: MetaBlock, length: number) {
  countSymbol(bits, distances);
  const context = Math.min(length, 5) - 2;
  const code = distanceCodes[distanceMap[distances.type * 4 + context] as number];
  if (code === undefined) throw corrupt("a distance code", "none");
  return takeSymbol(bits, code);
}

/** Codes 0 to 15 are of the last distances (§4): the how manieth from the end, and what is added. */
const LAST = [3, 2, 1, 0, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2];
const ADDED = [0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3];

function distanceOf({ bits, last }: Decoding, { direct, postfixBits }: MetaBlock, code: number): number {
  if (code < 16) {
    const distance = (last[LAST[code] as number] as number) + (ADDED[code] as number);
    if (distance <= 0) throw corrupt("a distance of at least 1", String(distance));
    return distance;
  }
  if (code < 16 + direct) return code - 15;
  const rest = code - direct - 16;
  const extra = 1 + (rest >> (postfixBits + 1));
  const offset = ((2 + ((rest >> postfixBits) & 1)) << extra) - 4;
  return ((offset + take(bits, extra)) << postfixBits) + (rest & ((1 << postfixBits) - 1)) + direct + 1;
}

/** Bits of the number of a word, by its length (appendix A); those of 4 to 24 characters follow each other. */
const WORD_BITS = [0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5];
const WORDS_AT = WORD_BITS.map((_, length) =>
  WORD_BITS.slice(0, length).reduce((sum, bits, one) => sum + (bits === 0 ? 0 : one << bits), 0),
);

interface Word {
  readonly length: number;
  readonly word: number;
  readonly end: number;
}

function copyWord(decoding: Decoding, { length, word, end }: Word): void {
  const bits = WORD_BITS[length] ?? 0;
  const transform = word >> bits;
  if (bits === 0 || transform >= kNumTransforms) {
    throw corrupt("a match inside what was decoded, or a word of the dictionary", "another");
  }
  const at = (WORDS_AT[length] ?? 0) + (word & ((1 << bits) - 1)) * length;
  const written = transformDictionaryWord(scratch, 0, at, length, transform);
  if (decoding.at + written > end) throw corrupt("a word inside its block", "a longer one");
  decoding.output.set(scratch.subarray(0, written), decoding.at);
  decoding.at += written;
}

/** A word and what transformations add to it. */
const scratch = new Uint8Array(64);
