/** Frames and their blocks (RFC 8878 §3.1). */
import { hexBytes, unsignedAt } from "#core/bytes.ts";
import { backwardBits, readBits, readManyBits } from "./bits.ts";
import { NO_DICTIONARY, type ZstdDictionary } from "./dictionary.ts";
import { damaged, tooLarge } from "./fault.ts";
import { type FseTable, onlySymbol, readFseTable } from "./fse.ts";
import { decodeHuffman, type HuffmanTable, MAX_CODES, readHuffmanTable } from "./huffman.ts";
import { LENGTH_LIMITS, LITERAL_LENGTHS, MATCH_LENGTHS, PREDEFINED, tableRoom } from "./lengths.ts";

const MAGIC = 0xfd2f_b528;
/** The last four bits are free. */
const SKIPPABLE = 0x184d_2a50;

interface Header {
  /** Start of the blocks. */
  readonly at: number;
  /** Bytes of data, where the header says it. */
  readonly size: number | undefined;
  readonly mostBlockBytes: number;
  readonly hasChecksum: boolean;
}

/** Decodes the frame at `at`, or skips it; gives where it ended. Throws `decode-failed`, `decode-too-large`. */
export function decodeFrame(state: State, at: number): number {
  const { input, end } = state;
  const magic = end - at < 4 ? 0 : unsignedAt(input, at, 4);
  if (magic - (magic % 16) === SKIPPABLE && end - at >= 8) {
    const stop = at + 8 + unsignedAt(input, at + 4, 4);
    if (stop > end) throw cutOff(end, at);
    return stop;
  }
  if (magic !== MAGIC) {
    const found = at === end ? "no bytes" : `${hexBytes(input.subarray(at, Math.min(at + 4, end)))} at byte ${at}`;
    throw damaged(found, "a zstd frame, which begins 28 b5 2f fd");
  }
  const header = readHeader(state, at);
  beginFrame(state);
  makeRoom(state, header.size);
  let from = header.at;
  for (let isLast = false; !isLast;) {
    if (from + 3 > end) throw cutOff(end, at);
    const block = unsignedAt(input, from, 3);
    isLast = (block & 1) === 1;
    from = decodeBlock(state, from + 3, block >>> 1, header);
  }
  const size = state.written - state.frameStart;
  if (header.size !== undefined && header.size !== size) {
    throw damaged(`${size} bytes in the frame at byte ${at}, whose header says ${header.size}`);
  }
  if (!header.hasChecksum) return from;
  if (from + 4 > end) throw cutOff(end, at);
  verify(state, unsignedAt(input, from, 4));
  return from + 4;
}

function cutOff(end: number, at: number): Error {
  return damaged(`data cut off after ${end} bytes, in the frame that begins at byte ${at}`);
}

/** RFC 8878 §3.1.1.1. */
function readHeader({ input, end, dictionary }: State, start: number): Header {
  if (start + 5 > end) throw cutOff(end, start);
  const descriptor = input[start + 4] as number;
  if ((descriptor & 8) !== 0) throw damaged(`the reserved bit set in the frame header at byte ${start}`);
  const isSingle = (descriptor & 32) !== 0;
  const idBytes = [0, 1, 2, 4][descriptor & 3] as number;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >>> 6] as number;
  const idAt = start + (isSingle ? 5 : 6);
  const sizeAt = idAt + idBytes;
  const at = sizeAt + sizeBytes;
  if (at > end) throw cutOff(end, start);
  const id = unsignedAt(input, idAt, idBytes);
  if (id !== 0 && id !== dictionary.id) throw wrongDictionary(id, dictionary.id, dictionary.content.length);
  const said = unsignedAt(input, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  const size = sizeBytes === 0 ? undefined : said;
  const exponent = input[start + 5] as number;
  const window = isSingle ? said : 2 ** (10 + (exponent >>> 3)) * (1 + (exponent & 7) / 8);
  // Facebook's decoder takes no larger ones.
  if (!isSingle && exponent >>> 3 > 21) throw damaged(`a window of ${window} bytes, which no decoder takes`);
  return { at, size, mostBlockBytes: Math.min(window, MAX_BLOCK_BYTES), hasChecksum: (descriptor & 4) !== 0 };
}

function wrongDictionary(wanted: number, id: number, bytes: number): Error {
  const none = bytes === 0 ? "no dictionary" : "a dictionary without a number";
  return damaged(id === 0 ? none : `the dictionary ${id}`, `the dictionary ${wanted}, as the frame says`);
}

