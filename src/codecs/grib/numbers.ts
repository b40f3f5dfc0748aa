/** Numbers as GRIB writes them: big-endian, signs in the first bit (FM 92, regulation 92.1.5), and runs of bits. */

import { type Bits, bitsOf, moveTo, takeHigh } from "#core/bits.ts";

/** Throws RangeError outside the bytes, as DataView does: sections are checked for their length before. */
export const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A sign and a magnitude, `bits` wide; exact up to 53 bits. */
export function signed(value: number, bits: number): number {
  const half = 2 ** (bits - 1);
  return value < half ? value : half - value;
}

export const signed16 = (data: DataView, at: number): number => signed(data.getUint16(at), 16);

export const signed32 = (data: DataView, at: number): number => signed(data.getUint32(at), 32);

export const unsigned24 = (data: DataView, at: number): number => data.getUint16(at) * 256 + data.getUint8(at + 2);

/** Widest run of bits that a number holds exactly. */
export const MAX_BITS = 53;

/** From a byte on, the highest bit of each first. Whoever takes bits has seen to it that they are there. */
export function bitReader(bytes: Uint8Array, from: number): Bits {
  const bits = bitsOf(bytes, () => new RangeError("Bits were taken that are not there."));
  bits.byte = from;
  return bits;
}

export const bitsLeft = ({ end, byte, bit }: Bits): number => (end - byte) * 8 - bit;

/** The next `width` bits, 0 to 53, as a number. */
export function take(bits: Bits, width: number): number {
  if (width <= 32) return takeHigh(bits, width);
  return takeHigh(bits, width - 24) * 2 ** 24 + takeHigh(bits, 24);
}

/** How a stored number becomes a value: (reference + number × two) × ten, rounded after each step. */
export interface Steps {
  readonly reference: number;
  readonly two: number;
  readonly ten: number;
}

interface Run {
  readonly out: Float64Array;
  readonly at: number;
  readonly count: number;
}

/** `count` numbers of `width` bits, each with `add` added, into `out` from `at` on. */
export function takeInto(bits: Bits, width: number, run: Run & { readonly add: number }): void {
  takeScaled(bits, width, run, { reference: run.add, two: 1, ten: 1 });
}

/** Bits that any place has in one word, and numbers of as many whose places are counted in 32 bits. */
const WORD_BITS = 25;
const AT_ONCE = 2 ** 26;

/** The same, scaled on the way: a second pass over millions of values takes as long as the first. */
export function takeScaled(bits: Bits, width: number, { out, at, count }: Run, { reference, two, ten }: Steps): void {
  const stop = at + count;
  if (width === 0) out.fill(reference * ten, at, stop);
  if (width > WORD_BITS) {
    for (let i = at; i < stop; i++) out[i] = (take(bits, width) * two + reference) * ten;
  }
  if (width === 0 || width > WORD_BITS) return;
  const shift = 32 - width;
  for (let from = at; from < stop; from += AT_ONCE) {
    const { view, byte } = bits;
    let { bit } = bits;
    const to = Math.min(stop, from + AT_ONCE);
    for (let i = from; i < to; i++) {
      out[i] = (((view.getInt32(byte + (bit >>> 3)) << (bit & 7)) >>> shift) * two + reference) * ten;
      bit += width;
    }
    moveTo(bits, byte, bit);
  }
}

/** IBM System/360 single precision: a sign, an exponent of 16 less 64, a fraction of 24 bits. Exact. */
export function ibmFloat(bits: number): number {
  const fraction = bits & 0xffffff;
  const size = fraction * 16 ** (((bits >>> 24) & 127) - 70);
  return bits >>> 31 === 1 ? -size : size;
}
