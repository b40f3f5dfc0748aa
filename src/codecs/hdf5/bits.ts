/** Integers that use some of their bits (HDF5's precision and offset) as whole ones, as HDF5 hands them out. */
import { swapBytes } from "#core/values/byte-order.ts";
import { badConfiguration, decodeFailed, type Decoder, integerMember } from "../codec.ts";
import { wordsOf } from "./packed-bits.ts";

const ID = "hdf5_bits";

export const hdf5Bits: Decoder = {
  prepare: (configuration, { dataType }) => {
    const { kind, itemSize: size, byteOrder, text } = dataType;
    if (kind !== "int" && kind !== "uint") throw badConfiguration(ID, "data type", "integers", text.slice(0, 80));
    const offset = integerMember(ID, configuration, "offset", { minimum: 0, maximum: 8 * size - 1, otherwise: 0 });
    const most = 8 * size - offset;
    const precision = integerMember(ID, configuration, "precision", { minimum: 1, maximum: most, otherwise: most });
    return {
      label: `${precision} bits from bit ${offset} on`,
      decode: (input) => {
        if (input.length % size !== 0) throw decodeFailed(ID, `a multiple of ${size} bytes`, `${input.length} bytes`);
        const bytes = byteOrder === "big" ? swapBytes(input, size) : input.slice();
        const words = wordsOf(bytes, size);
        for (let at = 0; at < words.length; at++) {
          const low = BigInt(words[at] as bigint | number) >> BigInt(offset);
          const whole = kind === "int" ? BigInt.asIntN(precision, low) : BigInt.asUintN(precision, low);
          words[at] = size === 8 ? whole : Number(whole);
        }
        return byteOrder === "big" ? swapBytes(bytes, size) : bytes;
      },
    };
  },
};
