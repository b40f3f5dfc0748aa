/** How a stream of adaptive entropy coding was made (CCSDS 121.0-B-3): what is not in the stream itself. */
import { decodeFailed } from "../failure.ts";

/** As libaec.h numbers them, and GRIB with it (code table 5.42 is octet 22 of template 5.42). */
export const AEC_SIGNED = 1;
export const AEC_PREPROCESS = 8;
export const AEC_RESTRICTED = 16;
export const AEC_PAD_INTERVALS = 32;

export interface AecParameters {
  /** For errors: which codec is decoding, and which part of its data is the stream. */
  readonly codec: string;
  readonly section?: string;
  /** Of a sample, 1 to 32. */
  readonly bits: number;
  /** Samples in a block; even. The standard has 8, 16, 32 and 64. */
  readonly blockSize: number;
  /** Blocks between reference samples. */
  readonly interval: number;
  /** Those of the byte order and of 3-byte samples (2 and 4) say how libaec lays samples out, not how they are coded. */
  readonly flags: number;
}

/** Bits that name how a block is coded. Throws `decode-failed` where the parameters are none of this coding. */
export function identifierBits(parameters: AecParameters): number {
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
