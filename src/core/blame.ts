/** Which commit last wrote each chunk of an array, and all that happened to one chunk: plain data. */
import type { Finding } from "./findings/finding.ts";
import type { SnapshotEntry } from "./repository.ts";

/**
 * State of a blamed chunk: `absent` was never there; `deleted` was, and `resized` was cut off by a shorter shape. `bad`
 * has a reference that says nothing.
 */
export const BLAME_KINDS = ["absent", "virtual", "native", "inline", "bad", "deleted", "resized"] as const;
export type BlameKind = (typeof BLAME_KINDS)[number];

/** A commit as the origin of chunks. */
export interface BlamedCommit extends SnapshotEntry {
  /** True if the commit or one before it did it: the history that would tell is not there. */
  readonly orEarlier: boolean;
  /** True if only its transaction log is left: its message, author and time are unknown. */
  readonly expired: boolean;
}

/** The blame of an array without its columns, which stay in the engine. */
export interface ArrayBlame {
  readonly array: string;
  readonly snapshot: string;
  /** Chunks along each dimension; shards, where the array has them. */
  readonly grid: readonly number[];
  /** Newest first, as far as chunks had to be explained; those without chunks are left out. */
  readonly commits: readonly CommitChunks[];
  /** Chunks that were never there, as far as the history is known. */
  readonly absent: number;
  readonly findings: readonly Finding[];
}

/** How many chunks a commit wrote last or removed, and the box of chunk coordinates that holds them. */
export interface CommitChunks extends BlamedCommit {
  readonly written: number;
  readonly removed: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A window of the columns of a blame, by ordinal in its grid (C order). */
export interface BlamedChunks {
  readonly array: string;
  readonly from: number;
  /** Index in `commits` plus 1; 0: none. */
  readonly by: Uint32Array<ArrayBuffer>;
  /** Index in `BLAME_KINDS`. */
  readonly kinds: Uint8Array<ArrayBuffer>;
}

/** A reference as a commit wrote it; bytes. */
export interface WrittenReference {
  readonly kind: "virtual" | "native" | "inline" | "bad";
  /** A virtual chunk's location as stored; absent where it cannot be read. */
  readonly location?: string;
  /** File of a native chunk. */
  readonly chunk?: string;
  readonly offset?: number | bigint;
  readonly length?: number | bigint;
  /** State of the source that was recorded: its ETag, or when it was last modified (ISO). */
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Something that a commit did to a chunk. `touched`: an expired commit set or deleted it. */
export interface ChunkEvent {
  readonly commit: BlamedCommit;
  readonly did: "wrote" | "deleted" | "resized" | "touched";
  /** The reference that it wrote, if that is known. */
  readonly reference?: WrittenReference;
}

export interface ChunkLife {
  readonly array: string;
  readonly snapshot: string;
  /** Chunk coordinates; a shard's, where the array has shards. */
  readonly chunk: readonly number[];
  /** Newest first. */
  readonly events: readonly ChunkEvent[];
  readonly findings: readonly Finding[];
}
