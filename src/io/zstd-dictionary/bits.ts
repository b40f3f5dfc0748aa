/**
 * Bits read from the end of a stream to its start (RFC 8878 §4.1, §4.2): the last byte holds a 1 that marks the end.
 * The buffer goes on for at least four bytes after the stream, so that bytes can be taken four at a time; what they
 * hold is masked away.
 */
import { damaged } from "./fault.ts";

export interface BackwardBits {
  readonly bytes: Uint8Array;
  /** First byte of the stream. */
  readonly from: number;
  /** Bits not yet read; negative after reading more than there are. A block has 2^17 bytes at most. */
  left: number;
}

/** Bits of the bytes in [from, end). Throws `decode-failed` where there are none, or no end mark. */
export function backwardBits(bytes: Uint8Array, from: number, end: number): BackwardBits {
  const last = end > from ? (bytes[end - 1] as number) : 0;
  if (last === 0) throw damaged(`no end mark in the bit stream of bytes ${from} to ${end}`);
  return { bytes, from, left: (end - from) * 8 - (Math.clz32(last) - 23) };
}

/** The next `count` bits, at most 24; 0 where there are not as many, and `left` is negative then. */
export function readBits(bits: BackwardBits, count: number): number {
  const left = bits.left - count;
  bits.left = left;
  if (left < 0) return 0;
  const { bytes } = bits;
  const at = bits.from + (left >>> 3);
  const word =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24);
  return (word >>> (left & 7)) & ((1 << count) - 1);
}

/** Reads like `readBits`, up to 40 bits. */
export function readManyBits(bits: BackwardBits, count: number): number {
  if (count <= 24) return readBits(bits, count);
  const high = readBits(bits, count - 16);
  return high * 65_536 + readBits(bits, 16);
}