/** Takes what the header says, as far as it is likely: no memory for a size that a few bytes only claim. */
function makeRoom(state: State, size: number | undefined): void {
  const maximum = state.limit - state.written;
  if (size !== undefined && size > maximum)
    throw tooLarge(state.limit, `${state.written + size} bytes, as the header says`);
  state.stop = state.written + (size ?? maximum);
  const likely = Math.max(1024, state.end * 64);
  if (state.output.length === 0) state.output = new Uint8Array(Math.min(size ?? state.end * 4, likely, maximum));
}

/** `kind`: type of the block and its size << 2. */
function decodeBlock(state: State, at: number, kind: number, header: Header): number {
  const { input, end } = state;
  const size = kind >>> 2;
  const type = kind & 3;
  const stop = at + (type === 1 ? 1 : size);
  if (type === 3) throw damaged(`a block of no known type before byte ${at}`);
  if (stop > end) throw damaged(`data cut off after ${end} bytes, in the block of ${size} bytes at byte ${at}`);
  if (size > header.mostBlockBytes) throw damaged(`a block of ${size} bytes at byte ${at}, more than its frame allows`);
  if (type === 2) {
    decodeCompressed(state, at, stop, header);
    return stop;
  }
  reserve(state, size);
  if (type === 0) write(state, input, at, size);
  else {
    state.output.fill(input[at] as number, state.written, state.written + size);
    state.written += size;
  }
  return stop;
}

function decodeCompressed(state: State, at: number, end: number, { size, mostBlockBytes }: Header): void {
  if (end - at < 2) throw damaged(`a block of ${end - at} bytes at byte ${at}, too few to be compressed`);
  const whole = size === undefined ? state.limit : state.frameStart + size;
  state.stop = Math.min(whole, state.written + mostBlockBytes);
  runSequences(state, readLiterals(state, at, end, mostBlockBytes), end);
  state.stop = whole;
}

function verify(state: State, stored: number): void {
  const computed = xxHash64Low(state.output, state.frameStart, state.written);
  if (computed === stored) return;
  const shown = (value: number) => `0x${value.toString(16).padStart(8, "0")}`;
  throw damaged(`the checksum ${shown(computed)}`, `data with the checksum ${shown(stored)}, as stored after them`);
}

// XXH64 with seed 0, the checksum of zstd frames (RFC 8878 §3.1.1; its lower half is stored).

const P1: bigint = 0x9e37_79b1_85eb_ca87n;
const P2: bigint = 0xc2b2_ae3d_27d4_eb4fn;
const P3: bigint = 0x1656_67b1_9e37_79f9n;
const P4: bigint = 0x85eb_ca77_c2b2_ae63n;
const P5: bigint = 0x27d4_eb2f_1656_67c5n;

