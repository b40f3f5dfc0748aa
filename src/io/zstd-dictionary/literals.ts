/** The literals of a block (RFC 8878 §3.1.1.3.1). */
import { damaged } from "./fault.ts";
import { decodeHuffman, readHuffmanTable } from "./huffman.ts";
import { literalRoom, type State } from "./state.ts";

/** Reads the section at [at, end); `limit`: bytes a block of this frame may have. Gives where the sequences begin. */
export function readLiterals(state: State, at: number, end: number, limit: number): number {
  const kind = (state.input[at] as number) & 3;
  return kind < 2 ? readPlain(state, at, end, limit) : readCoded(state, at, end, limit);
}

function headerBytes(kind: number, form: number): number {
  if (kind >= 2) return form < 2 ? 3 : form + 2;
  return (form & 1) === 0 ? 1 : (form + 3) >>> 1;
}

function cutOff(at: number): Error {
  return damaged(`a block at byte ${at} whose literals are cut off`);
}

/** Bytes as they are, or one byte many times. */
function readPlain(state: State, at: number, end: number, limit: number): number {
  const { input } = state;
  const first = input[at] as number;
  const form = (first >>> 2) & 3;
  const width = headerBytes(first & 3, form);
  if (at + width > end) throw cutOff(at);
  const word = first | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16);
  const size = width === 1 ? first >>> 3 : width === 2 ? (word >>> 4) & 0xfff : word >>> 4;
  const from = at + width;
  const isRun = (first & 3) === 1;
  const stop = from + (isRun ? 1 : size);
  if (stop > end) throw cutOff(at);
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
  if (at + width > end) throw cutOff(at);
  const low = first | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16);
  const fourth = width > 3 ? (input[at + 3] as number) : 0;
  const fifth = width > 4 ? (input[at + 4] as number) : 0;
  // Two numbers of 10, 14 or 18 bits after the first four.
  const sizeBits = width * 4 - 2;
  const size = (low >>> 4) + fourth * 2 ** 20 + fifth * 2 ** 28;
  const regenerated = size % 2 ** sizeBits;
  const from = at + width;
  const stop = from + Math.floor(size / 2 ** sizeBits);
  if (stop > end) throw cutOff(at);
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
