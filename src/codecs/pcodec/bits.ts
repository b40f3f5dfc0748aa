/** Bits of a file, the lowest of each byte first. */
import { invalid } from "./failure.ts";

/** A place in the file; loops that read many numbers take it out, and put it back when they are through. */
export interface BitReader {
  readonly view: DataView;
  /** Bytes of the file; `view` has `SLACK` zeros after them. */
  readonly end: number;
  byte: number;
  /** In the byte, 0 to 7. */
  bit: number;
  /** States of tANS that tables may still be made of: a chunk of 20 bytes can ask for 16,384. */
  statesLeft: number;
}

/** A number of 64 bits: its halves as signed 32-bit integers. */
export interface Long {
  readonly lo: number;
  readonly hi: number;
}

/** What tables may have beside the states that numbers allow them (decode.ts). */
const STATES_PER_BYTE = 64;
const STATES_AT_LEAST = 2 ** 20;

/** A batch reads at most 256 symbols of 14 bits and 256 offsets of 64 before the end is looked at. */
const SLACK = (256 * (14 + 64)) / 8 + 32;

/** Copies the file, so that batches at its end need not look at each number whether there is one. */
export function newReader(input: Uint8Array): BitReader {
  const padded = new Uint8Array(input.length + SLACK);
  padded.set(input);
  const statesLeft = Math.max(STATES_AT_LEAST, input.length * STATES_PER_BYTE);
  return { view: new DataView(padded.buffer), end: input.length, byte: 0, bit: 0, statesLeft };
}

/** At most 32 bits, as a signed 32-bit integer. */
export function readBits(reader: BitReader, count: number): number {
  if (reader.byte >= reader.end && count > 0) throw ended(reader);
  const { view, byte, bit } = reader;
  const word = (view.getInt32(byte, true) >>> bit) | ((view.getInt32(byte + 4, true) << 1) << (31 - bit));
  moveTo(reader, byte, bit + count);
  return count === 32 ? word : word & ((1 << count) - 1);
}

export function readLong(reader: BitReader): Long {
  const lo = readBits(reader, 32);
  return { lo, hi: readBits(reader, 32) };
}

/** A number of the width; `hi` is 0 for widths of 32 bits and fewer. */
export function readLatent(reader: BitReader, width: number): Long {
  return width === 64 ? readLong(reader) : { lo: readBits(reader, width), hi: 0 };
}

/** `bit`: counted from the lowest of `byte`. */
export function moveTo(reader: BitReader, byte: number, bit: number): void {
  reader.byte = byte + (bit >>> 3);
  reader.bit = bit & 7;
  if (reader.byte > reader.end || (reader.byte === reader.end && reader.bit > 0)) throw ended(reader);
}

/** To the next whole byte; what is between must be zeros. */
export function align(reader: BitReader, section: string): void {
  if (reader.bit === 0) return;
  const rest = reader.view.getUint8(reader.byte) >>> reader.bit;
  if (rest !== 0) throw invalid("zeros up to the next byte", "other bits", section);
  moveTo(reader, reader.byte, 8);
}

/** Whether so many bytes may still come: asked before memory is taken for them. */
export function needBytes(reader: BitReader, bytes: number): void {
  if (reader.byte + bytes > reader.end) throw ended(reader);
}

function ended({ end }: BitReader) {
  return invalid("more data", `the end, after ${end} bytes`);
}
