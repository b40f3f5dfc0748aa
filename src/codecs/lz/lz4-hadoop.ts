/**
 * LZ4 as Parquet's old `LZ4` has it (parquet-format, Compression.md: deprecated). Hadoop wrote frames of a block each: its
 * decoded size, its stored size (both 32 bits, big-endian), the block. Others wrote a block alone under the same name;
 * which of the two it is, only decoding tells: as Arrow does, frames are tried first (`compression_lz4.cc`).
 */
import { RefscopeError } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";
import { decodeLz4Block } from "./lz4-block.ts";

const ID = "lz4";

/** Exactly `size` bytes. Throws `decode-failed`. */
export function decodeHadoopLz4(input: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(size);
  try {
    decodeFrames(input, target);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    decodeLz4Block(ID, input, target.fill(0));
  }
  return target;
}

function decodeFrames(input: Uint8Array, target: Uint8Array): void {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  let [at, to] = [0, 0];
  while (at + 8 <= input.length) {
    const [size, stored] = [view.getUint32(at), view.getUint32(at + 4)];
    at += 8;
    if (stored > input.length - at || size > target.length - to) throw notFramed(input.length);
    decodeLz4Block(ID, input.subarray(at, at + stored), target.subarray(to, to + size));
    at += stored;
    to += size;
  }
  if (at !== input.length || to !== target.length) throw notFramed(input.length);
}

const notFramed = (length: number): RefscopeError => decodeFailed(ID, "frames of LZ4 blocks", `${length} other bytes`);
