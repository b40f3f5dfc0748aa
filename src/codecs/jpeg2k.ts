/**
 * JPEG 2000 (ITU-T T.800) as imagecodecs reads it with OpenJPEG: a code stream, or a JP2 file. What the image is says the
 * image itself. The decoder is loaded when first needed.
 */
import type { Decoder } from "./codec.ts";

const ID = "imagecodecs_jpeg2k";

export const imagecodecsJpeg2k: Decoder = {
  prepare: (configuration) => {
    const isPlanar = configuration.get("planar") === true;
    return {
      label: isPlanar ? "JPEG 2000, a plane a component" : "JPEG 2000",
      decode: async (input, limit, signal) => {
        const { decodeJpeg2000 } = await import("./jpeg2000/image-bytes.ts");
        return decodeJpeg2000({ codec: ID }, input, { isPlanar, limit, signal });
      },
    };
  },
};
