/**
 * Multiples of a base, which floating-point errors moved by some units in the last place: the primary latents are the
 * multiples (all floats without a fraction, in their order), the secondary ones how far each is off.
 *
 * Not-a-numbers keep their bits through a multiplication on the processors that pco runs on, but for the one that tells
 * quiet ones, which is then set. JavaScript promises nothing of them: their bits are made here.
 */
import { fromFloat16, toFloat16 } from "../../core/float16.ts";
import { BATCH, type Latents } from "./latents.ts";

/** Where products are looked at as bits. */
export interface FloatRoom {
  readonly singles: Float32Array;
  readonly singleBits: Int32Array;
  readonly doubles: Float64Array;
  readonly doubleBits: Int32Array;
}

export function newFloatRoom(): FloatRoom {
  const singles = new Float32Array(BATCH);
  const doubles = new Float64Array(BATCH);
  return {
    singles,
    singleBits: new Int32Array(singles.buffer),
    doubles,
    doubleBits: new Int32Array(doubles.buffer),
  };
}

/** The bits of a double from which on all doubles are whole (2^53), less 2^53: upper half. */
const WHOLE_64 = 0x4320_0000;

export function joinFloatMult64(base: number, { lo, hi }: Latents, off: Latents, room: FloatRoom, count: number): void {
  const { doubles, doubleBits } = room;
  for (let i = 0; i < count; i++) {
    const high = hi[i] as number;
    const flip = ~(high >> 31);
    const upper = (high ^ flip) & 0x7fff_ffff;
    const lower = (lo[i] as number) ^ flip;
    if (upper < 0x20_0000) doubles[i] = upper * 4_294_967_296 + (lower >>> 0);
    else {
      doubleBits[i * 2] = lower;
      doubleBits[i * 2 + 1] = upper + WHOLE_64;
    }
    doubles[i] = (doubles[i] as number) * (flip === 0 ? base : -base);
  }
  for (let i = 0; i < count; i++) {
    let low = doubleBits[i * 2] as number;
    let high = doubleBits[i * 2 + 1] as number;
    if ((high & 0x7ff0_0000) === 0x7ff0_0000 && Number.isNaN(doubles[i])) {
      const flip = ~((hi[i] as number) >> 31);
      low = (lo[i] as number) ^ flip;
      high = ((((hi[i] as number) ^ flip) & 0x7fff_ffff) + WHOLE_64) ^ (flip & 0x8000_0000);
      high |= 0x8_0000;
    }
    const sign = high >> 31;
    const ordered = low ^ sign;
    const more = off.lo[i] as number;
    const sum = (ordered + more) | 0;
    const carry = ((ordered & more) | ((ordered | more) & ~sum)) >>> 31;
    lo[i] = sum;
    // The middle of the range was added to the secondary latent; it wraps.
    hi[i] = (high ^ (sign | 0x8000_0000)) + (off.hi[i] as number) + carry + 0x8000_0000;
  }
}

const WHOLE_32 = 0x4b80_0000 - 2 ** 24;

export function joinFloatMult32(base: number, lo: Int32Array, off: Int32Array, room: FloatRoom, count: number): void {
  const { singles, singleBits } = room;
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    const flip = ~(latent >> 31);
    const whole = (latent ^ flip) & 0x7fff_ffff;
    if (whole < 0x100_0000) singles[i] = whole;
    else singleBits[i] = whole + WHOLE_32;
    singles[i] = (singles[i] as number) * (flip === 0 ? base : -base);
  }
  for (let i = 0; i < count; i++) {
    let bits = singleBits[i] as number;
    if ((bits & 0x7f80_0000) === 0x7f80_0000 && Number.isNaN(singles[i])) {
      const flip = ~((lo[i] as number) >> 31);
      bits = ((((lo[i] as number) ^ flip) & 0x7fff_ffff) + WHOLE_32) ^ (flip & 0x8000_0000);
      bits |= 0x40_0000;
    }
    lo[i] = (bits ^ ((bits >> 31) | 0x8000_0000)) + (off[i] as number) + 0x8000_0000;
  }
}

const WHOLE_16 = 0x6800 - 2 ** 11;

export function joinFloatMult16(base: number, lo: Int32Array, off: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    const isNegative = (latent & 0x8000) === 0;
    const whole = (isNegative ? ~latent : latent) & 0x7fff;
    const wholeBits = whole + WHOLE_16;
    const size = whole < 0x800 ? whole : fromFloat16(wholeBits & 0xffff);
    const sign = isNegative ? 0x8000 : 0;
    const bits = Number.isNaN(size) ? (wholeBits ^ sign) | 0x200 : toFloat16(size * (isNegative ? -base : base));
    lo[i] = ((bits & 0x8000) === 0 ? bits ^ 0x8000 : ~bits) + (off[i] as number) + 0x8000;
  }
}
