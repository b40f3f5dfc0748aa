/**
 * SZIP as HDF5's filter 4 stores it, and imagecodecs reads it: the decoded size in 4 bytes, then adaptive entropy coding
 * with the rules by which libaec stands in for szlib (its sz_compat.c).
 */
import { swapBytes } from "#core/values/byte-order.ts";
import { decodeAecInto } from "../aec/decode.ts";
import { unshuffleBytes } from "../blosc/unshuffle.ts";
import { badConfiguration, brief, decodeFailed, decodeTooLarge, integerMember } from "../codec.ts";
import type { Bytes, Decoder } from "../codec.ts";

const ID = "imagecodecs_szip";

export const imagecodecsSzip: Decoder = {
  prepare: (configuration) => {
    const member = (name: string, maximum: number): number =>
      integerMember(ID, configuration, name, { minimum: 1, maximum, otherwise: 0 });
    const [mask, bits] = [member("options_mask", 2 ** 31 - 1), member("bits_per_pixel", 64)];
    const [block, line] = [member("pixels_per_block", 254), member("pixels_per_scanline", 2 ** 20)];
    if (bits === 0 || block === 0 || line < block) {
      const found = `${bits} bits, lines of ${line} and blocks of ${block}`;
      throw badConfiguration(ID, "pixels_per_scanline", "bits of a pixel, and lines of at least a block", found);
    }
    // False without a size in the data, and no member says it.
    const header = configuration.get("header") ?? true;
    if (header !== true) throw badConfiguration(ID, "header", "true, as HDF5 writes SZIP", brief(header));
    return {
      label: `SZIP, ${bits}-bit pixels`,
      decode: (input, limit) => unszip(input, limit, { mask, bits, block, line }),
    };
  },
};

/** Blocks and lines are of pixels. */
type Szip = Readonly<Record<"mask" | "bits" | "block" | "line", number>>;

/** Bits of the options mask that affect the stream. */
const HIGHEST_BYTE_FIRST = 16;
const NEAREST_NEIGHBOUR = 32;
/** libaec's name for the latter. */
const AEC_PREPROCESS = 8;
const SIZE_BYTES = 4;

function unszip(input: Bytes, limit: number, { mask, block, bits, line }: Szip): Bytes {
  if (input.length < SIZE_BYTES) throw decodeFailed(ID, "a decoded size of 4 bytes", `${input.length} bytes`);
  const size = new DataView(input.buffer, input.byteOffset, SIZE_BYTES).getUint32(0, true);
  if (size > limit) throw decodeTooLarge(ID, limit, `${size} bytes, as the first 4 bytes say`);
  // Wider pixels are coded as bytes: the first of all of them, then the second.
  const width = bits === 32 || bits === 64 ? bits / 8 : 1;
  const sampleBits = width > 1 ? 8 : bits;
  const sampleBytes = sampleBits > 16 ? 4 : sampleBits > 8 ? 2 : 1;
  if (size % (width * sampleBytes) !== 0) {
    throw decodeFailed(ID, `a multiple of ${width * sampleBytes} as the decoded size`, `${size}`);
  }
  const interval = Math.ceil(line / block);
  const padded = interval * block;
  const samples = size / sampleBytes;
  const whole = Math.floor(samples / line);
  const coded = whole * padded + (samples % line);
  const Samples = sampleBytes === 4 ? Uint32Array : sampleBytes === 2 ? Uint16Array : Uint8Array;
  const out = new Samples(coded);
  const flags = (mask & NEAREST_NEIGHBOUR) === 0 ? 0 : AEC_PREPROCESS;
  decodeAecInto(out, input.subarray(SIZE_BYTES), { codec: ID, bits: sampleBits, blockSize: block, interval, flags });
  // Lines are padded to whole blocks.
  if (padded > line)
    for (let at = 1; at * line < samples; at++) out.copyWithin(at * line, at * padded, at * padded + line);
  const target = new Uint8Array(size);
  unshuffleBytes(new Uint8Array(out.buffer, 0, size), width, target);
  return sampleBytes > 1 && (mask & HIGHEST_BYTE_FIRST) !== 0 ? swapBytes(target, sampleBytes) : target;
}
