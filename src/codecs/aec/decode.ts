/**
 * Adaptive entropy coding (CCSDS 121.0-B-3), as libaec writes and reads it: blocks of samples, each coded in the way that
 * suits it, of differences to a prediction that restarts after every interval.
 */
import { bitsOf } from "#core/bits.ts";
import { decodeFailed, decodeTooLarge } from "../codec.ts";

// The bits of a stream, highest first. Loops look at 32 at a time, and past the end at zeros.

interface BitSource {
  readonly view: DataView;
  /** Bits of the stream. */
  readonly end: number;
  /** Bits taken. */
  at: number;
}

/** Most bytes of a stream: positions in bits then fit into 32-bit integers. */
const MAX_BYTES = 2 ** 28 - 1;

/** The next `width` bits, 1 to 32, unsigned; -1 where the stream ends before. */
function takeBits(source: BitSource, width: number): number {
  const { view, at } = source;
  if (at + width > source.end) return -1;
  source.at = at + width;
  return bitsAt(view, at) >>> (32 - width);
}

/** The 32 bits from bit `at` on. */
function bitsAt(view: DataView, at: number): number {
  const byte = at >>> 3;
  const bit = at & 7;
  return (view.getInt32(byte) << bit) | (view.getUint8(byte + 4) >>> (8 - bit));
}

/** The zeros from bit `at` up to the next one, however many; -1 where no one follows. */
function zerosFrom(view: DataView, at: number): number {
  const first = view.getInt32(at >>> 3) << (at & 7);
  if (first !== 0) return Math.clz32(first);
  let zeros = 32 - (at & 7);
  for (let byte = (at >>> 3) + 4; byte + 4 <= view.byteLength; byte += 4, zeros += 32) {
    const next = view.getInt32(byte);
    if (next !== 0) return zeros + Math.clz32(next);
  }
  return -1;
}

/** The number that is coded as so many zeros and a one; -1 where no one follows. */
function takeUnary(source: BitSource): number {
  const zeros = zerosFrom(source.view, source.at);
  if (zeros !== -1) source.at += zeros + 1;
  return zeros;
}

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
  readonly out: AecSamples;
  /** Samples that were put out, and blocks of the present interval that were. */
  done: number;
  blocks: number;
  /** The sample that is predicted from. */
  last: number;
}

/** An array wide enough for the samples. */
type AecSamples = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * `count` samples: how many there are is not in the stream, and what follows them is not looked at. `limit`: most bytes
 * of the result. Throws `decode-failed`, `decode-too-large`.
 */
export function decodeAec(
  input: Uint8Array,
  parameters: AecParameters,
  { count, limit }: { readonly count: number; readonly limit: number },
): Float64Array<ArrayBuffer> {
  if (count * 8 > limit) throw decodeTooLarge(parameters.codec, limit, `${count} samples of 8 bytes`);
  const out = new Float64Array(count);
  decodeAecInto(out, input, parameters);
  return out;
}

/** Decodes as many samples as `out` has room for. Throws `decode-failed`. */
export function decodeAecInto(out: AecSamples, input: Uint8Array, parameters: AecParameters): void {
  const { codec, section } = parameters;
  const identifier = identifierBits(parameters);
  if (input.length > MAX_BYTES) {
    throw decodeFailed(codec, `at most ${MAX_BYTES} bytes of coded samples`, `${input.length} bytes`, section);
  }
  const count = out.length;
  const decoding = begin(input, parameters, identifier, out);
  while (decoding.done < count) {
    const read = readBlock(decoding);
    if (read === "read") continue;
    const found =
      read === "ended" ? "the end of the data" : `no sample of ${parameters.bits} bits in the block that follows`;
    throw decodeFailed(codec, `${count} samples`, `${decoding.done} samples, then ${found}`, section);
  }
}

