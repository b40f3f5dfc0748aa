/** Messages between a pool and its threads. */
import type { ChunkMetadata } from "../../core/metadata/array-metadata.ts";
import type { Finding } from "../../core/findings/finding.ts";

export interface ToThread {
  readonly id: number;
  /** Absent: that of the message before. */
  readonly metadata?: ChunkMetadata;
  /** The thread's own from here on. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

export type FromThread =
  | { readonly kind: "ready" }
  | {
      readonly kind: "decoded";
      readonly id: number;
      readonly bytes?: Uint8Array<ArrayBuffer>;
      readonly remarks?: readonly Finding[];
      readonly error?: Finding;
    };
