/** The sequences of a block: literals, then bytes copied from further back (RFC 8878 §3.1.1.3.2, §3.1.1.4). */
import { backwardBits, readBits, readManyBits } from "./bits.ts";
import { damaged } from "./fault.ts";
import { onlySymbol, readFseTable, type FseTable } from "./fse.ts";
import { LENGTH_LIMITS, LITERAL_LENGTHS, MATCH_LENGTHS, PREDEFINED } from "./lengths.ts";
import { reserve, write, type State } from "./state.ts";

/** Reads the section at [at, end) and writes what the block gives. */
export function runSequences(state: State, at: number, end: number): void {
  const { input } = state;
  const first = at < end ? (input[at] as number) : 0;
  const width = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (at + width > end) throw cutOff(at);
  const next = input[at + 1] as number;
  const count =
    width === 1 ? first : width === 2 ? (first - 128) * 256 + next : next + (input[at + 2] as number) * 256 + 0x7f00;
  const from = at + width;
  if (count > 0) execute(state, readTables(state, from, end), end, count);
  else if (from < end) throw damaged(`${end - from} bytes after a block without sequences, at byte ${from}`);
  reserve(state, state.literalsLeft);
  write(state, state.literals, state.literalsAt, state.literalsLeft);
}

function cutOff(at: number): Error {
  return damaged(`a block whose sequences at byte ${at} are cut off`);
}

/** Sets the three tables as the block says; gives where the bits begin. */
function readTables(state: State, at: number, end: number): number {
  if (at >= end) throw cutOff(at);
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
    if (bits.left < 0) throw cutOff(at);
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

/** What is written may be what is copied next: then it repeats. */
function copyBack(state: State, offset: number, length: number): void {
  const { output, written } = state;
  const from = written - offset;
  if (offset >= length && length > 32) output.copyWithin(written, from, from + length);
  else for (let i = 0; i < length; i++) output[written + i] = output[from + i] as number;
  state.written = written + length;
}
