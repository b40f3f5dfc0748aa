/** numcodecs `shuffle`: byte 0 of all elements, then byte 1 of all, … (HDF5's shuffle filter). */
import { badConfiguration, decodeFailed, type Decoder, type DecodeStep, integerMember } from "../codec.ts";
import { unshuffleBytes } from "./unshuffle.ts";

const SIZES = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

export const shuffle: Decoder = {
  // The element size is the configuration's, whatever the array's data type: numcodecs takes 4 where none is given.
  prepare: (configuration) => {
    if (configuration.get("elementsize") === null) {
      throw badConfiguration("shuffle", "elementsize", "a whole number, or no such member", "null");
    }
    return stepOf(integerMember("shuffle", configuration, "elementsize", { ...SIZES, otherwise: 4 }));
  },
};

/** If a Zarr v3 codec gives no element size, zarr-python uses that of the array's data type. */
export const shuffleV3: Decoder = {
  prepare: (configuration, { dataType }) => {
    const otherwise = dataType.itemSize;
    return stepOf(integerMember("shuffle", configuration, "elementsize", { ...SIZES, otherwise }));
  },
};

/** HDF5's own: bytes after the last whole element stay where they are, which numcodecs refuses. */
export const hdf5Shuffle: Decoder = {
  prepare: (configuration) => {
    const size = integerMember("hdf5_shuffle", configuration, "elementsize", { ...SIZES, minimum: 1, otherwise: 4 });
    return {
      label: `shuffle, ${size}-byte elements and a rest`,
      decode: (input) => {
        const target = new Uint8Array(input.length);
        unshuffleBytes(input, size, target);
        return target;
      },
    };
  },
};

function stepOf(size: number): DecodeStep {
  return { label: `shuffle, ${size}-byte elements`, decode: (input) => unshuffle(input, size) };
}

function unshuffle(input: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= 1) return input;
  if (input.length % size !== 0) {
    throw decodeFailed("shuffle", `a multiple of the element size ${size}`, `${input.length} bytes`);
  }
  const target = new Uint8Array(input.length);
  unshuffleBytes(input, size, target);
  return target;
}
