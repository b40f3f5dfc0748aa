/**
 * Bit shuffle as the bitshuffle library has it: in blocks of elements, what is left over as it is. Alone, as imagecodecs
 * calls it, and with a compressor, as HDF5's filter 32008 stores it (bshuf_h5filter.c).
 */
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, type Bytes, choiceMember, decodeFailed, type Decoder, integerMember } from "../codec.ts";
import { decodeFrames } from "../lz/imagecodecs-lz4.ts";
import { decodeLz4Block } from "../lz/lz4-block.ts";
import { readyZstd } from "../zstd/zstd-frames.ts";
import { unshuffleBits } from "./unshuffle.ts";

const ID = "imagecodecs_bitshuffle";

export const imagecodecsBitshuffle: Decoder = {
  prepare: (configuration) => {
    const size = integerMember(ID, configuration, "itemsize", { minimum: 1, maximum: 2 ** 16, otherwise: 1 });
    const elements = blockElements(configuration, size);
    return { label: `bitshuffle, ${size}-byte elements`, decode: (input) => undo(input, size, elements) };
  },
};

/** Elements of a block, a multiple of 8. The library's own choice: 8,192 bytes, at least 128 elements. */
function blockElements(configuration: JsonObject, size: number): number {
  const said = integerMember(ID, configuration, "blocksize", { minimum: 0, maximum: 2 ** 31 - 1, otherwise: 0 });
  if (said % 8 !== 0) throw badConfiguration(ID, "blocksize", "a multiple of 8 elements", String(said));
  return said > 0 ? said : usualBlock(size);
}

const usualBlock = (size: number): number => Math.max(128, Math.floor(8192 / size / 8) * 8);

function undo(input: Uint8Array<ArrayBuffer>, size: number, elements: number): Uint8Array<ArrayBuffer> {
  if (input.length % size !== 0) {
    throw decodeFailed(ID, `a multiple of the element size ${size}`, `${input.length} bytes`);
  }
  const target = new Uint8Array(input.length);
  const whole = Math.floor(input.length / size / 8) * 8 * size;
  for (let from = 0; from < whole; from += elements * size) {
    const to = Math.min(whole, from + elements * size);
    unshuffleBits(input.subarray(from, to), size, target.subarray(from, to));
  }
  target.set(input.subarray(whole), whole);
  return target;
}

const HDF5 = "hdf5_bitshuffle";

export const hdf5Bitshuffle: Decoder = {
  prepare: (configuration) => {
    const size = integerMember(HDF5, configuration, "elementsize", { minimum: 1, maximum: 2 ** 16, otherwise: 1 });
    const compression = choiceMember(HDF5, configuration, "compression", ["lz4", "zstd"]);
    const isLz4 = compression === "lz4";
    return {
      label: `bitshuffle, ${size}-byte elements, ${isLz4 ? "LZ4" : "Zstandard"}`,
      decode: async (input, limit) => {
        const unpack = isLz4 ? unpackLz4 : await zstdUnpacker();
        const decode = (block: Bytes, part: Bytes): void => {
          const bits = new Uint8Array(part.length);
          unpack(block, bits);
          unshuffleBits(bits, size, part);
        };
        const reach = isLz4 ? 255 : Number.POSITIVE_INFINITY;
        return decodeFrames(input, {
          codec: HDF5,
          limit,
          reach,
          unit: 8 * size,
          usual: usualBlock(size) * size,
          decode,
        });
      },
    };
  },
};

const unpackLz4 = (block: Bytes, bits: Bytes): void => decodeLz4Block(HDF5, block, bits);

async function zstdUnpacker(): Promise<(block: Bytes, bits: Bytes) => void> {
  const unpack = await readyZstd();
  return (block, bits) => {
    const output = { codec: HDF5, limit: bits.length, bytes: bits, length: 0 };
    unpack(block, output);
    if (output.length !== bits.length) {
      throw decodeFailed(HDF5, `a block of ${bits.length} bytes`, `${output.length} bytes`);
    }
  };
}
