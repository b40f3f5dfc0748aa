/** numcodecs `bitround` (also a registered Zarr v3 extension): rounds while encoding; there is nothing to undo. */
import { badConfiguration, brief, type Decoder, integerMember } from "./codec.ts";

export const bitround: Decoder = {
  prepare: (configuration) => {
    const range = { minimum: 0, maximum: 2 ** 31, otherwise: -1 };
    const bits = integerMember("bitround", configuration, "keepbits", range);
    if (bits < 0) {
      throw badConfiguration("bitround", "keepbits", "the number of bits kept", brief(configuration.get("keepbits")));
    }
    return { label: `bitround, ${bits} bits kept (nothing to undo)`, decode: (input) => input };
  },
};
