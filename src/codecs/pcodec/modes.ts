/**
 * Latents made numbers: what each mode does to those of a batch, in place. They stay unsigned and ordered. Multiples of
 * floats, but for half ones, are written at once (float-mult.ts).
 */
import type { Mode } from "./chunk-metadata.ts";
import { joinFloatMult16 } from "./float-mult.ts";
import { invalid } from "./failure.ts";
import type { Latents } from "./latents.ts";
import type { Width } from "./number-type.ts";

export function join(mode: Mode, width: Width, primary: Latents, secondary: Latents, count: number): void {
  if (mode.kind === "classic") return;
  if (mode.kind === "dict") lookUp(mode, primary, count);
  else if (mode.kind === "int-mult") joinIntMult(mode.base, width, primary, secondary, count);
  else if (mode.kind === "float-quant") joinQuantized(mode.bits, width, primary, secondary, count);
  else joinFloatMult16(mode.base, primary.lo, secondary.lo, count);
}

function lookUp(dictionary: Mode & { readonly kind: "dict" }, { lo, hi }: Latents, count: number): void {
  const { length } = dictionary.lo;
  const isWide = dictionary.hi.length > 0;
  for (let i = 0; i < count; i++) {
    const at = (lo[i] as number) >>> 0;
    if (at >= length) throw invalid(`one of the ${length} numbers listed`, `number ${at}`, "the numbers of a chunk");
    lo[i] = dictionary.lo[at] as number;
    if (isWide) hi[i] = dictionary.hi[at] as number;
  }
}

function joinIntMult(
  { lo: base, hi: baseHi }: { readonly lo: number; readonly hi: number },
  width: Width,
  { lo, hi }: Latents,
  secondary: Latents,
  count: number,
): void {
  if (width < 64) {
    for (let i = 0; i < count; i++) lo[i] = Math.imul(lo[i] as number, base) + (secondary.lo[i] as number);
    return;
  }
  const baseLow = base & 0xffff;
  const baseMiddle = base >>> 16;
  for (let i = 0; i < count; i++) {
    const low = lo[i] as number;
    // 32 by 32 bits in halves of 16, of which no sum exceeds 2^53.
    const cross =
      (low & 0xffff) * baseMiddle + (low >>> 16) * baseLow + Math.floor(((low & 0xffff) * baseLow) / 65_536);
    const product = Math.imul(low, base);
    const upper = (low >>> 16) * baseMiddle + Math.floor(cross / 65_536);
    const more = secondary.lo[i] as number;
    const sum = (product + more) | 0;
    const carry = ((product & more) | ((product | more) & ~sum)) >>> 31;
    const across = Math.imul(low, baseHi) + Math.imul(hi[i] as number, base);
    lo[i] = sum;
    hi[i] = (upper | 0) + across + (secondary.hi[i] as number) + carry;
  }
}

/** The secondary latents are the lowest bits, counted from the other end where the number is negative. */
function joinQuantized(bits: number, width: Width, { lo, hi }: Latents, secondary: Latents, count: number): void {
  if (width === 64) {
    joinQuantizedWide(bits, lo, hi, secondary, count);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const cutoff = 2 ** (width - 1 - bits);
  const most = (1 << bits) - 1;
  for (let i = 0; i < count; i++) {
    const upper = (lo[i] as number) & mask;
    const lowest = secondary.lo[i] as number;
    lo[i] = (upper << bits) + (upper >>> 0 >= cutoff ? lowest : most - lowest);
  }
}

function joinQuantizedWide(bits: number, lo: Int32Array, hi: Int32Array, secondary: Latents, count: number): void {
  const cutoff = 2 ** (63 - bits);
  const mostLo = bits >= 32 ? -1 : (1 << bits) - 1;
  const mostHi = bits > 32 ? (1 << (bits - 32)) - 1 : 0;
  for (let i = 0; i < count; i++) {
    const low = lo[i] as number;
    const high = hi[i] as number;
    const isNegative = (high >>> 0) * 4_294_967_296 + (low >>> 0) < cutoff;
    const moreLo = secondary.lo[i] as number;
    const moreHi = secondary.hi[i] as number;
    const lowestLo = isNegative ? (mostLo - moreLo) | 0 : moreLo;
    const borrow = mostLo >>> 0 < moreLo >>> 0 ? 1 : 0;
    const lowestHi = isNegative ? mostHi - moreHi - borrow : moreHi;
    const upperLo = bits < 32 ? low << bits : 0;
    const upperHi = bits < 32 ? (high << bits) | ((low >>> 1) >>> (31 - bits)) : low << (bits - 32);
    const sum = (upperLo + lowestLo) | 0;
    const carry = ((upperLo & lowestLo) | ((upperLo | lowestLo) & ~sum)) >>> 31;
    lo[i] = sum;
    hi[i] = upperHi + lowestHi + carry;
  }
}
