/** Zstandard frames by numcodecs' encoder, which is fetched with the first: the page has it for zarrita. */
import { once } from "#core/basics.ts";

/** Below it manifests grow by a tenth; above, they shrink by less and take several times as long (measured). */
const LEVEL = 3;

const encoder = once(async () => {
  const { default: Zstd } = await import("numcodecs/zstd");
  return Zstd.fromConfig({ id: "zstd", level: LEVEL });
});

export const compressZstd = async (content: Uint8Array): Promise<Uint8Array> => (await encoder()).encode(content);
