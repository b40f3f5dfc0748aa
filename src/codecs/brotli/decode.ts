/**
 * Brotli (RFC 7932). Our own decoder around tables of `hyparquet-compressors`, whose own writes as much as a stream says
 * and reads past its end: here the size is known before, and nothing is read that is not there.
 */
import type { Bytes } from "#core/byte-source.ts";
import { lookup, lookupOffsets } from "hyparquet-compressors/src/brotli.context.js";
import {
  kBlockLengthPrefixCode,
  kCopyLengthPrefixCode,
  kInsertLengthPrefixCode,
} from "hyparquet-compressors/src/brotli.prefix.js";
import { kNumTransforms, transformDictionaryWord } from "hyparquet-compressors/src/brotli.transform.js";
import { type Bits, bitsOf, moveTo, peekLow, skipBits, takeLow } from "#core/bits.ts";
import { copyMatch, decodeFailed } from "../codec.ts";
import { codeTable, type CodeTable } from "./code-table.ts";

// Bits of a Brotli stream, from the lowest of each byte on (RFC 7932 §1.5.1), and its prefix codes (§3).

const corrupt = (expected: string, found: string): Error => decodeFailed("brotli", expected, found);

function openBits(input: Uint8Array): Bits {
  const found = `a stream cut off after ${input.length} bytes`;
  return bitsOf(input, () => corrupt("a compressed stream with an end", found));
}

/** Skips the rest of a byte, which must be zero bits; returns the position of the next byte. */
function alignedByte(bits: Bits): number {
  if (takeLow(bits, -bits.bit & 7) !== 0) throw corrupt("zero bits before whole bytes", "others");
  return bits.byte;
}

/** A code of one symbol takes no bits. */
type PrefixCode = CodeTable | { readonly only: number };

function takeSymbol(bits: Bits, code: PrefixCode): number {
  if ("only" in code) return code.only;
  const next = peekLow(bits);
  let entry = code.entries[next & ((1 << code.bits) - 1)] as number;
  if ((entry & 15) === 0) {
    const further = (entry >> 4) & 15;
    entry = code.entries[(entry >>> 8) + ((next >>> code.bits) & ((1 << further) - 1))] as number;
  }
  skipBits(bits, entry & 15);
  return entry >> 4;
}

/** 1 to 256 (§9.2, "NBLTYPES"). */
function takeCount(bits: Bits): number {
  if (takeLow(bits, 1) === 0) return 1;
  const extra = takeLow(bits, 3);
  return 1 + (1 << extra) + takeLow(bits, extra);
}

/** Reads a prefix code over symbols below `alphabet`. */
function takePrefixCode(bits: Bits, alphabet: number): PrefixCode {
  const skipped = takeLow(bits, 2);
  return skipped === 1 ? simpleCode(bits, alphabet) : complexCode(bits, alphabet, skipped);
}

/** Lengths by the number of symbols, in the order in which they are written (§3.4). */
const SIMPLE_LENGTHS = [[0], [1, 1], [1, 2, 2], [2, 2, 2, 2], [1, 2, 3, 3]] as const;

function simpleCode(bits: Bits, alphabet: number): PrefixCode {
  const width = 32 - Math.clz32(alphabet - 1);
  const symbols = Array.from({ length: takeLow(bits, 2) + 1 }, () => takeLow(bits, width));
  const lengths = SIMPLE_LENGTHS[symbols.length === 4 ? 3 + takeLow(bits, 1) : symbols.length - 1] ?? [];
  if (new Set(symbols).size < symbols.length || symbols.some((symbol) => symbol >= alphabet)) {
    throw corrupt(`different symbols below ${alphabet}`, symbols.join(", "));
  }
  const [only = 0] = symbols;
  if (symbols.length === 1) return { only };
  const ofSymbols = new Uint8Array(alphabet);
  for (const [at, symbol] of symbols.entries()) ofSymbols[symbol] = lengths[at] ?? 0;
  return tableOf(ofSymbols);
}

const LENGTHS_ORDER = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** The code of the lengths of code lengths, by the next four bits: how long, and what it means (§3.5). */
const LENGTH_BITS = [2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4];
const LENGTH_OF = [0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5];

function complexCode(bits: Bits, alphabet: number, skipped: number): PrefixCode {
  const lengths = new Uint8Array(18);
  let [space, codes] = [32, 0];
  for (const symbol of LENGTHS_ORDER.slice(skipped)) {
    if (space <= 0) break;
    const next = peekLow(bits) & 15;
    skipBits(bits, LENGTH_BITS[next] as number);
    const length = LENGTH_OF[next] as number;
    lengths[symbol] = length;
    if (length === 0) continue;
    space -= 32 >> length;
    codes += 1;
  }
  if (codes === 1) return tableOf(takeLengths(bits, alphabet, { only: lengths.findIndex((length) => length > 0) }));
  if (space !== 0) throw corrupt("a complete prefix code of code lengths", "another");
  return tableOf(takeLengths(bits, alphabet, tableOf(lengths)));
}

