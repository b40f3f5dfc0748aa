/** Ordered latents written as the numbers they represent. */
import type { Latents, NumberType, Width } from "./format.ts";

/** Numbers of the output by their bits; those of 64 are two. */
export type Written = Int8Array | Int16Array | Int32Array;

export function viewOf(width: Width, buffer: ArrayBuffer, length: number): Written {
  if (width === 8) return new Int8Array(buffer, 0, length);
  if (width === 16) return new Int16Array(buffer, 0, length);
  return new Int32Array(buffer, 0, width === 64 ? length * 2 : length);
}

/**
 * Which bits of the (upper half of a) latent are turned: `always`, and where the sign bit is not set `negative` as well.
 * Unsigned integers are as they are, signed ones have the highest bit turned, negative floats all bits.
 */
export interface Turn {
  readonly always: number;
  readonly negative: number;
  /** Bits above the sign. */
  readonly above: number;
}

export function turnOf({ kind, width }: NumberType): Turn {
  const above = width === 64 ? 0 : 32 - width;
  const sign = 0x8000_0000 >>> above;
  return { always: kind === "uint" ? 0 : sign | 0, negative: kind === "float" ? -1 : 0, above };
}

/** `at`: numbers before. */
export function writeNumbers(type: NumberType, { lo, hi }: Latents, written: Written, at: number, count: number): void {
  const { always, negative, above } = turnOf(type);
  if (type.width < 64) {
    for (let i = 0; i < count; i++) {
      const latent = lo[i] as number;
      written[at + i] = latent ^ ((~((latent << above) >> 31) & negative) | always);
    }
    return;
  }
  let to = at * 2;
  for (let i = 0; i < count; i++) {
    const high = hi[i] as number;
    const below = ~(high >> 31) & negative;
    written[to] = (lo[i] as number) ^ below;
    written[to + 1] = high ^ (below | always);
    to += 2;
  }
}
