/** Blosc 1 (c-blosc's README_CHUNK_FORMAT.rst): blocks, shuffled, split and compressed by one of five compressors. */
import { type Bytes, copyMatch, decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";
import { unzlib } from "../deflate/zlib.ts";
import { decodeLz4Block } from "../lz/lz4-block.ts";
import { word } from "../stream-start.ts";
import { decodeMemory } from "../wasm/memory.ts";
import { readyWholeFrames, readyZstd } from "../zstd/zstd-frames.ts";
import { type BlockLayout, fastBlocks } from "./fast-blocks.ts";
import { decodeSnappy } from "./snappy.ts";
import { unshuffleBits, unshuffleBytes } from "./unshuffle.ts";

// BloscLZ, Blosc's own fast compressor (c-blosc's blosclz.c, formats of versions 1 and 2).

const NEAR = 8191;

/** Decodes all of `input` into exactly all of `target`. Throws `decode-failed`. */
function decodeBloscLz(input: Uint8Array, target: Uint8Array): void {
  let at = 0;
  let to = 0;
  // The upper bits of the first byte say nothing: data begin with literals.
  let control = (input[at++] ?? 0) & 31;
  for (;;) {
    if (control < 32) {
      const length = control + 1;
      if (at + length > input.length || to + length > target.length) throw corrupt(at);
      target.set(input.subarray(at, at + length), to);
      at += length;
      to += length;
    } else {
      let length = (control >> 5) + 2;
      if (length === 9) {
        let more = 255;
        while (more === 255 && at < input.length) length += more = input[at++] as number;
      }
      const low = input[at++] ?? 0;
      let distance = ((control & 31) << 8) + low + 1;
      if (low === 255 && (control & 31) === 31) {
        distance = ((input[at] ?? 0) << 8) + (input[at + 1] ?? 0) + NEAR + 1;
        at += 2;
      }
      if (at > input.length || distance > to || to + length > target.length) throw corrupt(at);
      copyMatch(target, to, distance, length);
      to += length;
    }
    if (at >= input.length) break;
    control = input[at++] as number;
  }
  if (to !== target.length) throw decodeFailed("blosc", `a block of ${target.length} bytes`, `${to} bytes`);
}

function corrupt(at: number): Error {
  return decodeFailed("blosc", "literals and matches inside their block", `BloscLZ data that break this at byte ${at}`);
}

export const blosc: Decoder = {
  streamEnd: (bytes) => (bytes.length < HEADER_BYTES ? undefined : word(bytes, 12)),
  prepare: (configuration) => {
    // Only writers need the configuration: the header of the bytes names the compressor that wrote them.
    const name = configuration.get("cname");
    return { label: typeof name === "string" ? `Blosc, ${name}` : "Blosc", decode: unblosc };
  },
};

interface Header {
  readonly flags: number;
  readonly elementSize: number;
  readonly size: number;
  readonly blockSize: number;
  /** Bytes of the frame. */
  readonly stored: number;
}

/** Compressors, as the upper three bits of the flags name them. */
const BLOSCLZ = 0;
const LZ4 = 1;
const ZSTD = 4;

const HEADER_BYTES = 16;
const BYTE_SHUFFLE = 1;
const STORED = 2;
const BIT_SHUFFLE = 4;
const FROM_LATER = 8;
const NOT_SPLIT = 16;
/** A block is split into one stream per byte of an element only within these bounds (c-blosc's blosc.c). */
const MAX_SPLITS = 16;
const LEAST_SPLIT_BYTES = 128;

async function unblosc(bytes: Bytes, limit: number): Promise<Bytes> {
  const header = readHeader(bytes, limit);
  // Bytes after the frame are not looked at.
  const input = bytes.subarray(0, header.stored);
  if (header.flags & STORED) return input.slice(HEADER_BYTES);
  const blocks = Math.ceil(header.size / header.blockSize);
  if (HEADER_BYTES + 4 * blocks >= header.stored) throw cutOff(HEADER_BYTES + 4 * blocks + 1, header.stored);
  const compressor = header.flags >> 5;
  return (await decodeFast(input, header, compressor)) ?? decodeBlocks(input, header, await splitDecoder(compressor));
}

/** Decodes the whole frame in WebAssembly; `undefined` if only the plain path can decode it. */
async function decodeFast(input: Bytes, header: Header, compressor: number): Promise<Bytes | undefined> {
  const layout: BlockLayout = {
    ...header,
    shuffled: isBitShuffled(header) ? "bits" : isByteShuffled(header) ? "bytes" : undefined,
    startsAt: HEADER_BYTES,
    splits: (blockBytes) => countSplits(header, blockBytes),
  };
  if (compressor === ZSTD) {
    const useFrames = await readyWholeFrames();
    return useFrames((frames) => fastBlocks(input, layout, frames));
  }
  const memory = compressor === LZ4 || compressor === BLOSCLZ ? decodeMemory() : undefined;
  if (memory === undefined) return undefined;
  const { run, place, view, done } = memory;
  const decode = (from: number, end: number, to: number, stop: number) =>
    (compressor === LZ4 ? run.lz4(from, end, to, stop) : run.blosclz(from, end, to, stop)) === 1;
  const result = fastBlocks(input, layout, { run, place, view, done, decode });
  done();
  return result;
}

function decodeBlocks(input: Bytes, header: Header, decodeSplit: SplitDecoder): Bytes {
  const target = new Uint8Array(header.size);
  const blocks = Math.ceil(header.size / header.blockSize);
  const scratch = new Uint8Array(Math.min(header.blockSize, header.size));
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  for (let block = 0; block < blocks; block++) {
    const from = block * header.blockSize;
    const part = target.subarray(from, Math.min(header.size, from + header.blockSize));
    const packed = isBitShuffled(header) || isByteShuffled(header) ? scratch.subarray(0, part.length) : part;
    readStreams(view, view.getUint32(HEADER_BYTES + 4 * block, true), header, packed, decodeSplit);
    unshuffle(header, packed, part);
  }
  return target;
}

function readHeader(input: Bytes, limit: number): Header {
  if (input.length < HEADER_BYTES) throw cutOff(HEADER_BYTES, input.length);
  const view = new DataView(input.buffer, input.byteOffset, HEADER_BYTES);
  const [version, flags, elementSize] = [view.getUint8(0), view.getUint8(2), view.getUint8(3)];
  const [size, blockSize, stored] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  if (version === 0 || version > 2 || elementSize === 0) {
    throw decodeFailed("blosc", "a Blosc 1 header (format version 1 or 2)", `version ${version}`);
  }
  // numcodecs refuses a frame of no bytes, and reads over bytes after the frame.
  if (size === 0) throw decodeFailed("blosc", "a frame of at least 1 byte", "one that says it holds 0 bytes");
  if (stored > input.length) throw cutOff(stored, input.length);
  if (size > limit) throw decodeTooLarge("blosc", limit, `${size} bytes, as the Blosc header says`);
  if (blockSize === 0 || blockSize > size) {
    throw decodeFailed("blosc", `blocks of 1 to ${size} bytes`, `${blockSize} bytes`);
  }
  refuseOdd(flags, view.getUint8(1), size, stored);
  return { flags, elementSize, size, blockSize, stored };
}

/**
 * Throws for frames that c-blosc refuses as well (blosc.c, `blosc_run_decompression_with_context`); such bytes are
 * probably no frame.
 */
function refuseOdd(flags: number, inner: number, size: number, stored: number): void {
  if (flags & FROM_LATER) throw decodeFailed("blosc", "flags of Blosc 1", `flags ${flags}, of a later version`);
  if (flags & STORED) {
    if (stored === HEADER_BYTES + size) return;
    throw decodeFailed("blosc", `a frame of ${HEADER_BYTES + size} bytes, as it is not compressed`, `${stored} bytes`);
  }
  if (inner !== 1) throw decodeFailed("blosc", "version 1 of the compressor's format", `version ${inner}`);
}

function isBitShuffled({ flags, blockSize, elementSize }: Header): boolean {
  return (flags & BIT_SHUFFLE) !== 0 && blockSize >= elementSize;
}

function isByteShuffled(header: Header): boolean {
  return !isBitShuffled(header) && (header.flags & BYTE_SHUFFLE) !== 0 && header.elementSize > 1;
}

function unshuffle(header: Header, packed: Uint8Array, part: Uint8Array): void {
  if (isBitShuffled(header)) unshuffleBits(packed, header.elementSize, part);
  else if (isByteShuffled(header)) unshuffleBytes(packed, header.elementSize, part);
}

/** Decodes the streams of one block, which begin at `from`, each with its length before it. */
function readStreams(view: DataView, from: number, header: Header, packed: Bytes, decode: SplitDecoder): void {
  const splits = countSplits(header, packed.length);
  const size = Math.floor(packed.length / splits);
  let at = from;
  for (let i = 0; i < splits; i++) {
    if (at + 4 > view.byteLength) throw cutOff(at + 4, view.byteLength);
    const stored = view.getUint32(at, true);
    at += 4;
    if (at + stored > view.byteLength) throw cutOff(at + stored, view.byteLength);
    const source = new Uint8Array(view.buffer, view.byteOffset + at, stored);
    const target = packed.subarray(i * size, (i + 1) * size);
    // A stream that would not shrink is stored uncompressed.
    if (source.length === target.length) target.set(source);
    else decode(source, target);
    at += stored;
  }
}

function countSplits(header: Header, blockBytes: number): number {
  const { flags, elementSize, blockSize } = header;
  const split =
    (flags & NOT_SPLIT) === 0 &&
    elementSize <= MAX_SPLITS &&
    Math.floor(blockSize / elementSize) >= LEAST_SPLIT_BYTES &&
    blockBytes === blockSize;
  if (!split) return 1;
  if (blockSize % elementSize === 0) return elementSize;
  throw decodeFailed("blosc", `blocks of whole elements of ${elementSize} bytes`, `blocks of ${blockSize} bytes`);
}

/** Decodes `source` into all of `target`. */
type SplitDecoder = (source: Uint8Array, target: Bytes) => void;

/** The decoder for the three bits of the header that name the compressor. */
async function splitDecoder(compressor: number): Promise<SplitDecoder> {
  if (compressor === BLOSCLZ) return decodeBloscLz;
  if (compressor === LZ4) return (source, target) => decodeLz4Block("blosc", source, target);
  if (compressor === 2) return decodeSnappy;
  if (compressor === 3) return (source, target) => fill(target, unzlib("blosc", source, target.length));
  if (compressor === ZSTD) return zstdSplits();
  // Streams that are stored as they are need none.
  return () => {
    throw decodeFailed("blosc", "one of the compressors 0 to 4", `compressor ${compressor}`);
  };
}

async function zstdSplits(): Promise<SplitDecoder> {
  const decodeFrames = await readyZstd();
  return (source, target) => {
    const output = { codec: "blosc", limit: target.length, bytes: target, length: 0 };
    decodeFrames(source, output);
    if (output.length !== target.length) throw wrongLength(target.length, output.length);
  };
}

function fill(target: Uint8Array, decoded: Uint8Array): void {
  if (decoded.length !== target.length) throw wrongLength(target.length, decoded.length);
  target.set(decoded);
}

function wrongLength(expected: number, found: number): Error {
  return decodeFailed("blosc", `a block of ${expected} bytes`, `${found} bytes`);
}

function cutOff(expected: number, found: number): Error {
  return decodeFailed("blosc", `at least ${expected} bytes, as the Blosc header says`, `${found} bytes`);
}
