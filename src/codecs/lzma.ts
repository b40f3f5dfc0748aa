/** LZMA (xz-file-format 1.2.1, LZMA specification), as numcodecs' `lzma` gives it to Python's `lzma` module. */
import type { JsonObject } from "../core/json/json.ts";
import type { DecodeStep, Decoder } from "./codec.ts";
import { brief, integerMember } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";
import type { Container } from "./lzma/decode.ts";
import { chainMember } from "./lzma/chain-member.ts";

const LABELS = ["LZMA, .xz or .lzma", "LZMA, .xz", "LZMA, .lzma", "LZMA, raw"] as const;
const KINDS = ["auto", "xz", "alone"] as const;

export const lzma: Decoder = {
  prepare: (configuration) => {
    const format = integerMember("lzma", configuration, "format", { minimum: 0, maximum: 3, otherwise: 1 });
    return lzmaStep("lzma", LABELS[format] ?? "LZMA", containerOf(format, configuration));
  },
};

/** imagecodecs reads the size from the end of one .xz stream. */
export const imagecodecsLzma: Decoder = {
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
