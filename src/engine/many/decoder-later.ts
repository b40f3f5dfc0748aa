/** A decoder whose code is fetched with the first chunk. */
import type { ChunkDecoder } from "./chunk-decoder.ts";

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
  return {
    get atOnce() {
      return atOnce;
    },
    decode: async (...given) => (await decoder()).decode(...given),
    decodeAndReport: async (...given) => (await decoder()).decodeAndReport(...given),
  };
}
