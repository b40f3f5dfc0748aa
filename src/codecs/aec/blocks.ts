/** The ways in which the samples of a block are coded (CCSDS 121.0-B-3, §3). Each is read into an array of a block's size. */
import { bitsFrom, zerosFrom, type BitSource } from "./bits.ts";

/** The block that is read: made once, since there are as many blocks as there are short loops. */
export interface Block {
  readonly samples: Uint32Array;
  /** Samples of a block. */
  readonly size: number;
  /** The first that is coded: 1 where a reference sample was read before, else 0. */
  from: number;
  /** How many there are to be, `from` among them: the last block of a stream may be cut off after these. */
  wanted: number;
}

/** `ended`: the stream does before the block; `no-sample`: what is there codes nothing. */
export type BlockRead = "read" | "ended" | "no-sample";

/** High bits of each sample in unary, then the `low` bits of each. */
export function readSplit(source: BitSource, block: Block, low: number): BlockRead {
  const { words } = source;
  const { samples, from } = block;
  const most = 0xffff_ffff >>> low;
  const coded = low === 0 ? block.wanted : block.size;
  let at = source.at;
  // Bits from `at` on, as many as are not yet zeros that were shifted in.
  let ahead = 0;
  for (let i = from; i < coded; i++) {
    if (ahead === 0) ahead = bitsFrom(words, at);
    const zeros = ahead === 0 ? zerosFrom(words, at) : Math.clz32(ahead);
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
export function readPlain(source: BitSource, block: Block, bits: number): BlockRead {
  block.samples.fill(0, block.from, block.wanted);
  return addBits(source, block, bits);
}

/** Adds bits to samples whose lowest `width` bits are zeros. */
function addBits(source: BitSource, { samples, from, wanted }: Block, width: number): BlockRead {
  const { words, end } = source;
  const drop = 32 - width;
  let at = source.at;
  if (at + (wanted - from) * width > end) return "ended";
  for (let i = from; i < wanted; i++) {
    samples[i] = (samples[i] as number) | (bitsFrom(words, at) >>> drop);
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
export function readPairs(source: BitSource, { samples, from, wanted }: Block): BlockRead {
  const { words } = source;
  let at = source.at;
  for (let i = 0; i < wanted; i += 2) {
    const code = zerosFrom(words, at);
    if (code === -1) return "ended";
    if (code * 2 >= PAIRS.length) return "no-sample";
    at += code + 1;
    if (i >= from) samples[i] = PAIRS[code * 2] as number;
    samples[i + 1] = PAIRS[code * 2 + 1] as number;
  }
  source.at = at;
  return "read";
}
