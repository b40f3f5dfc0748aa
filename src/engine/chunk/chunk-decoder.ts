/**
 * Decoding chunks, many of them or large ones: where it is done is the host's business, which may have threads for it.
 */
import type { ArrayMetadata, ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { decodeAndReport, decodeChunk } from "./decode-chunk.ts";
import type { DecodedChunk, ReportAbout, ReportedChunk } from "./decode-chunk.ts";

/** Parts of a decoded chunk that work on whole arrays needs. `values` are certain for objects only. */
export type DecodedBytes = Pick<DecodedChunk, "bytes" | "values" | "remarks" | "error">;

export interface ChunkDecoder {
  /** Chunks that are worth being under way at the same time. */
  readonly atOnce: number;
  /** Fetches the code that decoding will need. Absent = all is here. */
  readonly prepare?: (metadata: ArrayMetadata) => void;
  /** Decodes like `decodeChunk`: never throws but for an abort. `stored` stays usable, unless it is given away. */
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

/** Decodes in the engine's own thread. */
export const inThread: ChunkDecoder = {
  atOnce: 1,
  decode: (...[metadata, stored, signal]) => decodeChunk(metadata, stored, signal),
  decodeAndReport,
};
