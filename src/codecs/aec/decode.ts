/**
 * Adaptive entropy coding (CCSDS 121.0-B-3), as libaec writes and reads it: blocks of samples, each coded in the way that
 * suits it, of differences to a prediction that begins anew after every interval.
 */
import { decodeFailed, decodeTooLarge } from "../failure.ts";
import { bitSource, MAX_BYTES, takeBits, takeUnary, type BitSource } from "./bits.ts";
import { readPairs, readPlain, readSplit, type Block, type BlockRead } from "./blocks.ts";
import { AEC_PAD_INTERVALS, AEC_PREPROCESS, AEC_SIGNED, identifierBits, type AecParameters } from "./parameters.ts";

/** Blocks after which a run of zeros "to the end" ends, counted from the interval's beginning. */
const SEGMENT = 64;
const TO_SEGMENT_END = 5;

interface Decoding {
  readonly source: BitSource;
  /** Bits that say how a block is coded, and their value for samples as they are. */
  readonly identifier: number;
  readonly plain: number;
  readonly bits: number;
  readonly size: number;
  readonly interval: number;
  readonly isPreprocessed: boolean;
  readonly isPadded: boolean;
  /** The largest sample, where samples have no sign: all bits. */
  readonly top: number;
  /** Added to signed samples while they are decoded, so that the least is 0. */
  readonly offset: number;
  readonly block: Block;
  readonly out: Float64Array<ArrayBuffer>;
  /** Samples that were put out, and blocks of the present interval that were. */
  done: number;
  blocks: number;
  /** The sample that is predicted from. */
  last: number;
}

/**
 * `count` samples: how many there are is not in the stream, and what follows them is not looked at. `limit`: most bytes
 * of the result. Throws `decode-failed`, `decode-too-large`.
 */
export function decodeAec(
  input: Uint8Array,
  parameters: AecParameters,
  { count, limit }: { readonly count: number; readonly limit: number },
): Float64Array<ArrayBuffer> {
  const { codec, section } = parameters;
  const identifier = identifierBits(parameters);
  if (count * 8 > limit) throw decodeTooLarge(codec, limit, `${count} samples of 8 bytes`);
  if (input.length > MAX_BYTES) {
    throw decodeFailed(codec, `at most ${MAX_BYTES} bytes of coded samples`, `${input.length} bytes`, section);
  }
  const decoding = begin(input, parameters, identifier, count);
  while (decoding.done < count) {
    const read = readBlock(decoding);
    if (read === "read") continue;
    const found =
      read === "ended" ? "the end of the data" : `no sample of ${parameters.bits} bits in the block that follows`;
    throw decodeFailed(codec, `${count} samples`, `${decoding.done} samples, then ${found}`, section);
  }
  return decoding.out;
}

function begin(input: Uint8Array, parameters: AecParameters, identifier: number, count: number): Decoding {
  const { bits, blockSize, interval, flags } = parameters;
  return {
    source: bitSource(input),
    identifier,
    plain: 2 ** identifier - 1,
    bits,
    size: blockSize,
    interval,
    isPreprocessed: (flags & AEC_PREPROCESS) !== 0,
    isPadded: (flags & AEC_PAD_INTERVALS) !== 0,
    top: 2 ** bits - 1,
    offset: (flags & AEC_SIGNED) === 0 ? 0 : 2 ** (bits - 1),
    block: { samples: new Uint32Array(blockSize), size: blockSize, from: 0, wanted: 0 },
    out: new Float64Array(count),
    done: 0,
    blocks: 0,
    last: 0,
  };
}

