/** Bits of a file, the lowest of each byte first. */
import { type Bits, bitsOf, moveTo, takeLow } from "#core/bits.ts";
import { invalid } from "./format.ts";

export interface BitReader extends Bits {
  /** States of tANS that tables may still be made of: a chunk of 20 bytes can ask for 16,384. */
  statesLeft: number;
}

/** A number of 64 bits: its halves as signed 32-bit integers. */
export interface Long {
  readonly lo: number;
  readonly hi: number;
}

/** States that tables may have beyond those that the numbers allow them (decode.ts). */
const STATES_PER_BYTE = 64;
const STATES_AT_LEAST = 2 ** 20;

/** A batch reads at most 256 symbols of 14 bits and 256 offsets of 64 before the end is looked at. */
const SLACK = (256 * (14 + 64)) / 8 + 32;

export function newReader(input: Uint8Array): BitReader {
  const statesLeft = Math.max(STATES_AT_LEAST, input.length * STATES_PER_BYTE);
  return Object.assign(bitsOf(input, ended, SLACK), { statesLeft });
}

export function readLong(reader: BitReader): Long {
  const lo = takeLow(reader, 32);
  return { lo, hi: takeLow(reader, 32) };
}

/** A number of the width; `hi` is 0 for widths of 32 bits and fewer. */
export function readLatent(reader: BitReader, width: number): Long {
  return width === 64 ? readLong(reader) : { lo: takeLow(reader, width), hi: 0 };
}

/** To the next whole byte; what is between must be zeros. */
export function align(reader: BitReader, section: string): void {
  if (reader.bit === 0) return;
  const rest = reader.view.getUint8(reader.byte) >>> reader.bit;
  if (rest !== 0) throw invalid("zeros up to the next byte", "other bits", section);
  moveTo(reader, reader.byte, 8);
}

/** Throws unless this many bytes can still follow; call it before allocating memory for them. */
export function needBytes(reader: BitReader, bytes: number): void {
  if (reader.byte + bytes > reader.end) throw ended(reader);
}

const ended = ({ end }: Bits) => invalid("more data", `the end, after ${end} bytes`);
