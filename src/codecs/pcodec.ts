/**
 * Pcodec, a compression of numbers (pcodec/pcodec, docs/format.md): numcodecs' `pcodec`, and the registered codec of
 * Zarr v3. A chunk is one file of pco, and says all there is to know: what the configuration has is for writing. The
 * decoder is loaded when first needed.
 */
import type { Decoder } from "./codec.ts";

export const pcodec: Decoder = {
  prepare: (_configuration, { elements, dataType }) => ({
    label: "Pcodec",
    decode: async (input, limit, signal) => {
      const { decodePcodec } = await import("./pcodec/decode.ts");
      signal.throwIfAborted();
      return decodePcodec(input, elements * dataType.itemSize, limit);
    },
  }),
};
