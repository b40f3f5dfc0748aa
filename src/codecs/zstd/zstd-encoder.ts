/** Zstandard frames by numcodecs' encoder, which zarrita brings along; fetched with the first. */
import { once } from "#core/basics.ts";
import { plainFrame } from "#core/plain-frame.ts";

/** Manifests are a tenth smaller than of level 1, in the same time (measured). */
const LEVEL = 3;

const encoder = once(async () => {
  const { default: Zstd } = await import("numcodecs/zstd");
  return Zstd.fromConfig({ id: "zstd", level: LEVEL });
});

/** False in a page: the encoder makes functions of text, which its policy forbids. */
const isAllowed = !("WorkerGlobalScope" in globalThis || "document" in globalThis);

/** Frames of a page compress nothing. */
export const compressZstd = async (content: Uint8Array): Promise<Uint8Array> =>
  isAllowed ? (await encoder()).encode(content) : plainFrame(content);
