/** The fast path of single steps: each gives `undefined` (or false) where the plain decoder has to do it. */
import type { Bytes } from "#core/byte-source.ts";
import { CRC32, CRC32C, decodeMemory, INFLATE_WORK, MAX_ADDRESS, type FoldedCrc, type OwnMemory } from "./memory.ts";

export type SumName = "adler32" | "crc32";

export interface FastInflated {
  /** Position after the stream, in the input. */
  readonly end: number;
  /** A view: good until the next decoding. */
  readonly bytes: Bytes;
  /** 0 where none was requested. */
  readonly sum: number;
}

interface Held {
  readonly placed: number;
  readonly inAt: number;
  readonly piecesAt: number;
  readonly outAt: number;
  readonly room: number;
}

interface InflatedAt extends Held {
  readonly length: number;
}

export interface FastInflater {
  /** `limit`: most bytes that come out. */
  inflate(from: number, limit: number, sum: SumName | undefined): FastInflated | undefined;
}

/** Output that there is room for before it is known how much comes. */
const FIRST_OUTPUT = 65_536;

/** For one or several streams inside `input`, which is copied once. */
export function fastInflater(input: Uint8Array): FastInflater | undefined {
  const memory = decodeMemory();
  if (memory === undefined) return undefined;
  let held: Held | undefined;
  const hold = (limit: number) => {
    if (held?.placed === memory.placed) return held;
    const room = Math.min(limit, Math.max(FIRST_OUTPUT, input.length * 2));
    // Output comes last: its end moves on as it grows.
    const [inAt, piecesAt, outAt] = memory.place([input.length, PIECE_ROOM, room]) ?? [];
    if (inAt === undefined || piecesAt === undefined || outAt === undefined) return undefined;
    memory.view(inAt, input.length).set(input);
    held = { placed: memory.placed, inAt, piecesAt, outAt, room };
    return held;
  };
  return {
    inflate(from, limit, sum) {
      const at = hold(limit);
      if (at === undefined || from > input.length) return undefined;
      const { inAt, outAt } = at;
      const room = outAt + Math.min(at.room, limit);
      const most = Math.min(outAt + limit, MAX_ADDRESS);
      const isDone = memory.run.inflate(INFLATE_WORK, inAt + from, inAt + input.length, outAt, room, most) === 1;
      if (!isDone) return undefined;
      const length = (memory.run.inflateOut() >>> 0) - outAt;
      const end = (memory.run.inflateEnd() >>> 0) - inAt;
      const result = { end, bytes: memory.view(outAt, length), sum: sumOf(memory, sum, { ...at, length }) };
      memory.done();
      return result;
    },
  };
}

function sumOf(memory: OwnMemory, sum: SumName | undefined, at: InflatedAt): number {
  if (sum === undefined) return 0;
  if (sum === "adler32") return memory.run.adler32(at.outAt, at.length) >>> 0;
  return crcOf(memory, CRC32, memory.view(at.outAt, at.length), at.piecesAt);
}

/** Below this a plain loop is over before bytes are copied. */
const LEAST_SUMMED = 4096;
/** Bytes that are worked on at once, so that they stay in the processor's cache. */
const PIECE = 32_768;
/** For a piece and what the ones before it left. */
const PIECE_ROOM = 2 * PIECE;

/** `before`: the CRC of the bytes before these. */
export function fastSum(name: "crc32" | "crc32c" | "adler32", bytes: Uint8Array, before = 0): number | undefined {
  const memory = bytes.length < LEAST_SUMMED ? undefined : decodeMemory();
  const [at] = memory?.place([name === "adler32" ? bytes.length : PIECE_ROOM]) ?? [];
  if (memory === undefined || at === undefined) return undefined;
  if (name !== "adler32") return crcOf(memory, name === "crc32" ? CRC32 : CRC32C, bytes, at, before);
  memory.view(at, bytes.length).set(bytes);
  const sum = memory.run.adler32(at, bytes.length);
  memory.done();
  return sum >>> 0;
}

/** Piece by piece: each is put after what is left of those before it, and folded into its own end. */
function crcOf({ run, view }: OwnMemory, { table, folds }: FoldedCrc, bytes: Uint8Array, at: number, before = 0) {
  const room = view(at, PIECE_ROOM);
  if (bytes.length < LEAST_SUMMED) {
    room.set(bytes);
    return run.crc(table, at, bytes.length, ~before) >>> 0;
  }
  let held = 0;
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece = bytes.subarray(from, from + PIECE);
    room.set(piece, held);
    // The initial value of a CRC is added to the first four bytes.
    if (from === 0) for (let i = 0; i < 4; i++) room[i] = (room[i] ?? 0) ^ (~before >>> (8 * i));
    held = run.crcFold(at, held + piece.length, ...folds);
  }
  return run.crc(table, at, held, 0) >>> 0;
}

/** One LZ4 block into exactly `size` bytes. */
export function fastLz4(input: Uint8Array, size: number): Bytes | undefined {
  const memory = decodeMemory();
  const [from, to] = memory?.place([input.length, size]) ?? [];
  if (memory === undefined || from === undefined || to === undefined) return undefined;
  memory.view(from, input.length).set(input);
  const isDone = memory.run.lz4(from, from + input.length, to, to + size) === 1;
  const result = isDone ? memory.view(to, size).slice() : undefined;
  memory.done();
  return result;
}

/** Larger elements are records of some kind: their bytes are gathered as fast one by one. */
const WIDEST_SHUFFLED = 256;

/** Does the same as `unshuffleBytes` of ../unshuffle.ts, a part of the elements at a time. */
export function fastUnshuffleBytes(input: Uint8Array, elementSize: number, target: Uint8Array): boolean {
  const count = Math.floor(input.length / elementSize);
  const part = Math.floor(PIECE / elementSize) & ~15;
  const memory = input.length < LEAST_SUMMED || elementSize > WIDEST_SHUFFLED ? undefined : decodeMemory();
  const [from, to] = memory?.place([PIECE, PIECE]) ?? [];
  if (memory === undefined || from === undefined || to === undefined) return false;
  const planes = memory.view(from, PIECE);
  const elements = memory.view(to, PIECE);
  for (let at = 0; at < count; at += part) {
    const now = Math.min(part, count - at);
    for (let byte = 0; byte < elementSize; byte++) {
      const start = byte * count + at;
      planes.set(input.subarray(start, start + now), byte * now);
    }
    const length = now * elementSize;
    memory.run.unshuffleBytes(from, length, elementSize, to);
    target.set(length === PIECE ? elements : elements.subarray(0, length), at * elementSize);
  }
  target.set(input.subarray(count * elementSize), count * elementSize);
  return true;
}

/** Does the same as `unshuffleBits` of ../unshuffle.ts. */
export function fastUnshuffleBits(input: Uint8Array, elementSize: number, target: Uint8Array): boolean {
  const { length } = input;
  const memory = length < LEAST_SUMMED ? undefined : decodeMemory();
  const [from, between, to] = memory?.place([length, length, length]) ?? [];
  if (memory === undefined || from === undefined || to === undefined || between === undefined) return false;
  memory.view(from, length).set(input);
  memory.run.unshuffleBits(from, length, elementSize, between, to);
  target.set(memory.view(to, length));
  memory.done();
  return true;
}
