/**
 * LERC, Esri's compression of rasters (Esri/lerc, `doc/`), as imagecodecs reads it. What the raster is says the blob
 * itself. The decoder is loaded when first needed.
 */
import type { Codec } from "./codec.ts";

const ID = "imagecodecs_lerc";
/** "Lerc2 " */
const MAGIC = [0x4c, 0x65, 0x72, 0x63, 0x32, 0x20];

export const imagecodecsLerc: Codec = {
  id: ID,
  kind: "bytes-bytes",
  words: "Decompresses LERC, Esri's compression of rasters.",
  stream: { verifies: true, begins: (bytes, at) => MAGIC.every((byte, i) => bytes[at + i] === byte) },
  prepare: () => ({
    label: "LERC",
    decode: async (input, limit) => {
      const { decodeLerc } = await import("./lerc/decode.ts");
      return decodeLerc(ID, input, limit);
    },
  }),
};
