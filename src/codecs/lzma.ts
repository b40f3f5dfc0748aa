/** LZMA (xz-file-format 1.2.1, LZMA specification), as numcodecs' `lzma` gives it to Python's `lzma` module. */
import type { JsonObject } from "../core/json.ts";
import type { Codec, CodecStream, DecodeStep } from "./codec.ts";
import { brief, integerMember } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";
import type { Container } from "./lzma/decode.ts";
import { chainMember } from "./lzma/chain-member.ts";
import { magic } from "./stream-start.ts";

const LABELS = ["LZMA, .xz or .lzma", "LZMA, .xz", "LZMA, .lzma", "LZMA, raw"] as const;
const KINDS = ["auto", "xz", "alone"] as const;

/** .xz, which is what is written unless a format is given. */
const STREAM: CodecStream = { verifies: true, begins: magic(0xfd, 0x37, 0x7a, 0x58, 0x5a) };

export const lzma: Codec = {
  id: "lzma",
  names: { v3: ["numcodecs.lzma"] },
  kind: "bytes-bytes",
  words: "Decompresses xz.",
  stream: STREAM,
  insertable: "{}",
  prepare: (configuration) => {
    const format = integerMember("lzma", configuration, "format", { minimum: 0, maximum: 3, otherwise: 1 });
    return lzmaStep("lzma", LABELS[format] ?? "LZMA", containerOf(format, configuration));
  },
};

/** imagecodecs reads the size from the end of one .xz stream. */
export const imagecodecsLzma: Codec = {
  id: "imagecodecs_lzma",
  kind: "bytes-bytes",
  words: "Decompresses xz.",
  stream: STREAM,
  prepare: () => lzmaStep("imagecodecs_lzma", "LZMA, .xz", { kind: "single-xz" }),
};

function lzmaStep(codec: string, label: string, container: Container): DecodeStep {
  return {
    label,
    decode: async (input, limit) => {
      const { decodeLzma } = await import("./lzma/decode.ts");
      return decodeLzma(codec, input, container, limit);
    },
  };
}

function containerOf(format: number, configuration: JsonObject): Container {
  const kind = KINDS[format];
  if (kind === undefined) return { kind: "raw", chain: chainMember("lzma", configuration) };
  const filters = configuration.get("filters") ?? null;
  if (filters === null) return { kind };
  throw badConfiguration("lzma", "filters", `null, as format ${format} lists its filters itself`, brief(filters));
}
