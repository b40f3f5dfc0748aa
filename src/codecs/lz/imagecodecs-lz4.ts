/**
 * LZ4 as imagecodecs reads it: a block alone (`imagecodecs_lz4`), and the framing of HDF5's filter 32004
 * (`imagecodecs_lz4h5`; the HDF Group's "HDF5 Dynamically Loaded Filters", LZ4).
 */
import { type Bytes, decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";
import { decodeLz4Block, lengthFrom, corrupt } from "./lz4-block.ts";

export const imagecodecsLz4: Decoder = {
  prepare: (configuration) => {
    const hasHeader = configuration.get("header") === true;
    const decode = (input: Bytes, limit: number) => decodeBlock(input, limit, hasHeader);
    return { label: hasHeader ? "LZ4, decoded size before the block" : "LZ4, one block", decode };
  },
};

export const imagecodecsLz4h5: Decoder = {
  prepare: () => ({
    label: "LZ4, framed as in HDF5",
    decode: (input, limit) =>
      decodeFrames(input, { codec: "imagecodecs_lz4h5", limit, reach: 255, unit: 1, usual: 0, decode: decodeWhole }),
  }),
};

function decodeBlock(input: Bytes, limit: number, hasHeader: boolean): Bytes {
  const codec = "imagecodecs_lz4";
  if (!hasHeader) return decodeUpTo(codec, input, Math.max(24, 24 + 255 * (input.length - 10)), limit);
  if (input.length < 4) throw decodeFailed(codec, "a decoded size of 4 bytes", `${input.length} bytes`);
  const size = viewOf(input).getInt32(0, true);
  if (size < 0) throw decodeFailed(codec, "a decoded size of at least 0 in the first 4 bytes", String(size));
  return decodeUpTo(codec, input.subarray(4), size, limit);
}

/** The block may decode to fewer bytes than `capacity`. */
function decodeUpTo(codec: string, block: Bytes, capacity: number, limit: number): Bytes {
  const size = lz4BlockLength(codec, block, capacity);
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes of LZ4 data`);
  const target = new Uint8Array(size);
  if (size > 0) decodeLz4Block(codec, block, target);
  return target;
}

const HEADER_BYTES = 12;

interface Framing {
  readonly codec: string;
  readonly limit: number;
  /** Most bytes that a stored byte gives: no memory is taken for a size that cannot be reached. */
  readonly reach: number;
  /** Blocks are a multiple of so many bytes; what is left over at the end stands as it is. */
  readonly unit: number;
  /** Bytes of a block where the header says 0. */
  readonly usual: number;
  readonly decode: (stored: Bytes, part: Bytes) => void;
}

/**
 * Blocks as HDF5's plugins frame them, all numbers big-endian: 8 bytes of decoded size, 4 of block size; each block has
 * its stored size before it.
 */
export function decodeFrames(input: Bytes, { codec, limit, reach, unit, usual, decode }: Framing): Bytes {
  if (input.length < HEADER_BYTES) throw decodeFailed(codec, "a header of 12 bytes", `${input.length} bytes`);
  const view = viewOf(input);
  const size = view.getInt32(0) * 2 ** 32 + view.getUint32(4);
  const blockSize = view.getInt32(8) || usual;
  if (size < 1 || blockSize < 1 || blockSize % unit !== 0) {
    const blocks = unit === 1 ? "a block size above 0" : `blocks of a multiple of ${unit} bytes`;
    const expected = `a decoded size above 0 and ${blocks}`;
    throw decodeFailed(codec, expected, `${size} and ${blockSize}`);
  }
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes, as the header says`);
  if (size > input.length * reach) throw decodeFailed(codec, `${size} bytes`, `${input.length} stored bytes, too few`);
  const target = new Uint8Array(size);
  const whole = size - (size % unit);
  let at = HEADER_BYTES;
  for (let from = 0; from < whole; from += blockSize) {
    if (at + 4 > input.length) throw cutOff(codec, at + 4, input);
    const stored = view.getInt32(at);
    at += 4;
    if (stored < 0 || at + stored > input.length) throw cutOff(codec, at + stored, input);
    decode(input.subarray(at, at + stored), target.subarray(from, Math.min(whole, from + blockSize)));
    at += stored;
  }
  if (at + size - whole > input.length) throw cutOff(codec, at + size - whole, input);
  target.set(input.subarray(at, at + size - whole), whole);
  return target;
}

function decodeWhole(source: Bytes, part: Bytes): void {
  const codec = "imagecodecs_lz4h5";
  // A block that would not shrink is stored uncompressed.
  if (source.length === part.length) return part.set(source);
  const length = lz4BlockLength(codec, source, part.length);
  if (length !== part.length) throw decodeFailed(codec, `a block of ${part.length} bytes`, `${length} bytes`);
  decodeLz4Block(codec, source, part);
}

function cutOff(codec: string, expected: number, input: Bytes): Error {
  return decodeFailed(codec, `at least ${expected} bytes, as a block's size says`, `${input.length} bytes`);
}

const viewOf = (input: Bytes): DataView => new DataView(input.buffer, input.byteOffset, input.length);

/** The last bytes of a block are literals, and no match begins near its end (lz4_Block_format.md, "End of block"). */
const LAST_LITERALS = 5;
const LAST_MATCH_START = 12;

/** Bytes that a block decodes to, at most `capacity`. Refuses what liblz4's `LZ4_decompress_safe` refuses. */
function lz4BlockLength(codec: string, block: Uint8Array, capacity: number): number {
  let at = 0;
  let length = 0;
  for (;;) {
    const token = block[at++];
    if (token === undefined) throw corrupt(codec, "a block that ends with literals", at);
    let literals = token >> 4;
    if (literals === 15) [literals, at] = lengthFrom(block, at, literals);
    at += literals;
    length += literals;
    if (at > block.length - 3 - LAST_LITERALS || length > capacity - LAST_MATCH_START) {
      if (at === block.length && length <= capacity) return length;
      throw corrupt(codec, `literals up to the end, at most ${capacity} bytes in all`, at);
    }
    const distance = (block[at] as number) | ((block[at + 1] as number) << 8);
    at += 2;
    if (distance === 0 || distance > length) throw corrupt(codec, "a match inside what was decoded", at);
    let match = (token & 15) + 4;
    if (match === 19) [match, at] = lengthFrom(block, at, match);
    if (at > block.length - LAST_LITERALS + 1) throw corrupt(codec, "literals after the last match", at);
    length += match;
    if (length > capacity - LAST_LITERALS) throw corrupt(codec, `at most ${capacity} bytes in all`, at);
  }
}
