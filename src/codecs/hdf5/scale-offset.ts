/**
 * HDF5's filter 6 (H5Zscaleoffset.c): whole numbers less the least of them, in as few bits as the chunk needs; of floats
 * so many decimals. What is all ones stands for the fill value, where there is one.
 */
import type { JsonObject } from "#core/json/json.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import { badConfiguration, type Bytes, decodeFailed, type Decoder, wholeNumbers } from "../codec.ts";
import { bitsOfNumber, unpackBits, wordsOf } from "./packed-bits.ts";

const ID = "hdf5_scaleoffset";

export const hdf5ScaleOffset: Decoder = {
  prepare: (configuration) => {
    const packing = packingOf(configuration);
    const { size, decimals, isPlain } = packing;
    const what = decimals === undefined ? `${size}-byte integers` : `${size}-byte floats of ${decimals} decimals`;
    return {
      label: `scale-offset, ${what}`,
      decode: isPlain ? (input) => input : (input, limit) => unpack(input, limit, packing),
    };
  },
};

type Packing = ReturnType<typeof packingOf>;

function packingOf(configuration: JsonObject) {
  const numbers = wholeNumbers(ID, configuration, "parameters");
  const [scale, factor = 0, count = 0, kind, size = 0, , order, hasFill, low = 0, high = 0] = numbers;
  const isFloat = kind === 1;
  const signed = factor | 0;
  // HDF5 never implemented the variable minimum bits of floats (1); integers have scale type 2.
  const isKnown = (isFloat ? [4, 8] : [1, 2, 4, 8]).includes(size) && scale === (isFloat ? 0 : 2);
  if (!isKnown || (!isFloat && signed > 8 * size)) {
    const found = `scale type ${scale}, factor ${signed}, ${size} bytes`;
    throw badConfiguration(ID, "parameters", "decimals of floats of 4 or 8 bytes, or bits of integers", found);
  }
  const decimals = isFloat ? signed : undefined;
  const fill = hasFill === 1 ? BigInt.asUintN(8 * size, (BigInt(high) << 32n) | BigInt(low)) : undefined;
  // Integers that need all their bits are not packed.
  return { count, size, decimals, fill, isBig: order === 1, isPlain: !isFloat && signed === 8 * size };
}

/** Bits of a number in 4 bytes, the least of the numbers after the count of its bytes, and room for a longer one. */
const HEADER_BYTES = 21;

function unpack(input: Bytes, limit: number, packing: Packing): Bytes {
  if (input.length < HEADER_BYTES) throw decodeFailed(ID, `a header of ${HEADER_BYTES} bytes`, `${input.length} bytes`);
  const view = new DataView(input.buffer, input.byteOffset, HEADER_BYTES);
  const [bits, leastBytes] = [view.getUint32(0, true), Math.min(8, view.getUint8(4))];
  const least = BigInt.asUintN(8 * leastBytes, view.getBigUint64(5, true));
  const { count, size, isBig } = packing;
  if (bits > 8 * size) throw decodeFailed(ID, `numbers of at most ${8 * size} bits`, `${bits} bits`);
  const isWhole = bits === 8 * size;
  // Whole numbers are in the byte order of the machine that wrote them: little-endian, as far as anybody knows.
  const parts = bitsOfNumber({ size, isBig: isWhole, precision: bits, offset: 0 });
  const target = unpackBits(ID, input.subarray(HEADER_BYTES), parts, { count, size, limit });
  if (!isWhole) restore(target, bits, least, packing);
  return isBig ? swapBytes(target, size) : target;
}

/** Little-endian numbers, in place. */
function restore(target: Bytes, bits: number, least: bigint, { size, decimals, fill }: Packing): void {
  const words = wordsOf(target, size);
  const wordOf = (value: bigint): bigint | number => (size === 8 ? value : Number(BigInt.asUintN(32, value)));
  const [top, base] = [wordOf((1n << BigInt(bits)) - 1n), wordOf(least)];
  const filled = fill === undefined ? undefined : wordOf(fill);
  const { buffer } = target;
  const floats = size === 8 ? new Float64Array(buffer) : new Float32Array(buffer, 0, buffer.byteLength >> 2);
  const minimum = (size === 8 ? new Float64Array(bytesOf(least)) : new Float32Array(bytesOf(least)))[0] as number;
  // C rounds each operation on 4-byte floats; `10 ** n` is not always rounded correctly.
  const rounded = (value: number): number => (size === 8 ? value : Math.fround(value));
  const scale = rounded(Number(`1e${decimals ?? 0}`));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number | bigint;
    if (filled !== undefined && word === top) words[at] = filled;
    // BigInts are added as numbers are.
    else if (decimals === undefined) words[at] = (word as number) + (base as number);
    else floats[at] = rounded(rounded(Number(word)) / scale) + minimum;
  }
}

const bytesOf = (bits: bigint): ArrayBuffer => BigUint64Array.of(bits).buffer;
