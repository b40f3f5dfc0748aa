/** Bits of a bzip2 stream, highest first. */
import { cutOff } from "../lzma/streams.ts";
import type { Output } from "../output.ts";

export interface Bits {
  readonly input: Uint8Array;
  /** Next byte to load. */
  position: number;
  /** The lowest `count` bits are loaded and not yet taken. */
  hold: number;
  count: number;
  /** For errors. */
  readonly output: Output;
}

/** Loads up to 24 to 31 bits, fewer at the end of the input. */
export function fill(bits: Bits): void {
  while (bits.count <= 23 && bits.position < bits.input.length) {
    bits.hold = (bits.hold << 8) | (bits.input[bits.position++] as number);
    bits.count += 8;
  }
}

/** At most 24 bits. Throws `decode-failed` where the stream is cut off. */
export function take(bits: Bits, count: number): number {
  if (bits.count < count) fill(bits);
  if (bits.count < count) throw cutOff(bits.output.codec, bits.input, bits.output.length);
  bits.count -= count;
  return (bits.hold >>> bits.count) & ((1 << count) - 1);
}

export function take32(bits: Bits): number {
  const high = take(bits, 16);
  return high * 65_536 + take(bits, 16);
}
