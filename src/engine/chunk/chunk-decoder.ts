/** Decoding chunks, many of them or large ones: where it is done is the host's business, which may have threads for it. */
import type { ArrayMetadata, ChunkMetadata } from "../../core/metadata/array-metadata.ts";
import {
  decodeAndReport,
  decodeChunk,
  type DecodedChunk,
  type ReportAbout,
  type ReportedChunk,
} from "./decode-chunk.ts";

/** What whole-array work needs of a decoded chunk. `values` are there for objects, else perhaps. */
export type DecodedBytes = Pick<DecodedChunk, "bytes" | "values" | "remarks" | "error">;

export interface ChunkDecoder {
  /** Chunks that are worth being under way at the same time. */
  readonly atOnce: number;
  /** Fetches the code that decoding will need. Absent = all is here. */
  readonly prepare?: (metadata: ArrayMetadata) => void;
  /** As `decodeChunk`: never throws but for an abort. `stored` stays as it is, where it is not given away. */
  decode(
    metadata: ChunkMetadata,
    stored: Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
    giving?: GivenAway,
  ): Promise<DecodedBytes>;
  /** One chunk with all its stages. Never throws but for an abort. */
  decodeAndReport(
    metadata: ChunkMetadata,
    stored: Uint8Array<ArrayBuffer>,
    about: ReportAbout,
    signal: AbortSignal,
  ): Promise<ReportedChunk>;
}

/** Nobody else looks at the stored bytes again, so that they need not be copied. */
export interface GivenAway {
  /** Should they be lost with the thread that had them: the same once more. */
  readonly again: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** In the engine's own thread. */
export const inThread: ChunkDecoder = {
  atOnce: 1,
  decode: (...[metadata, stored, signal]) => decodeChunk(metadata, stored, signal),
  decodeAndReport,
};
