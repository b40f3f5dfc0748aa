/**
 * Bit shuffle alone, as imagecodecs calls the bitshuffle library: in blocks of elements, what is left over as it is.
 * HDF5's filter 32008 with its own compressors has no codec's name in reference sets.
 */
import type { JsonObject } from "../../core/json/json.ts";
import { badConfiguration, decodeFailed, type Decoder, integerMember } from "../codec.ts";
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
  return said > 0 ? said : Math.max(128, Math.floor(8192 / size / 8) * 8);
}

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
