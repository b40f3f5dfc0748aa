/** What a decompression knows at a moment. One is enough, since nothing waits in between. */
import { NO_DICTIONARY, type ZstdDictionary } from "./dictionary.ts";
import { damaged, tooLarge } from "./fault.ts";
import { MAX_CODES, type HuffmanTable } from "./huffman.ts";
import type { FseTable } from "./fse.ts";
import { tableRoom } from "./lengths.ts";

export const MAX_BLOCK_BYTES = 128 * 1024;

export interface State {
  /** The data, and at least four more bytes of anything. */
  input: Uint8Array;
  /** Length of the data. */
  end: number;
  output: Uint8Array<ArrayBuffer>;
  written: number;
  /** Where the output of this frame begins: nothing refers to what is before, but to the dictionary. */
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

const NOTHING = new Uint8Array(0);

export function newState(): State {
  return {
    input: NOTHING,
    end: 0,
    output: NOTHING,
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
    literals: NOTHING,
    literalsAt: 0,
    literalsLeft: 0,
    room: { ...tableRoom(), huffman: new Uint16Array(MAX_CODES), literals: NOTHING },
  };
}

/** As at the start of each frame (RFC 8878 §3.1.1.3.2.1.1, §3.1.1.5, §5). */
export function beginFrame(state: State): void {
  const { tables, offsets } = state.dictionary;
  state.frameStart = state.written;
  state.huffman = tables.huffman;
  state.literalLengths = tables.literalLengths;
  state.offsets = tables.offsets;
  state.matchLengths = tables.matchLengths;
  [state.offset1, state.offset2, state.offset3] = offsets;
}

/** Room for the literals of a block that are not taken from the input as they are. */
export function literalRoom(state: State): Uint8Array {
  if (state.room.literals.length === 0) state.room.literals = new Uint8Array(MAX_BLOCK_BYTES);
  return state.room.literals;
}

/** Makes room for `more` bytes of output. Throws `decode-failed`, `decode-too-large`. */
export function reserve(state: State, more: number): void {
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
export function write(state: State, from: Uint8Array, at: number, count: number): void {
  const { output, written } = state;
  if (count > 32) output.set(from.subarray(at, at + count), written);
  else for (let i = 0; i < count; i++) output[written + i] = from[at + i] as number;
  state.written = written + count;
}