/** The next block, or the next blocks where all their samples are as predicted. */
function readBlock(decoding: Decoding): BlockRead {
  const { source, identifier, bits, size, block, out } = decoding;
  const way = takeBits(source, identifier);
  if (way === -1) return "ended";
  const hasPairs = way === 0 ? takeBits(source, 1) : 0;
  if (hasPairs === -1) return "ended";
  const hasReference = decoding.isPreprocessed && decoding.blocks === 0;
  block.from = hasReference && way !== decoding.plain ? 1 : 0;
  if (block.from === 1) {
    const reference = takeBits(source, bits);
    if (reference === -1) return "ended";
    block.samples[0] = reference;
  }
  if (way === 0 && hasPairs === 0) return readRun(decoding, hasReference);
  block.wanted = Math.min(size, out.length - decoding.done);
  const read = readSamples(decoding, way);
  if (read !== "read") return read;
  if (hasReference) takeReference(decoding);
  const isWhole = decoding.isPreprocessed ? restore(decoding, hasReference ? 1 : 0) : copy(decoding);
  if (!isWhole) return "no-sample";
  advance(decoding, 1);
  return "read";
}

function readSamples({ source, block, bits, plain }: Decoding, way: number): BlockRead {
  if (way === plain) return readPlain(source, block, bits);
  return way === 0 ? readPairs(source, block) : readSplit(source, block, way - 1);
}

function takeReference(decoding: Decoding): void {
  const { block, offset, top, out, done } = decoding;
  const raw = block.samples[0] as number;
  decoding.last = offset === 0 ? raw : (raw + offset) % (top + 1);
  out[done] = decoding.last - offset;
}

/** Blocks whose samples all are 0, or as predicted: as the one before. */
function readRun(decoding: Decoding, hasReference: boolean): BlockRead {
  const { source, size, interval, out, done, blocks } = decoding;
  const code = takeUnary(source) + 1;
  if (code === 0) return "ended";
  const toEnd = Math.min(interval - blocks, SEGMENT - (blocks % SEGMENT));
  const run = code === TO_SEGMENT_END ? toEnd : code > TO_SEGMENT_END ? code - 1 : code;
  if (run > interval - blocks) return "no-sample";
  if (hasReference) takeReference(decoding);
  out.fill(decoding.isPreprocessed ? decoding.last - decoding.offset : 0, done, done + run * size);
  advance(decoding, run);
  return "read";
}

function advance(decoding: Decoding, blocks: number): void {
  const { source, size, interval, isPadded, out } = decoding;
  decoding.done = Math.min(out.length, decoding.done + blocks * size);
  decoding.blocks += blocks;
  if (decoding.blocks < interval) return;
  decoding.blocks = 0;
  if (isPadded) source.at = Math.ceil(source.at / 8) * 8;
}

/**
 * From differences to samples. A difference is coded by its distance in both directions in turn, up to the nearer end of
 * the range, and by its size alone beyond. Answers whether all differences are in range.
 */
function restore(decoding: Decoding, from: number): boolean {
  const { out, done, offset } = decoding;
  const { samples, wanted } = decoding.block;
  const top = decoding.top | 0;
  const upperHalf = (top >>> 1) + 1;
  let sample = decoding.last | 0;
  let seen = 0;
  for (let i = from; i < wanted; i++) {
    const coded = (samples[i] as number) | 0;
    const distance = (coded >>> 1) + (coded & 1);
    const flip = (sample & upperHalf) === 0 ? 0 : top;
    if (distance <= (flip ^ sample) >>> 0) sample = (sample + ((coded >>> 1) ^ -(coded & 1))) | 0;
    else sample = flip ^ coded;
    out[done + i] = (sample >>> 0) - offset;
    seen |= coded;
  }
  decoding.last = sample >>> 0;
  return (seen & ~top) === 0;
}

/** Samples that were not predicted. Answers whether all are in range. */
function copy({ block, out, done, offset, top }: Decoding): boolean {
  const { samples, wanted } = block;
  let largest = 0;
  for (let i = 0; i < wanted; i++) {
    const sample = samples[i] as number;
    out[done + i] = offset !== 0 && sample >= offset ? sample - top - 1 : sample;
    if (sample > largest) largest = sample;
  }
  return largest <= top;
}
