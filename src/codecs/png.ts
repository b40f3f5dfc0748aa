/** PNG (ISO/IEC 15948) as imagecodecs reads it with libpng. The decoder is loaded when first needed. */
import type { Decoder } from "./codec.ts";

const ID = "imagecodecs_png";

export const imagecodecsPng: Decoder = {
  prepare: () => ({
    label: "PNG",
    decode: async (input, limit) => {
      const { decodePng } = await import("./png/decode.ts");
      return decodePng(ID, input, limit);
    },
  }),
};
