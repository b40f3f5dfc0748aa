/**
 * Pcodec, a compression of numbers (pcodec/pcodec, docs/format.md): numcodecs' `pcodec`, and the registered codec of
 * Zarr v3. A chunk is one file of pco, and says all there is to know: what the configuration has is for writing. The
 * decoder is loaded when first needed.
 */
import type { Codec } from "./codec.ts";
import { magic } from "./stream-start.ts";

export const pcodec: Codec = {
  id: "pcodec",
  names: { v3: ["numcodecs.pcodec", "pcodec"], also: ["imagecodecs_pcodec"] },
  kind: "array-bytes",
  words: "Decompresses numbers that Pcodec compressed.",
  python: [{ name: "numcodecs[pcodec]" }],
  stream: { verifies: false, begins: magic(0x70, 0x63, 0x6f, 0x21) },
  prepare: (_configuration, { elements, dataType }) => ({
    label: "Pcodec",
    decode: async (input, limit, signal) => {
      const { decodePcodec } = await import("./pcodec/decode.ts");
      signal.throwIfAborted();
      return decodePcodec(input, elements * dataType.itemSize, limit);
    },
  }),
};
