/** PNG (ISO/IEC 15948) as imagecodecs reads it with libpng. The decoder is loaded when first needed. */
import type { Codec } from "./codec.ts";
import { magic } from "./stream-start.ts";

const ID = "imagecodecs_png";

export const imagecodecsPng: Codec = {
  id: ID,
  kind: "bytes-bytes",
  words: "Decodes a PNG image.",
  stream: { verifies: true, begins: magic(0x89, 0x50, 0x4e, 0x47) },
  prepare: () => ({
    label: "PNG",
    decode: async (input, limit) => {
      const { decodePng } = await import("./png/decode.ts");
      return decodePng(ID, input, limit);
    },
  }),
};
