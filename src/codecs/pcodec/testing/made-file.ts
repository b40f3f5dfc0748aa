/** For tests: files of pcodec with metadata that are in order, and random bits as their numbers: any bits are some. */
import { Bits, plainChunk } from "./plain-decoder.ts";

export interface MadeChunk {
  /** Bits of the numbers; the type is by `typeByte`. */
  readonly width: number;
  readonly typeByte: number;
  readonly count: number;
  readonly mode: MadeMode;
  readonly delta: MadeDelta;
  /** Bins of the primary and secondary variables. */
  readonly primary: MadeBins;
  readonly secondary?: MadeBins;
  readonly lookbacks?: MadeBins;
}

export type MadeMode =
  | { readonly kind: 0 }
  | { readonly kind: 1 | 2; readonly parameter: bigint }
  | { readonly kind: 3; readonly parameter: bigint }
  | { readonly kind: 4; readonly dictionary: readonly bigint[] };

export type MadeDelta =
  | { readonly kind: 0 }
  | { readonly kind: 1; readonly order: number; readonly ofSecondary: boolean }
  | { readonly kind: 2; readonly windowLog: number; readonly stateLog: number; readonly ofSecondary: boolean }
  | { readonly kind: 3; readonly shift: number; readonly bias: bigint; readonly weights: readonly number[] };

export interface MadeBins {
  readonly sizeLog: number;
  readonly bins: readonly { readonly weight: number; readonly lower: bigint; readonly offsetBits: number }[];
}

/** Random numbers that are the same each time. */
export function randomBits(seed: number): (count: number) => number {
  let state = seed | 0;
  return (count) => {
    state = (state + 0x9e37_79b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return count === 0 ? 0 : (mixed ^ (mixed >>> 15)) >>> (32 - count);
  };
}

/** The file, and the bits of its numbers. */
export interface MadeFile {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly numbers: readonly bigint[];
}

export function madeFile(chunks: readonly MadeChunk[], random: (count: number) => number): MadeFile {
  const bits = new Bits([0x70, 0x63, 0x6f, 0x21, 3, 0, 0, 4, 1], random);
  bits.take(9 * 8);
  const numbers = chunks.flatMap((chunk) => {
    bits.put(chunk.typeByte, 8).put(chunk.count - 1, 24);
    putMetadata(bits, chunk);
    bits.take(8 + 24);
    return plainChunk(bits, 4, chunk.typeByte, chunk.count);
  });
  return { file: bits.put(0, 8).done(), numbers };
}

function putMetadata(bits: Bits, { width, mode, delta, lookbacks, primary, secondary }: MadeChunk): void {
  bits.put(mode.kind, 4);
  if (mode.kind === 1 || mode.kind === 2) bits.put(mode.parameter, width);
  if (mode.kind === 3) bits.put(mode.parameter, 8);
  if (mode.kind === 4) {
    bits.put(mode.dictionary.length, 25).putZeros();
    for (const one of mode.dictionary) bits.put(one, width);
  }
  putDelta(bits, delta);
  if (lookbacks !== undefined) putBins(bits, lookbacks, 32);
  putBins(bits, primary, mode.kind === 4 ? 32 : width);
  if (secondary !== undefined) putBins(bits, secondary, width);
  bits.putZeros();
}

function putDelta(bits: Bits, delta: MadeDelta): void {
  bits.put(delta.kind, 4);
  if (delta.kind === 1) bits.put(delta.order, 3).put(Number(delta.ofSecondary), 1);
  if (delta.kind === 2) {
    bits
      .put(delta.windowLog - 1, 5)
      .put(delta.stateLog, 4)
      .put(Number(delta.ofSecondary), 1);
  }
  if (delta.kind !== 3) return;
  bits
    .put(delta.shift, 5)
    .put(delta.bias + (1n << 63n), 64)
    .put(delta.weights.length - 1, 5);
  for (const weight of delta.weights) bits.put(weight + 2 ** 31, 32);
}

function putBins(bits: Bits, { sizeLog, bins }: MadeBins, width: number): void {
  bits.put(sizeLog, 4).put(bins.length, 15);
  for (const { weight, lower, offsetBits } of bins) {
    bits
      .put(weight - 1, sizeLog)
      .put(lower, width)
      .put(offsetBits, Math.log2(width) + 1);
  }
}
