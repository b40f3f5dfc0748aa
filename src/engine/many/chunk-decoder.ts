/** Decoding many chunks: where it is done is the host's business, which may have threads for it. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import { decodeChunk, type DecodedChunk } from "../chunk/decode-chunk.ts";

/** What whole-array work needs of a decoded chunk. `values` are there for objects, else perhaps. */
export type DecodedBytes = Pick<DecodedChunk, "bytes" | "values" | "error">;

export interface ChunkDecoder {
  /** Chunks that are worth being under way at the same time. */
  readonly atOnce: number;
  /** As `decodeChunk`: never throws but for an abort. `stored` stays as it is. */
  decode(metadata: ArrayMetadata, stored: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<DecodedBytes>;
}

/** In the engine's own thread. */
export const inThread: ChunkDecoder = { atOnce: 1, decode: decodeChunk };
