/** Differences along a dimension, as TIFF's predictor 2 has them (TIFF 6.0 §14), summed up as unsigned integers that wrap. */
import type { Bytes } from "#core/byte-source.ts";
import { swapBytes } from "#core/values/byte-order.ts";

export interface Summed {
  /** Bytes of an element: 1, 2, 4 or 8. */
  readonly size: number;
  readonly big: boolean;
  /** Elements along the dimension. */
  readonly length: number;
  /** Elements from one to the next along it. */
  readonly inner: number;
}

/** The bytes must be whole elements. Floats are summed as integers of their bits. */
export function summedUp(input: Bytes, { size, big, length, inner }: Summed): Bytes {
  const bytes = big ? swapBytes(input, size) : new Uint8Array(input);
  // Bigints behave alike: an array has numbers or bigints throughout.
  sum(viewOf(bytes, size) as Uint32Array, length, inner);
  return big ? swapBytes(bytes, size) : bytes;
}

/** Integers wrap when they are written. */
function viewOf(bytes: Bytes, size: number) {
  if (size === 8) return new BigUint64Array(bytes.buffer);
  if (size === 4) return new Uint32Array(bytes.buffer);
  return size === 2 ? new Uint16Array(bytes.buffer) : bytes;
}

/** Rows of `length` times `inner` elements. */
function sum(elements: Uint32Array, length: number, inner: number): void {
  const row = length * inner;
  for (let start = 0; start < elements.length; start += row) {
    for (let i = start + inner; i < start + row; i++) {
      elements[i] = (elements[i] as number) + (elements[i - inner] as number);
    }
  }
}
