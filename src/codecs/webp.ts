/** WebP (RFC 9649) as imagecodecs reads it with libwebp. The decoder is loaded when first needed. */
import type { Codec } from "./codec.ts";
import { brief } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";

const ID = "imagecodecs_webp";
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

export const imagecodecsWebp: Codec = {
  id: ID,
  kind: "bytes-bytes",
  words: "Decodes a WebP image.",
  stream: {
    verifies: false,
    begins: (bytes, at) =>
      RIFF.every((byte, i) => bytes[at + i] === byte) && WEBP.every((byte, i) => bytes[at + 8 + i] === byte),
  },
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
