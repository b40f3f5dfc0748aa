/**
 * Undoing byte shuffle (HDF5, numcodecs, Blosc) and bit shuffle (Blosc). The fast path is WebAssembly
 * (`wasm/unshuffle.as.ts`).
 */
import { fastUnshuffleBits, fastUnshuffleBytes } from "./wasm/decode.ts";

/**
 * Byte shuffle: byte 0 of all elements, then byte 1 of all, … Bytes after the last whole element stay where they are.
 * `target` has the length of `input` and shares no memory with it.
 */
export function unshuffleBytes(input: Uint8Array, elementSize: number, target: Uint8Array): void {
  if (fastUnshuffleBytes(input, elementSize, target)) return;
  const count = Math.floor(input.length / elementSize);
  const aligned = target.byteOffset % elementSize === 0;
  if (elementSize === 2 && aligned) join2(input, count, new Uint16Array(target.buffer, target.byteOffset, count));
  else if (elementSize === 4 && aligned) join4(input, count, new Int32Array(target.buffer, target.byteOffset, count));
  else if (elementSize === 8 && aligned) {
    join8(input, count, new Int32Array(target.buffer, target.byteOffset, 2 * count));
  } else {
    for (let byte = 0; byte < elementSize; byte++) {
      const from = byte * count;
      for (let i = 0, to = byte; i < count; i++, to += elementSize) target[to] = input[from + i] as number;
    }
  }
  target.set(input.subarray(count * elementSize), count * elementSize);
}

// Every platform that runs JavaScript today is little-endian: the first byte is the lowest.
function join2(input: Uint8Array, count: number, target: Uint16Array): void {
  for (let i = 0; i < count; i++) target[i] = (input[i] as number) | ((input[count + i] as number) << 8);
}

function join4(input: Uint8Array, count: number, target: Int32Array): void {
  const second = count;
  const third = 2 * count;
  const fourth = 3 * count;
  for (let i = 0; i < count; i++) {
    target[i] =
      (input[i] as number) |
      ((input[second + i] as number) << 8) |
      ((input[third + i] as number) << 16) |
      ((input[fourth + i] as number) << 24);
  }
}

function join8(input: Uint8Array, count: number, target: Int32Array): void {
  for (let half = 0; half < 2; half++) {
    const first = half * 4 * count;
    for (let i = 0; i < count; i++) {
      const at = first + i;
      target[2 * i + half] =
        (input[at] as number) |
        ((input[at + count] as number) << 8) |
        ((input[at + 2 * count] as number) << 16) |
        ((input[at + 3 * count] as number) << 24);
    }
  }
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
    for (let group = 0; group < row; group++) {
      transposeBits(input, byte * count + group, row, target, group * 8 * elementSize + byte, elementSize);
    }
  }
  target.set(input.subarray(count * elementSize), count * elementSize);
}

/** An 8 by 8 matrix of bits turned over: byte r of the source (every `row` bytes) holds bit r of the 8 results. */
function transposeBits(
  input: Uint8Array,
  from: number,
  row: number,
  target: Uint8Array,
  to: number,
  step: number,
): void {
  let low = pack(input, from, row);
  let high = pack(input, from + 4 * row, row);
  let swap = (low ^ (low >>> 7)) & 0x00aa_00aa;
  low ^= swap ^ (swap << 7);
  swap = (high ^ (high >>> 7)) & 0x00aa_00aa;
  high ^= swap ^ (swap << 7);
  swap = (low ^ (low >>> 14)) & 0x0000_cccc;
  low ^= swap ^ (swap << 14);
  swap = (high ^ (high >>> 14)) & 0x0000_cccc;
  high ^= swap ^ (swap << 14);
  const first = (low & 0x0f0f_0f0f) | ((high & 0x0f0f_0f0f) << 4);
  const second = ((low >>> 4) & 0x0f0f_0f0f) | (high & ~0x0f0f_0f0f);
  for (let i = 0; i < 4; i++) {
    target[to + i * step] = first >>> (8 * i);
    target[to + (4 + i) * step] = second >>> (8 * i);
  }
}

function pack(input: Uint8Array, at: number, row: number): number {
  return (
    (input[at] as number) |
    ((input[at + row] as number) << 8) |
    ((input[at + 2 * row] as number) << 16) |
    ((input[at + 3 * row] as number) << 24)
  );
}
