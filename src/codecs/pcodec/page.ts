/** The numbers of a chunk: in a standalone file each chunk is one page. */
import { align, needBytes, readBits, type BitReader } from "./bits.ts";
import type { ChunkMetadata, LatentVariable } from "./chunk-metadata.ts";
import { invalid } from "./failure.ts";
import { floatOutput, writeFloatMult32, writeFloatMult64 } from "./float-mult.ts";
import { BATCH, newLatents, type Latents } from "./latents.ts";
import { join } from "./modes.ts";
import type { NumberType } from "./number-type.ts";
import { turnOf, writeNumbers, type Written } from "./output-numbers.ts";
import { readLatents, readNumbers, WORD_BITS } from "./symbols.ts";
import { newDeltaState, undoDelta, type DeltaState } from "./undo-delta.ts";

/** Room for a batch, taken once a file. */
export interface BatchRoom {
  readonly lookbacks: Latents;
  readonly primary: Latents;
  readonly secondary: Latents;
  readonly symbols: Uint16Array<ArrayBuffer>;
}

export function newBatchRoom(): BatchRoom {
  return {
    lookbacks: newLatents(),
    primary: newLatents(),
    secondary: newLatents(),
    symbols: new Uint16Array(BATCH),
  };
}

/** A latent variable while its page is read. */
interface Reading {
  readonly variable: LatentVariable;
  readonly latents: Latents;
  /** Of the four coders. */
  readonly states: Int32Array;
  readonly delta: DeltaState;
}

const SECTION = "the numbers of a chunk";

/** Numbers `at` to `at + count` of the output. */
export function readPage(
  reader: BitReader,
  chunk: ChunkMetadata,
  type: NumberType,
  room: BatchRoom,
  written: Written,
  at: number,
  count: number,
): void {
  const begin = (variable: LatentVariable, latents: Latents) => beginVariable(reader, variable, latents, count);
  const lookbacks = chunk.lookbacks && begin(chunk.lookbacks, room.lookbacks);
  const primary = begin(chunk.primary, room.primary);
  const secondary = chunk.secondary && begin(chunk.secondary, room.secondary);
  align(reader, SECTION);
  const { state } = chunk.primary.delta;
  for (const one of [lookbacks, primary, secondary]) {
    if (one?.variable.table.bins === 0 && count > state) throw invalid("bins to take numbers from", "none", SECTION);
  }
  if (isDirect(chunk)) {
    const turn = turnOf(type);
    const { table } = chunk.primary;
    for (let done = 0; done < count; done += BATCH) {
      const size = Math.min(BATCH, count - done);
      readNumbers(reader, table, primary.states, room.symbols, turn, written, at + done, size);
    }
    align(reader, SECTION);
    return;
  }
  const write = writer(chunk, type, room, written);
  for (let done = 0; done < count; done += BATCH) {
    const left = count - done;
    const size = Math.min(BATCH, left);
    if (lookbacks !== undefined) {
      const stored = Math.max(0, Math.min(size, left - state));
      readLatents(reader, lookbacks.variable.table, lookbacks.states, room.symbols, lookbacks.latents, stored);
    }
    readVariable(reader, primary, room, left);
    if (secondary !== undefined) readVariable(reader, secondary, room, left);
    write(at + done, size);
  }
  align(reader, SECTION);
}

/** Makes numbers of the latents of a batch, and writes them from `at` on. */
type Write = (at: number, count: number) => void;

function writer({ mode, secondary }: ChunkMetadata, type: NumberType, room: BatchRoom, written: Written): Write {
  const { width } = type;
  if (mode.kind === "float-mult" && width >= 32) {
    const output = floatOutput(width, written);
    const all = { ...room, base: mode.base, isExact: secondary !== undefined && isCentred(secondary) };
    return width === 64
      ? (at, count) => writeFloatMult64(all, output, at, count)
      : (at, count) => writeFloatMult32(all, output, at, count);
  }
  return (at, count) => {
    join(mode, width, room.primary, room.secondary, count);
    writeNumbers(type, room.primary, written, at, count);
  };
}

/** Whether all latents are the middle of their range, which stands for 0. */
function isCentred({ table, delta }: LatentVariable): boolean {
  const { width, bins, maxOffsetBits, lowerLo, lowerHi } = table;
  if (bins !== 1 || maxOffsetBits > 0 || delta.kind !== "none") return false;
  const middle = 0x8000_0000 | 0;
  return width === 64 ? lowerLo[0] === 0 && lowerHi[0] === middle : lowerLo[0] === middle;
}

/** Whether what is stored are the numbers themselves, and short ones. */
function isDirect({ mode, primary: { table, delta } }: ChunkMetadata): boolean {
  return mode.kind === "classic" && delta.kind === "none" && table.width < 64 && table.maxOffsetBits <= WORD_BITS;
}

function beginVariable(reader: BitReader, variable: LatentVariable, latents: Latents, count: number): Reading {
  const { table, delta } = variable;
  const { width, sizeLog } = table;
  needBytes(reader, Math.floor((delta.state * width) / 8));
  const lo = new Int32Array(delta.state);
  const hi = new Int32Array(width === 64 ? delta.state : 0);
  for (let i = 0; i < delta.state; i++) {
    lo[i] = readBits(reader, Math.min(width, 32));
    if (width === 64) hi[i] = readBits(reader, 32);
  }
  const states = new Int32Array(4);
  for (let i = 0; i < 4; i++) states[i] = readBits(reader, sizeLog);
  return { variable, latents, states, delta: newDeltaState(delta, lo, hi, width, count) };
}

/** `left`: numbers of the page that are not read yet. */
function readVariable(reader: BitReader, { variable, latents, states, delta }: Reading, room: BatchRoom, left: number) {
  const { width } = variable.table;
  const stored = Math.max(0, Math.min(BATCH, left - variable.delta.state));
  readLatents(reader, variable.table, states, room.symbols, latents, stored);
  undoDelta(delta, latents, room.lookbacks.lo, width, stored, Math.min(BATCH, left));
}