/** 16 repeats the last length that is not 0, 17 repeats 0; one after the other count together. */
function takeLengths(bits: Bits, alphabet: number, code: PrefixCode): Uint8Array {
  const lengths = new Uint8Array(alphabet);
  let [at, space, last, repeat, repeated] = [0, 32_768, 8, 0, 0];
  while (at < alphabet && space > 0) {
    const symbol = takeSymbol(bits, code);
    if (symbol < 16) {
      repeat = 0;
      lengths[at++] = symbol;
      if (symbol === 0) continue;
      last = symbol;
      space -= 32_768 >> symbol;
      continue;
    }
    const length = symbol === 16 ? last : 0;
    if (repeated !== length) [repeat, repeated] = [0, length];
    const before = repeat;
    const extra = symbol - 14;
    repeat = (repeat > 0 ? (repeat - 2) << extra : 0) + takeLow(bits, extra) + 3;
    const end = at + repeat - before;
    if (end > alphabet) throw corrupt(`${alphabet} code lengths`, "more");
    lengths.fill(length, at, end);
    if (length > 0) space -= (end - at) << (15 - length);
    at = end;
  }
  if (space !== 0) throw corrupt("a complete prefix code", "another");
  return lengths;
}

function tableOf(lengths: Uint8Array): PrefixCode {
  const table = codeTable(lengths);
  if (table === undefined) throw corrupt("a complete prefix code", "another");
  return table;
}

// The header of a compressed meta-block (RFC 7932 §9.2): block types, context maps, prefix codes.

/** Block state of literals, commands or distances: the current block type, and how many of its symbols are left. */
interface Blocks {
  readonly types: number;
  readonly typeCode: PrefixCode;
  readonly countCode: PrefixCode;
  type: number;
  before: number;
  left: number;
}

interface MetaBlock {
  readonly literals: Blocks;
  readonly commands: Blocks;
  readonly distances: Blocks;
  readonly postfixBits: number;
  readonly direct: number;
  /** Context modes by block type of the literals. */
  readonly modes: Uint8Array;
  readonly literalMap: Uint8Array;
  readonly distanceMap: Uint8Array;
  readonly literalCodes: readonly PrefixCode[];
  readonly commandCodes: readonly PrefixCode[];
  readonly distanceCodes: readonly PrefixCode[];
}

const NO_CODE: PrefixCode = { only: 0 };

function takeBlocks(bits: Bits): Blocks {
  const types = takeCount(bits);
  // More than a meta-block has symbols.
  if (types === 1) return { types, typeCode: NO_CODE, countCode: NO_CODE, type: 0, before: 1, left: 2 ** 28 };
  const typeCode = takePrefixCode(bits, types + 2);
  const countCode = takePrefixCode(bits, kBlockLengthPrefixCode.length);
  return { types, typeCode, countCode, type: 0, before: 1, left: takeBlockCount(bits, countCode) };
}

function takeBlockCount(bits: Bits, code: PrefixCode): number {
  const prefix = kBlockLengthPrefixCode[takeSymbol(bits, code)];
  if (prefix === undefined) throw corrupt("a block count", "none");
  return prefix.offset + takeLow(bits, prefix.nbits);
}

/** Counts one symbol; another block begins where the last one is used up. */
function countSymbol(bits: Bits, blocks: Blocks): void {
  if (blocks.left === 0) {
    const code = takeSymbol(bits, blocks.typeCode);
    const next = code === 0 ? blocks.before : code === 1 ? (blocks.type + 1) % blocks.types : code - 2;
    blocks.before = blocks.type;
    blocks.type = next;
    blocks.left = takeBlockCount(bits, blocks.countCode);
  }
  blocks.left -= 1;
}

function takeMetaBlock(bits: Bits): MetaBlock {
  const [literals, commands, distances] = [takeBlocks(bits), takeBlocks(bits), takeBlocks(bits)];
  const postfixBits = takeLow(bits, 2);
  const direct = takeLow(bits, 4) << postfixBits;
  const modes = Uint8Array.from({ length: literals.types }, () => takeLow(bits, 2));
  const literalMap = takeContextMap(bits, literals.types * 64);
  const distanceMap = takeContextMap(bits, distances.types * 4);
  const codes = (count: number, alphabet: number): readonly PrefixCode[] =>
    Array.from({ length: count }, () => takePrefixCode(bits, alphabet));
  return {
    literals,
    commands,
    distances,
    postfixBits,
    direct,
    modes,
    literalMap: literalMap.map,
    distanceMap: distanceMap.map,
    literalCodes: codes(literalMap.codes, 256),
    commandCodes: codes(commands.types, 704),
    distanceCodes: codes(distanceMap.codes, 16 + direct + (48 << postfixBits)),
  };
}

