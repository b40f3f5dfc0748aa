/**
 * Multiples of a base, which floating-point errors moved by some units in the last place: the primary latents are the
 * multiples (all floats without a fraction, in their order), the secondary ones how far each is off.
 *
 * Not-a-numbers keep their bits through a multiplication on the processors that pco runs on, but for the one that tells
 * quiet ones, which is then set. JavaScript promises nothing of them: their bits are made here.
 */
import { fromFloat16, toFloat16 } from "../../core/float16.ts";
import type { Latents } from "./latents.ts";
import type { Width } from "./number-type.ts";
import type { Written } from "./output-numbers.ts";

/** The output, of floats of 32 or 64 bits, and the same memory as bits. */
export interface FloatOutput {
  readonly floats: Float32Array | Float64Array;
  readonly bits: Int32Array;
}

export function floatOutput(width: Width, { buffer, length }: Written): FloatOutput {
  const floats = width === 64 ? new Float64Array(buffer, 0, length / 2) : new Float32Array(buffer, 0, length);
  return { floats, bits: new Int32Array(buffer, 0, length) };
}

/** A batch of both latent variables. */
interface Multiples {
  readonly base: number;
  readonly primary: Latents;
  readonly secondary: Latents;
  /** Whether no number is off. */
  readonly isExact: boolean;
}

/** The bits of a double from which on all doubles are whole (2^53), less 2^53: upper half. */
const WHOLE_64 = 0x4320_0000;

/** Writes the numbers `at` to `at + count` of the output. */
export function writeFloatMult64(all: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { base } = all;
  const { lo, hi } = all.primary;
  let isExact = all.isExact;
  for (let i = 0; i < count; i++) {
    const high = hi[i] as number;
    const flip = ~(high >> 31);
    const upper = (high ^ flip) & 0x7fff_ffff;
    const lower = (lo[i] as number) ^ flip;
    let whole = upper * 4_294_967_296 + (lower >>> 0);
    if (upper >= 0x20_0000) {
      bits[(at + i) * 2] = lower;
      bits[(at + i) * 2 + 1] = upper + WHOLE_64;
      whole = floats[at + i] as number;
      isExact = false;
    }
    floats[at + i] = (flip === 0 ? whole : -whole) * base;
  }
  if (!isExact) correct64(all, { floats, bits }, at, count);
}

function correct64({ primary, secondary }: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { lo, hi } = secondary;
  for (let i = 0; i < count; i++) {
    const to = (at + i) * 2;
    let low = bits[to] as number;
    let high = bits[to + 1] as number;
    if ((high & 0x7ff0_0000) === 0x7ff0_0000 && Number.isNaN(floats[at + i])) {
      const latent = primary.hi[i] as number;
      const flip = ~(latent >> 31);
      low = (primary.lo[i] as number) ^ flip;
      high = ((((latent ^ flip) & 0x7fff_ffff) + WHOLE_64) ^ (flip & 0x8000_0000)) | 0x8_0000;
    }
    // In the order of latents, and back.
    const sign = high >> 31;
    const ordered = low ^ sign;
    const more = lo[i] as number;
    const sum = (ordered + more) | 0;
    const carry = ((ordered & more) | ((ordered | more) & ~sum)) >>> 31;
    // The middle of the range was added to the secondary latent; it wraps.
    const sumHigh = ((high ^ (sign | 0x8000_0000)) + (hi[i] as number) + carry + 0x8000_0000) | 0;
    const below = ~(sumHigh >> 31);
    bits[to] = sum ^ below;
    bits[to + 1] = sumHigh ^ (below | 0x8000_0000);
  }
}

/** The bits of a single from which on all singles are whole (2^24), less 2^24. */
const WHOLE_32 = 0x4b80_0000 - 2 ** 24;

/** As `writeFloatMult64`. */
export function writeFloatMult32(all: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { base } = all;
  const { lo } = all.primary;
  let isExact = all.isExact;
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    const flip = ~(latent >> 31);
    let whole = (latent ^ flip) & 0x7fff_ffff;
    if (whole >= 0x100_0000) {
      bits[at + i] = whole + WHOLE_32;
      whole = floats[at + i] as number;
      isExact = false;
    }
    floats[at + i] = (flip === 0 ? whole : -whole) * base;
  }
  if (!isExact) correct32(all, { floats, bits }, at, count);
}

function correct32({ primary, secondary }: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  for (let i = 0; i < count; i++) {
    let product = bits[at + i] as number;
    if ((product & 0x7f80_0000) === 0x7f80_0000 && Number.isNaN(floats[at + i])) {
      const latent = primary.lo[i] as number;
      const flip = ~(latent >> 31);
      product = ((((latent ^ flip) & 0x7fff_ffff) + WHOLE_32) ^ (flip & 0x8000_0000)) | 0x40_0000;
    }
    const ordered = product ^ ((product >> 31) | 0x8000_0000);
    const sum = (ordered + (secondary.lo[i] as number) + 0x8000_0000) | 0;
    bits[at + i] = sum ^ (~(sum >> 31) | 0x8000_0000);
  }
}

/** The same of half floats. */
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