function begin(input: Uint8Array, parameters: AecParameters, identifier: number, out: AecSamples): Decoding {
  const { bits, blockSize, interval, flags } = parameters;
  return {
    source: { view: bitsOf(input, () => new RangeError("past the end")).view, end: input.length * 8, at: 0 },
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
    out,
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

// How a stream of adaptive entropy coding was made (CCSDS 121.0-B-3): what is not in the stream itself.

/** Flags as libaec.h numbers them, and GRIB with it (octet 22 of template 5.42, code table 5.42). */
const AEC_SIGNED = 1;
const AEC_PREPROCESS = 8;
const AEC_RESTRICTED = 16;
const AEC_PAD_INTERVALS = 32;

export interface AecParameters {
  /** For errors: which codec is decoding, and which part of its data is the stream. */
  readonly codec: string;
  readonly section?: string;
  /** Bits of a sample, 1 to 32. */
  readonly bits: number;
  /** Samples in a block; even. The standard has 8, 16, 32 and 64. */
  readonly blockSize: number;
  /** Blocks between reference samples. */
  readonly interval: number;
  /** Those of the byte order and of 3-byte samples (2 and 4) say how libaec lays samples out, not how they are coded. */
  readonly flags: number;
}

/** Bits that name how a block is coded. Throws `decode-failed` where the parameters are none of this coding. */
function identifierBits(parameters: AecParameters): number {
  const { codec, section, bits, blockSize, interval, flags } = parameters;
  if (bits < 1 || bits > 32) throw decodeFailed(codec, "samples of 1 to 32 bits", `${bits} bits`, section);
  if (blockSize < 2 || blockSize > 254 || blockSize % 2 !== 0) {
    throw decodeFailed(codec, "blocks of 8, 16, 32 or 64 samples", `blocks of ${blockSize}`, section);
  }
  if (interval < 1 || interval > 65_535) {
    throw decodeFailed(codec, "a reference sample every 1 to 4096 blocks", `every ${interval} blocks`, section);
  }
  if (bits > 16) return 5;
  if (bits > 8) return 4;
  if ((flags & AEC_RESTRICTED) === 0) return 3;
  if (bits <= 4) return bits <= 2 ? 1 : 2;
  throw decodeFailed(codec, "samples of at most 4 bits for the restricted set of codes", `${bits} bits`, section);
}

// The ways in which the samples of a block are coded (CCSDS 121.0-B-3, §3). Each is read into an array of a block's
// size.

/** The block that is read: made once, since there are as many blocks as there are short loops. */
interface Block {
  readonly samples: Uint32Array;
  /** Samples of a block. */
  readonly size: number;
  /** The first that is coded: 1 where a reference sample was read before, else 0. */
  from: number;
  /** How many there are to be, `from` among them: the last block of a stream may be cut off after these. */
  wanted: number;
}

/** `ended`: the stream does before the block; `no-sample`: what is there codes nothing. */
type BlockRead = "read" | "ended" | "no-sample";

/** High bits of each sample in unary, then the `low` bits of each. */
function readSplit(source: BitSource, block: Block, low: number): BlockRead {
  const { view } = source;
  const { samples, from } = block;
  const most = 0xffff_ffff >>> low;
  const coded = low === 0 ? block.wanted : block.size;
  let at = source.at;
  // Bits from `at` on, as many as are not yet zeros that were shifted in.
  let ahead = 0;
  for (let i = from; i < coded; i++) {
    if (ahead === 0) ahead = bitsAt(view, at);
    const zeros = ahead === 0 ? zerosFrom(view, at) : Math.clz32(ahead);
    if (zeros === -1) return "ended";
    if (zeros > most) return "no-sample";
    samples[i] = zeros << low;
    at += zeros + 1;
    ahead = zeros < 32 ? (ahead << zeros) << 1 : 0;
  }
  source.at = at;
  return low === 0 ? "read" : addBits(source, block, low);
}

/** Samples as they are. */
function readPlain(source: BitSource, block: Block, bits: number): BlockRead {
  block.samples.fill(0, block.from, block.wanted);
  return addBits(source, block, bits);
}

/** Adds bits to samples whose lowest `width` bits are zeros. */
function addBits(source: BitSource, { samples, from, wanted }: Block, width: number): BlockRead {
  const { view, end } = source;
  const drop = 32 - width;
  let at = source.at;
  if (at + (wanted - from) * width > end) return "ended";
  for (let i = from; i < wanted; i++) {
    samples[i] = (samples[i] as number) | (bitsAt(view, at) >>> drop);
    at += width;
  }
  source.at = at;
  return "read";
}

/** The largest sum of two samples that have a code together. */
const MAX_SUM = 12;

/** For each code the first and the second of two samples: with the sum s, the code is s(s + 1) / 2 + second. */
const PAIRS = Uint8Array.from(
  Array.from({ length: MAX_SUM + 1 }, (_, sum) =>
    Array.from({ length: sum + 1 }, (_, second) => [sum - second, second]).flat(),
  ).flat(),
);

/** The second extension: two samples in one code. After a reference sample the first of the first pair is left out. */
function readPairs(source: BitSource, { samples, from, wanted }: Block): BlockRead {
  const { view } = source;
  let at = source.at;
  for (let i = 0; i < wanted; i += 2) {
    const code = zerosFrom(view, at);
    if (code === -1) return "ended";
    if (code * 2 >= PAIRS.length) return "no-sample";
    at += code + 1;
    if (i >= from) samples[i] = PAIRS[code * 2] as number;
    samples[i + 1] = PAIRS[code * 2 + 1] as number;
  }
  source.at = at;
  return "read";
}
