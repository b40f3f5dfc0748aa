/** numcodecs `bitround`: rounds while encoding; there is nothing to undo. */
import type { Codec } from "./codec.ts";
import { integerMember } from "./configuration.ts";

export const bitround: Codec = {
  id: "bitround",
  prepare: (configuration) => {
    const bits = integerMember("bitround", configuration, "keepbits", { least: 0, most: 64, otherwise: 0 });
    return { label: `bitround, ${bits} bits kept (nothing to undo)`, decode: (input) => input };
  },
};
