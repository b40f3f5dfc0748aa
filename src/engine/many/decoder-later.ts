/** A decoder whose code is fetched with the first chunk, or before. */
import { loadCodecs } from "#codecs/find-codec.ts";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { oncePer } from "../kept.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";

export function decoderLater(fetchDecoder: () => Promise<ChunkDecoder>): ChunkDecoder {
  let fetched: Promise<ChunkDecoder> | undefined;
  let atOnce = 1;
  const decoder = async (): Promise<ChunkDecoder> => {
    fetched ??= fetchDecoder();
    try {
      const found = await fetched;
      ({ atOnce } = found);
      return found;
    } catch (error) {
      // Perhaps it can be fetched with the next.
      fetched = undefined;
      throw error;
    }
  };
  // A failed fetch is repeated, and reported, when a chunk is decoded.
  const prepare = oncePer(({ decoding }: ArrayMetadata) => {
    void Promise.allSettled([decoder(), loadCodecs(decoding)]);
  });
  return {
    prepare,
    get atOnce() {
      return atOnce;
    },
    decode: async (...given) => (await decoder()).decode(...given),
    decodeAndReport: async (...given) => (await decoder()).decodeAndReport(...given),
  };
}