const wrap = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => wrap((value << by) | (value >> (64n - by)));
const round = (sum: bigint, lane: bigint) => wrap(rotate(wrap(sum + wrap(lane * P2)), 31n) * P1);
/** The lower 32 bits of the hash of [from, end). */
function xxHash64Low(bytes: Uint8Array<ArrayBuffer>, from: number, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let at = from;
  let sum = P5;
  if (end - from >= 32) {
    let [a, b, c, d] = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at + 32 <= end; at += 32) {
      a = round(a, view.getBigUint64(at, true));
      b = round(b, view.getBigUint64(at + 8, true));
      c = round(c, view.getBigUint64(at + 16, true));
      d = round(d, view.getBigUint64(at + 24, true));
    }
    sum = wrap(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
    for (const lane of [a, b, c, d]) sum = wrap((sum ^ round(0n, lane)) * P1 + P4);
  }
  sum = wrap(sum + BigInt(end - from));
  for (; at + 8 <= end; at += 8) sum = wrap(rotate(sum ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  if (at + 4 <= end) {
    sum = wrap(rotate(sum ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < end; at++) sum = wrap(rotate(sum ^ wrap(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  sum = wrap((sum ^ (sum >> 33n)) * P2);
  sum = wrap((sum ^ (sum >> 29n)) * P3);
  return Number(BigInt.asUintN(32, sum ^ (sum >> 32n)));
}

// The literals of a block (RFC 8878 §3.1.1.3.1).

/** Reads the section at [at, end); `limit`: bytes a block of this frame may have. Gives where the sequences begin. */
function readLiterals(state: State, at: number, end: number, limit: number): number {
  const kind = (state.input[at] as number) & 3;
  return kind < 2 ? readPlain(state, at, end, limit) : readCoded(state, at, end, limit);
}

function headerBytes(kind: number, form: number): number {
  if (kind >= 2) return form < 2 ? 3 : form + 2;
  return (form & 1) === 0 ? 1 : (form + 3) >>> 1;
}

const literalsCutOff = (at: number): Error => damaged(`a block at byte ${at} whose literals are cut off`);

/** Bytes as they are, or one byte many times. */
function readPlain(state: State, at: number, end: number, limit: number): number {
  const { input } = state;
  const first = input[at] as number;
  const form = (first >>> 2) & 3;
  const width = headerBytes(first & 3, form);
  if (at + width > end) throw literalsCutOff(at);
  const word = first | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16);
  const size = width === 1 ? first >>> 3 : width === 2 ? (word >>> 4) & 0xfff : word >>> 4;
  const from = at + width;
  const isRun = (first & 3) === 1;
  const stop = from + (isRun ? 1 : size);
  if (stop > end) throw literalsCutOff(at);
  if (size > limit) throw tooMany(at, size);
  if (isRun) setLiterals(state, literalRoom(state).fill(input[from] as number, 0, size), 0, size);
  else setLiterals(state, input, from, size);
  return stop;
}

function tooMany(at: number, size: number): Error {
  return damaged(`a block at byte ${at} of ${size} literals, more than its frame allows`);
}

function setLiterals(state: State, bytes: Uint8Array, at: number, size: number): void {
  state.literals = bytes;
  state.literalsAt = at;
  state.literalsLeft = size;
}

/** Huffman codes, with a table of their own (2) or the last one (3), in one stream or four. */
function readCoded(state: State, at: number, end: number, limit: number): number {
  const { input } = state;
  const first = input[at] as number;
  const form = (first >>> 2) & 3;
  const width = headerBytes(2, form);
  if (at + width > end) throw literalsCutOff(at);
  const low = first | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16);
  const fourth = width > 3 ? (input[at + 3] as number) : 0;
  const fifth = width > 4 ? (input[at + 4] as number) : 0;
  // Two numbers of 10, 14 or 18 bits after the first four.
  const sizeBits = width * 4 - 2;
  const size = (low >>> 4) + fourth * 2 ** 20 + fifth * 2 ** 28;
  const regenerated = size % 2 ** sizeBits;
  const from = at + width;
  const stop = from + Math.floor(size / 2 ** sizeBits);
  if (stop > end) throw literalsCutOff(at);
  if (regenerated > limit) throw tooMany(at, regenerated);
  let streams = from;
  if ((first & 3) === 2) {
    const read = readHuffmanTable(input, from, stop, state.room.huffman);
    state.huffman = read.table;
    streams = read.at;
  }
  const { huffman } = state;
  if (huffman === undefined) throw damaged(`a block at byte ${at} that repeats a Huffman tree, and none before`);
  const output = literalRoom(state);
  if (form === 0) decodeHuffman(input, streams, stop, huffman, output, 0, regenerated);
  else decodeFour(state, huffman, streams, stop, regenerated);
  setLiterals(state, output, 0, regenerated);
  return stop;
}

/** Three sizes of two bytes, then four streams, of which each gives a quarter (RFC 8878 §3.1.1.3.1.6). */
function decodeFour(
  { input, room }: State,
  huffman: NonNullable<State["huffman"]>,
  at: number,
  end: number,
  size: number,
): void {
  const quarter = (size + 3) >>> 2;
  if (at + 10 > end || quarter * 3 > size) throw damaged(`four Huffman streams at byte ${at} of ${end - at} bytes`);
  let from = at + 6;
  for (let i = 0; i < 4; i++) {
    const sizeAt = at + i * 2;
    const stop = i === 3 ? end : from + ((input[sizeAt] as number) | ((input[sizeAt + 1] as number) << 8));
    if (stop > end) throw damaged(`a Huffman stream at byte ${from} that is cut off`);
    decodeHuffman(input, from, stop, huffman, room.literals, i * quarter, i === 3 ? size : (i + 1) * quarter);
    from = stop;
  }
}

// The sequences of a block: literals, then bytes copied from further back (RFC 8878 §3.1.1.3.2, §3.1.1.4).

/** Reads the section at [at, end) and writes what the block gives. */
function runSequences(state: State, at: number, end: number): void {
  const { input } = state;
  const first = at < end ? (input[at] as number) : 0;
  const width = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (at + width > end) throw sequencesCutOff(at);
  const next = input[at + 1] as number;
  const count =
    width === 1 ? first : width === 2 ? (first - 128) * 256 + next : next + (input[at + 2] as number) * 256 + 0x7f00;
  const from = at + width;
  if (count > 0) execute(state, readTables(state, from, end), end, count);
  else if (from < end) throw damaged(`${end - from} bytes after a block without sequences, at byte ${from}`);
  reserve(state, state.literalsLeft);
  write(state, state.literals, state.literalsAt, state.literalsLeft);
}

const sequencesCutOff = (at: number): Error => damaged(`a block whose sequences at byte ${at} are cut off`);

/** Sets the three tables as the block says; gives where the bits begin. */
function readTables(state: State, at: number, end: number): number {
  if (at >= end) throw sequencesCutOff(at);
  const modes = state.input[at] as number;
  if ((modes & 3) !== 0) throw damaged(`the reserved bits set in the byte ${at}, which names the tables of a block`);
  let from = at + 1;
  from = readTable(state, "literalLengths", modes >>> 6, from, end);
  from = readTable(state, "offsets", (modes >>> 4) & 3, from, end);
  return readTable(state, "matchLengths", (modes >>> 2) & 3, from, end);
}

function readTable(state: State, name: keyof typeof PREDEFINED, mode: number, at: number, end: number): number {
  if (mode === 0) {
    state[name] = PREDEFINED[name];
    return at;
  }
  if (mode === 1) {
    const symbol = at < end ? (state.input[at] as number) : 255;
    if (symbol > LENGTH_LIMITS[name].symbol) throw damaged(`a code at byte ${at} that does not exist`);
    state[name] = onlySymbol(symbol, state.room[name]);
    return at + 1;
  }
  if (mode === 2) {
    const read = readFseTable(state.input, at, end, LENGTH_LIMITS[name], state.room[name]);
    state[name] = read.table;
    return read.at;
  }
  if (state[name] === undefined) throw damaged(`a block that repeats a table at byte ${at}, and none before`);
  return at;
}

/** The states begin and change in one order, the values are read in another (RFC 8878 §3.1.1.3.2.1.2). */
function execute(state: State, at: number, end: number, count: number): void {
  const literalTable = state.literalLengths as FseTable;
  const offsetTable = state.offsets as FseTable;
  const matchTable = state.matchLengths as FseTable;
  const bits = backwardBits(state.input, at, end);
  let literalState = readBits(bits, literalTable.log);
  let offsetState = readBits(bits, offsetTable.log);
  let matchState = readBits(bits, matchTable.log);
  for (let left = count; left > 0; left--) {
    const literal = literalTable.entries[literalState] as number;
    const offset = offsetTable.entries[offsetState] as number;
    const match = matchTable.entries[matchState] as number;
    const value = ((1 << (offset & 255)) >>> 0) + readManyBits(bits, offset & 255);
    const matchLength =
      (MATCH_LENGTHS.base[match & 255] as number) + readBits(bits, MATCH_LENGTHS.bits[match & 255] as number);
    const literalLength =
      (LITERAL_LENGTHS.base[literal & 255] as number) + readBits(bits, LITERAL_LENGTHS.bits[literal & 255] as number);
    if (left > 1) {
      literalState = (literal >>> 16) + readBits(bits, (literal >>> 8) & 255);
      matchState = (match >>> 16) + readBits(bits, (match >>> 8) & 255);
      offsetState = (offset >>> 16) + readBits(bits, (offset >>> 8) & 255);
    }
    if (bits.left < 0) throw sequencesCutOff(at);
    copy(state, literalLength, nextOffset(state, value, literalLength), matchLength);
  }
  if (bits.left > 0) throw damaged(`${bits.left} bits left over by the sequences in bytes ${at} to ${end}`);
}

/** Values up to 3 mean one of the last offsets (RFC 8878 §3.1.1.5). 0: one that cannot be. */
function nextOffset(state: State, value: number, literalLength: number): number {
  if (value > 3) {
    state.offset3 = state.offset2;
    state.offset2 = state.offset1;
    state.offset1 = value - 3;
    return value - 3;
  }
  const which = literalLength === 0 ? value + 1 : value;
  if (which === 1) return state.offset1;
  const offset = which === 2 ? state.offset2 : which === 3 ? state.offset3 : state.offset1 - 1;
  if (which !== 2) state.offset3 = state.offset2;
  state.offset2 = state.offset1;
  state.offset1 = offset;
  return offset;
}

function copy(state: State, literalLength: number, offset: number, matchLength: number): void {
  if (literalLength > state.literalsLeft) throw damaged("sequences that take more literals than their block has");
  reserve(state, literalLength + matchLength);
  write(state, state.literals, state.literalsAt, literalLength);
  state.literalsAt += literalLength;
  state.literalsLeft -= literalLength;
  const before = offset - (state.written - state.frameStart);
  const taken = before > 0 ? copyFromDictionary(state, before, matchLength) : 0;
  if (offset === 0) throw damaged("a sequence that copies from where it writes");
  copyBack(state, offset, matchLength - taken);
}

/** `before`: bytes before the start of the frame. Gives how many of `length` bytes the dictionary had from there. */
function copyFromDictionary(state: State, before: number, length: number): number {
  const { content } = state.dictionary;
  if (before > content.length) {
    throw damaged(`a sequence that reaches ${before} bytes before the data; the dictionary has ${content.length}`);
  }
  const taken = Math.min(before, length);
  write(state, content, content.length - before, taken);
  return taken;
}

/** The bytes written may be copied next: then they repeat. */
function copyBack(state: State, offset: number, length: number): void {
  const { output, written } = state;
  const from = written - offset;
  if (offset >= length && length > 32) output.copyWithin(written, from, from + length);
  else for (let i = 0; i < length; i++) output[written + i] = output[from + i] as number;
  state.written = written + length;
}

// State of a decompression. One is enough, since nothing waits in between.

const MAX_BLOCK_BYTES = 128 * 1024;

export interface State {
  /** The data, and at least four more bytes of anything. */
  input: Uint8Array;
  /** Length of the data. */
  end: number;
  output: Uint8Array<ArrayBuffer>;
  written: number;
  /** Start of this frame's output: matches refer to nothing before it but the dictionary. */
  frameStart: number;
  /** Up to where the block may write; `overrun` says why no further. */
  stop: number;
  limit: number;
  dictionary: ZstdDictionary;
  huffman: HuffmanTable | undefined;
  literalLengths: FseTable | undefined;
  offsets: FseTable | undefined;
  matchLengths: FseTable | undefined;
  /** The last three offsets, latest first. */
  offset1: number;
  offset2: number;
  offset3: number;
  /** The block's literals: `literalsLeft` bytes at `literalsAt`. */
  literals: Uint8Array;
  literalsAt: number;
  literalsLeft: number;
  /** Replaced by blocks that bring their own tables. */
  readonly room: ReturnType<typeof tableRoom> & { readonly huffman: Uint16Array; literals: Uint8Array };
}

const NO_BYTES = new Uint8Array(0);

export function newState(): State {
  return {
    input: NO_BYTES,
    end: 0,
    output: NO_BYTES,
    written: 0,
    frameStart: 0,
    stop: 0,
    limit: 0,
    dictionary: NO_DICTIONARY,
    huffman: undefined,
    literalLengths: undefined,
    offsets: undefined,
    matchLengths: undefined,
    offset1: 1,
    offset2: 4,
    offset3: 8,
    literals: NO_BYTES,
    literalsAt: 0,
    literalsLeft: 0,
    room: { ...tableRoom(), huffman: new Uint16Array(MAX_CODES), literals: NO_BYTES },
  };
}

/** Resets the state to the start of a frame (RFC 8878 §3.1.1.3.2.1.1, §3.1.1.5, §5). */
function beginFrame(state: State): void {
  const { tables, offsets } = state.dictionary;
  state.frameStart = state.written;
  state.huffman = tables.huffman;
  state.literalLengths = tables.literalLengths;
  state.offsets = tables.offsets;
  state.matchLengths = tables.matchLengths;
  [state.offset1, state.offset2, state.offset3] = offsets;
}

/** Room for the literals of a block that are not taken from the input as they are. */
function literalRoom(state: State): Uint8Array {
  if (state.room.literals.length === 0) state.room.literals = new Uint8Array(MAX_BLOCK_BYTES);
  return state.room.literals;
}

/** Makes room for `more` bytes of output. Throws `decode-failed`, `decode-too-large`. */
function reserve(state: State, more: number): void {
  const needed = state.written + more;
  if (needed > state.stop) throw overrun(state, needed);
  if (needed <= state.output.length) return;
  const grown = new Uint8Array(Math.min(state.limit, Math.max(needed, state.output.length * 2, 1024)));
  grown.set(state.output.subarray(0, state.written));
  state.output = grown;
}

function overrun(state: State, needed: number): Error {
  if (needed > state.limit) return tooLarge(state.limit, `more than ${state.limit} bytes`);
  const maximum = state.stop - state.frameStart;
  return damaged(`a frame that gives more than the ${maximum} bytes that its header or this block may`);
}

/** Copies bytes that do not overlap with where they go. There must be room. */
function write(state: State, from: Uint8Array, at: number, count: number): void {
  const { output, written } = state;
  if (count > 32) output.set(from.subarray(at, at + count), written);
  else for (let i = 0; i < count; i++) output[written + i] = from[at + i] as number;
  state.written = written + count;
}
