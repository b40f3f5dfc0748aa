/** numcodecs `shuffle`: byte 0 of all elements, then byte 1 of all, … (HDF5's shuffle filter). */
import type { Codec } from "./codec.ts";
import { integerMember } from "./configuration.ts";
import { decodeFailed } from "./failure.ts";
import { unshuffleBytes } from "./unshuffle.ts";

export const shuffle: Codec = {
  id: "shuffle",
  prepare: (configuration) => {
    // The element size is the configuration's, whatever the array's data type: numcodecs takes 4 where none is given.
    const size = integerMember("shuffle", configuration, "elementsize", { least: 0, most: 2 ** 31, otherwise: 4 });
    return { label: `shuffle, ${size}-byte elements`, decode: (input) => unshuffle(input, size) };
  },
};

function unshuffle(input: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= 1) return input;
  if (input.length % size !== 0) {
    throw decodeFailed("shuffle", `a multiple of the element size ${size}`, `${input.length} bytes`);
  }
  const target = new Uint8Array(input.length);
  unshuffleBytes(input, size, target);
  return target;
}