/** Which prefix code each context has (§7.3). */
function takeContextMap(bits: Bits, size: number): { readonly codes: number; readonly map: Uint8Array } {
  const codes = takeCount(bits);
  const map = new Uint8Array(size);
  if (codes === 1) return { codes, map };
  const longest = takeLow(bits, 1) === 0 ? 0 : takeLow(bits, 4) + 1;
  const code = takePrefixCode(bits, codes + longest);
  for (let at = 0; at < size;) {
    const symbol = takeSymbol(bits, code);
    if (symbol > longest || symbol === 0) {
      map[at++] = symbol === 0 ? 0 : symbol - longest;
      continue;
    }
    at += (1 << symbol) + takeLow(bits, symbol);
    if (at > size) throw corrupt(`a context map of ${size} entries`, "more");
  }
  if (takeLow(bits, 1) === 1) undoMoveToFront(map);
  return { codes, map };
}

function undoMoveToFront(map: Uint8Array): void {
  const order = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (const [at, index] of map.entries()) {
    const value = order[index] as number;
    map[at] = value;
    order.copyWithin(1, 0, index);
    order[0] = value;
  }
}

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
  const bits = openBits(input);
  const window = (1 << takeWindowBits(bits)) - 16;
  const decoding: Decoding = { bits, output: new Uint8Array(size), at: 0, window, last: [16, 15, 11, 4] };
  while (!decodeMetaBlock(decoding));
  alignedByte(bits);
  if (decoding.at === size) return decoding.output;
  throw corrupt(`${size} bytes, as was declared`, `${decoding.at} bytes`);
}

function takeWindowBits(bits: Bits): number {
  if (takeLow(bits, 1) === 0) return 16;
  const large = takeLow(bits, 3);
  if (large !== 0) return 17 + large;
  const small = takeLow(bits, 3);
  if (small === 1) throw corrupt("a window of 10 to 24 bits", "a larger one");
  return small === 0 ? 17 : 8 + small;
}

/** Decodes one meta-block; true if it was the last. */
function decodeMetaBlock(decoding: Decoding): boolean {
  const { bits } = decoding;
  const isLast = takeLow(bits, 1) === 1;
  if (isLast && takeLow(bits, 1) === 1) return true;
  const nibbles = takeLow(bits, 2) + 4;
  if (nibbles === 7) {
    skipMetadata(bits);
    return isLast;
  }
  let length = 0;
  for (let at = 0; at < nibbles; at += 1) {
    const nibble = takeLow(bits, 4);
    if (at > 3 && at === nibbles - 1 && nibble === 0) throw corrupt("a length without leading zeros", "one with");
    length += nibble * 16 ** at;
  }
  length += 1;
  if (decoding.at + length > decoding.output.length) {
    throw corrupt(`${decoding.output.length} bytes, as was declared`, "more");
  }
  if (!isLast && takeLow(bits, 1) === 1) copyStored(decoding, length);
  else decodeCommands(decoding, takeMetaBlock(bits), decoding.at + length);
  return isLast;
}

function skipMetadata(bits: Bits): void {
  if (takeLow(bits, 1) !== 0) throw corrupt("a reserved bit of 0", "1");
  const bytes = takeLow(bits, 2);
  let length = 0;
  for (let at = 0; at < bytes; at += 1) {
    const byte = takeLow(bits, 8);
    if (at > 0 && at === bytes - 1 && byte === 0) throw corrupt("a length without leading zeros", "one with");
    length += byte * 256 ** at;
  }
  const from = alignedByte(bits);
  const to = from + (bytes === 0 ? 0 : length + 1);
  if (to > bits.end) throw corrupt("metadata inside the stream", "a stream that is cut off");
  moveTo(bits, to, 0);
}

function copyStored(decoding: Decoding, length: number): void {
  const { bits, output, at } = decoding;
  const from = alignedByte(bits);
  if (from + length > bits.end) throw corrupt("stored bytes inside the stream", "a stream that is cut off");
  output.set(new Uint8Array(bits.view.buffer, from, length), at);
  decoding.at += length;
  moveTo(bits, from + length, 0);
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
    const inserted = insert.offset + takeLow(bits, insert.nbits);
    const copied = copy.offset + takeLow(bits, copy.nbits);
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
  /** End of the meta-block in the output. */
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
  return ((offset + takeLow(bits, extra)) << postfixBits) + (rest & ((1 << postfixBits) - 1)) + direct + 1;
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
