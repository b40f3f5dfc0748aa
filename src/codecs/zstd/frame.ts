/** Zstandard frames (RFC 8878 §3.1). */
import { checksumMismatch, decodeTooLarge } from "../failure.ts";
import { finish, newOutput, reserve, type Output } from "../output.ts";
import { corrupt } from "./corrupt.ts";
import type { HuffmanTable } from "./huffman.ts";
import { readLiterals } from "./literals.ts";
import { runSequences, type SequenceTables } from "./sequences.ts";
import { xxHash64Low } from "./xxhash64.ts";

const MAGIC = 0xfd2f_b528;
const SKIPPABLE = 0x184d_2a5;
const MOST_BLOCK_BYTES = 128 * 1024;

/** Decodes all frames of `input` one after another; skippable ones give nothing. Bytes after the last are an error. */
export function decodeZstd(codec: string, input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const output = newOutput(codec, limit, hintedSize(codec, input, limit));
  let at = 0;
  while (at < input.length) {
    if (at + 8 > input.length) throw cutOff(codec, input);
    const magic = view.getUint32(at, true);
    if (magic === MAGIC) at = readFrame(input, at + 4, output);
    else if (magic >>> 4 === SKIPPABLE) at += 8 + view.getUint32(at + 4, true);
    else throw corrupt(codec, "a frame that begins 28 b5 2f fd", `0x${magic.toString(16)} at byte ${at}`);
  }
  if (at > input.length) throw cutOff(codec, input);
  return finish(output);
}

/** Said by the first frame's header, and refused at once where it is past the limit. */
function hintedSize(codec: string, input: Uint8Array, limit: number): number {
  if (input.length < 8) return 0;
  const magic = new DataView(input.buffer, input.byteOffset, 4).getUint32(0, true);
  const size = magic === MAGIC ? readHeader(codec, input, 4).size : undefined;
  if (size !== undefined && size > limit) throw decodeTooLarge(codec, limit, `${size} bytes, as the zstd header says`);
  // A block of a few bytes gives 128 KiB at most: no memory is taken for a size that cannot be reached.
  return Math.min(size ?? input.length * 3, Math.ceil(input.length / 4) * MOST_BLOCK_BYTES);
}

interface FrameHeader {
  /** Bytes of the decoded frame, where the header says it. */
  readonly size: number | undefined;
  readonly checksum: boolean;
  readonly end: number;
}

function readHeader(codec: string, input: Uint8Array, from: number): FrameHeader {
  const descriptor = input[from] ?? 0;
  if (descriptor & 8) throw corrupt(codec, "a known frame header", "a reserved bit that is set");
  const single = (descriptor & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryAt = from + (single ? 1 : 2);
  const sizeAt = dictionaryAt + dictionaryBytes;
  const end = sizeAt + sizeBytes;
  if (end > input.length) throw cutOff(codec, input);
  const dictionary = littleEndian(input, dictionaryAt, dictionaryBytes);
  if (dictionary !== 0) throw corrupt(codec, "no need for a dictionary", `a frame for dictionary ${dictionary}`);
  const written = littleEndian(input, sizeAt, sizeBytes);
  const size = sizeBytes === 0 ? undefined : written + (sizeBytes === 2 ? 256 : 0);
  return { size, checksum: (descriptor & 4) !== 0, end };
}

/** `from`: after the magic number. Returns the position after the frame. */
function readFrame(input: Uint8Array, from: number, output: Output): number {
  const { codec } = output;
  const header = readHeader(codec, input, from);
  const start = output.length;
  const state: FrameState = {
    literals: undefined,
    sequences: { literalLengths: undefined, offsets: undefined, matchLengths: undefined, recent: [1, 4, 8] },
    start,
  };
  let at = header.end;
  for (let last = false; !last;) {
    if (at + 3 > input.length) throw cutOff(codec, input);
    const block = littleEndian(input, at, 3);
    last = (block & 1) === 1;
    at = readBlock(input, at + 3, (block >> 1) & 3, block >> 3, state, output);
  }
  const decoded = output.length - start;
  if (header.size !== undefined && header.size !== decoded) {
    throw corrupt(codec, `${header.size} bytes, as the frame's header says`, `${decoded} bytes`);
  }
  if (!header.checksum) return at;
  if (at + 4 > input.length) throw cutOff(codec, input);
  const stored = littleEndian(input, at, 4);
  const computed = xxHash64Low(output.bytes.subarray(start, output.length));
  if (stored !== computed) throw checksumMismatch(codec, stored, computed);
  return at + 4;
}

interface FrameState {
  literals: HuffmanTable | undefined;
  readonly sequences: SequenceTables;
  readonly start: number;
}

function readBlock(
  input: Uint8Array,
  from: number,
  kind: number,
  size: number,
  state: FrameState,
  output: Output,
): number {
  const end = from + (kind === 1 ? 1 : size);
  if (end > input.length) throw cutOff(output.codec, input);
  if (kind === 3 || size > MOST_BLOCK_BYTES) {
    throw corrupt(output.codec, "blocks of a known type, at most 128 KiB", `type ${kind}, ${size} bytes`);
  }
  if (kind === 2) {
    const block = input.subarray(from, end);
    const literals = readLiterals(output.codec, block, state.literals);
    state.literals = literals.table;
    runSequences(block, literals.end, literals.bytes, state.sequences, output, state.start);
    return end;
  }
  reserve(output, size);
  if (kind === 0) output.bytes.set(input.subarray(from, end), output.length);
  else output.bytes.fill(input[from] as number, output.length, output.length + size);
  output.length += size;
  return end;
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value += (bytes[at + i] ?? 0) * 2 ** (8 * i);
  return value;
}

function cutOff(codec: string, input: Uint8Array): Error {
  return corrupt(codec, "whole frames", `data cut off after ${input.length} bytes`);
}
