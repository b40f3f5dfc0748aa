/** WebP (RFC 9649) as imagecodecs reads it with libwebp. The decoder is loaded when first needed. */
import type { Decoder } from "./codec.ts";
import { brief } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";

const ID = "imagecodecs_webp";

export const imagecodecsWebp: Decoder = {
  prepare: (configuration) => {
    const index = configuration.get("index") ?? 0;
    if (index !== 0) throw badConfiguration(ID, "index", "0 or null: an image, no animation", brief(index));
    const hasAlpha = configuration.get("hasalpha") ?? null;
    if (hasAlpha !== null && typeof hasAlpha !== "boolean") {
      throw badConfiguration(ID, "hasalpha", "true, false or null", brief(hasAlpha));
    }
    return {
      label: hasAlpha === null ? "WebP" : hasAlpha ? "WebP, with alpha" : "WebP, without alpha",
      decode: async (input, limit) => {
        const { decodeWebp } = await import("./webp/decode.ts");
        return decodeWebp(ID, input, { hasAlpha: hasAlpha ?? undefined, limit });
      },
    };
  },
};
