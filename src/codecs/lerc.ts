/**
 * LERC, Esri's compression of rasters (Esri/lerc, `doc/`), as imagecodecs reads it. What the raster is says the blob
 * itself. The decoder is loaded when first needed.
 */
import type { Decoder } from "./codec.ts";

const ID = "imagecodecs_lerc";

export const imagecodecsLerc: Decoder = {
  prepare: () => ({
    label: "LERC",
    decode: async (input, limit) => {
      const { decodeLerc } = await import("./lerc/decode.ts");
      return decodeLerc(ID, input, limit);
    },
  }),
};
