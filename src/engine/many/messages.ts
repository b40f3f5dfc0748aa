/** Messages between a pool and its threads. */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ReportAbout, ReportedChunk } from "../chunk/decode-chunk.ts";

export interface ToThread {
  readonly id: number;
  /** Absent: that of the message before. */
  readonly metadata?: ChunkMetadata;
  /** The thread's own from here on. */
  readonly stored: Uint8Array<ArrayBuffer>;
  /** Facts for a report, if all of the chunk's stages are wanted. */
  readonly about?: ReportAbout;
}

/** Values lie in the bytes. */
export type FromReport = Omit<ReportedChunk, "values">;

export type FromThread =
  | { readonly kind: "ready" }
  | {
      readonly kind: "decoded";
      readonly id: number;
      readonly bytes?: Uint8Array<ArrayBuffer>;
      readonly remarks?: readonly Finding[];
      readonly error?: Finding;
    }
  | { readonly kind: "reported"; readonly id: number; readonly reported: FromReport };
