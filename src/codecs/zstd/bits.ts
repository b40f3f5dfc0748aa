/** The bit streams of zstd, which are read from their end (RFC 8878 §4.1.1, "bitstream"). */
import { corrupt } from "./corrupt.ts";

export interface BackwardBits {
  readonly input: Uint8Array;
  /** First bit of the stream, counted from the start of `input`. */
  readonly start: number;
  /** Bits from here on have been read. Below `start`: more was read than there is, the rest as zeros. */
  bit: number;
}

/** The stream in bytes [from, to): it begins below the highest set bit of the last byte. */
export function backwardBits(codec: string, input: Uint8Array, from: number, to: number): BackwardBits {
  const last = to > from && to <= input.length ? (input[to - 1] as number) : 0;
  if (last === 0) throw corrupt(codec, "bit streams that end in a set bit", "a stream that is empty or ends in zeros");
  return { input, start: from * 8, bit: (to - 1) * 8 + 31 - Math.clz32(last) };
}

/** Reads up to 25 bits. */
export function takeBits(bits: BackwardBits, count: number): number {
  const bit = bits.bit - count;
  bits.bit = bit;
  if (bit < bits.start) return takePastStart(bits, count);
  const { input } = bits;
  const at = bit >> 3;
  const word =
    (input[at] as number) |
    ((input[at + 1] as number) << 8) |
    ((input[at + 2] as number) << 16) |
    ((input[at + 3] as number) << 24);
  return (word >>> (bit & 7)) & ((1 << count) - 1);
}

/** The `count` bits (at most 32) before `bit`, whatever stream they belong to. */
export function bitsBelow(input: Uint8Array, bit: number, count: number): number {
  const from = bit - count;
  const at = from >> 3;
  const word =
    ((input[at] as number) |
      ((input[at + 1] as number) << 8) |
      ((input[at + 2] as number) << 16) |
      ((input[at + 3] as number) << 24)) >>>
    (from & 7);
  if (count <= 25) return word & ((1 << count) - 1);
  return bitsBelow(input, bit, count - 16) * 65_536 + bitsBelow(input, from + 16, 16);
}

function takePastStart(bits: BackwardBits, count: number): number {
  let value = 0;
  for (let i = bits.bit + count - 1; i >= bits.bit; i--) {
    const set = i >= bits.start ? ((bits.input[i >> 3] as number) >> (i & 7)) & 1 : 0;
    value = (value << 1) | set;
  }
  return value;
}
