/** Ordered latents written as the numbers they stand for. */
import type { Latents } from "./latents.ts";
import type { NumberType, Width } from "./number-type.ts";

/** Numbers of the output by their bits; those of 64 are two. */
export type Written = Int8Array | Int16Array | Int32Array;

export function viewOf(width: Width, buffer: ArrayBuffer, length: number): Written {
  if (width === 8) return new Int8Array(buffer, 0, length);
  if (width === 16) return new Int16Array(buffer, 0, length);
  return new Int32Array(buffer, 0, width === 64 ? length * 2 : length);
}

/** `at`: numbers before. */
export function writeNumbers(type: NumberType, { lo, hi }: Latents, written: Written, at: number, count: number): void {
  const { kind, width } = type;
  if (width === 64) {
    writeWide(kind, lo, hi, written as Int32Array, at, count);
    return;
  }
  const sign = 1 << (width - 1);
  if (kind !== "float") {
    const flip = kind === "int" ? sign : 0;
    for (let i = 0; i < count; i++) written[at + i] = (lo[i] as number) ^ flip;
    return;
  }
  const up = 32 - width;
  // Positive floats have their sign turned, negative ones all bits.
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    written[at + i] = latent ^ (~((latent << up) >> 31) | sign);
  }
}

function writeWide(
  kind: NumberType["kind"],
  lo: Int32Array,
  hi: Int32Array,
  written: Int32Array,
  at: number,
  count: number,
) {
  let to = at * 2;
  if (kind !== "float") {
    const flip = kind === "int" ? 0x8000_0000 : 0;
    for (let i = 0; i < count; i++, to += 2) {
      written[to] = lo[i] as number;
      written[to + 1] = (hi[i] as number) ^ flip;
    }
    return;
  }
  for (let i = 0; i < count; i++, to += 2) {
    const high = hi[i] as number;
    const flip = ~(high >> 31);
    written[to] = (lo[i] as number) ^ flip;
    written[to + 1] = high ^ (flip | 0x8000_0000);
  }
}
