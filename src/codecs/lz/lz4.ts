/** LZ4 as numcodecs frames it: the decoded size as a 32-bit little-endian integer, then one LZ4 block. */
import { decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";
import { decodeLz4Block, lengthFrom } from "./lz4-block.ts";
import { word } from "../stream-start.ts";
import { fastLz4 } from "../wasm/decode.ts";

export const lz4: Decoder = {
  streamEnd: lz4End,
  prepare: () => ({ label: "LZ4", decode: unlz4 }),
};

function unlz4(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  if (input.length < 5) {
    throw decodeFailed("lz4", "a size of 4 bytes and at least 1 byte of LZ4 data", `${input.length} bytes`);
  }
  const size = new DataView(input.buffer, input.byteOffset, 4).getInt32(0, true);
  if (size <= 0) throw decodeFailed("lz4", "a decoded size above 0 in the first 4 bytes", String(size));
  if (size > limit) throw decodeTooLarge("lz4", limit, `${size} bytes, as the first 4 bytes say`);
  // A byte of LZ4 gives 255 bytes at most: no memory is taken for a size that cannot be reached.
  if (size > input.length * 255) throw decodeFailed("lz4", `${size} bytes`, `${input.length} stored bytes, too few`);
  const block = input.subarray(4);
  const decoded = fastLz4(block, size);
  if (decoded !== undefined) return decoded;
  const target = new Uint8Array(size);
  decodeLz4Block("lz4", block, target);
  return target;
}

/** numcodecs' framing: the decoded size, then a block, which ends with the literals that fill it. */
function lz4End(bytes: Uint8Array, limit: number): number | undefined {
  if (bytes.length < 5) return undefined;
  const size = word(bytes, 0);
  if (size === 0 || size > limit) return undefined;
  let [at, decoded] = [4, 0];
  while (at < bytes.length) {
    const token = bytes[at++] as number;
    let literals = token >> 4;
    if (literals === 15) [literals, at] = lengthFrom(bytes, at, literals);
    at += literals;
    decoded += literals;
    if (decoded >= size) return decoded === size ? at : undefined;
    let match = (token & 15) + 4;
    at += 2;
    if (match === 19) [match, at] = lengthFrom(bytes, at, match);
    decoded += match;
  }
  return undefined;
}
