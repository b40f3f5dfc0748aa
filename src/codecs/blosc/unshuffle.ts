/**
 * Undoing byte shuffle (HDF5, numcodecs, Blosc) and bit shuffle (Blosc). The fast path is WebAssembly
 * (`wasm/unshuffle.as.ts`); what stands here is its reference, and does for few bytes.
 */
import { fastUnshuffleBits, fastUnshuffleBytes } from "../wasm/decode.ts";

/**
 * Byte shuffle: byte 0 of all elements, then byte 1 of all, … Bytes after the last whole element stay where they are.
 * `target` has the length of `input` and shares no memory with it.
 */
export function unshuffleBytes(input: Uint8Array, elementSize: number, target: Uint8Array): void {
  if (fastUnshuffleBytes(input, elementSize, target)) return;
  const count = Math.floor(input.length / elementSize);
  for (let byte = 0; byte < elementSize; byte++) {
    const from = byte * count;
    for (let i = 0, to = byte; i < count; i++, to += elementSize) target[to] = input[from + i] as number;
  }
  target.set(input.subarray(count * elementSize), count * elementSize);
}

/**
 * Bit shuffle: bit 0 of byte 0 of all elements, then bit 1, …, lowest bits first. Only where the number of elements is a
 * multiple of 8 (c-blosc leaves other blocks as they are); bytes after the last whole element stay.
 */
export function unshuffleBits(input: Uint8Array, elementSize: number, target: Uint8Array): void {
  if (fastUnshuffleBits(input, elementSize, target)) return;
  const count = Math.floor(input.length / elementSize);
  if (count % 8 !== 0) {
    target.set(input);
    return;
  }
  const row = count / 8;
  for (let byte = 0; byte < elementSize; byte++) {
    for (let i = 0; i < count; i++) {
      const from = 8 * byte * row + (i >> 3);
      let joined = 0;
      for (let bit = 0; bit < 8; bit++) joined |= (((input[from + bit * row] as number) >> (i & 7)) & 1) << bit;
      target[i * elementSize + byte] = joined;
    }
  }
  target.set(input.subarray(count * elementSize), count * elementSize);
}
