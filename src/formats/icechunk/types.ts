/**
 * Interfaces that the reader of Icechunk repositories is given (objects by path, Zstandard), and types that its files
 * share.
 */
import type { JsonObject } from "#core/json/json.ts";
import type { SnapshotEntry } from "#core/repository.ts";

/**
 * Decompresses one frame, or several one after another, to at most `limit` bytes; throws where that does not do. A
 * dictionary is one of zstd's own, or raw content.
 */
export type DecompressZstd = (
  bytes: Uint8Array,
  options: { readonly dictionary?: Uint8Array; readonly limit: number },
) => Promise<Uint8Array> | Uint8Array;

/** Decompresses many small frames, one after another, against a dictionary that was prepared once. */
export type DecompressFrame = (frame: Uint8Array, limit: number) => Uint8Array;

export interface IcechunkZstd {
  /** For whole files. */
  readonly decompress: DecompressZstd;
  /** For locations of virtual chunks: synchronous, since they are decompressed when looked at. */
  readonly prepare: (dictionary: Uint8Array) => DecompressFrame;
}

/** The objects of a repository, by path below its root (`refs/branch.main/ref.json`, not encoded for URLs). */
export interface IcechunkObjects {
  /** `undefined` where there is no such object; every other failure is thrown. */
  readonly get: (path: string) => Promise<Uint8Array | undefined>;
  /** Paths of all objects whose path begins with `prefix`; absent where listing is impossible (plain HTTP). */
  readonly list?: (prefix: string) => Promise<readonly string[]>;
}

/** A number below 2^53, or exact beyond. */
export type Exact = number | bigint;

/** A snapshot as a history shows it. */
export interface HistoryEntry extends Omit<SnapshotEntry, "author" | "metadata"> {
  /** Metadata that authors gave; Icechunk's own is under `__icechunk`. */
  readonly metadata: JsonObject;
}

/** Microseconds at the end of the year 9999: what comes later is not shown. */
const END_MICROSECONDS = 253_402_300_800_000_000;

/** `2026-11-20T20:16:54.182528Z`; `undefined` beyond the year 9999. */
export function timeText(microseconds: Exact): string | undefined {
  if (microseconds >= END_MICROSECONDS) return undefined;
  const exact = BigInt(microseconds);
  const seconds = new Date(Number(exact / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(exact % 1_000_000n).padStart(6, "0")}Z`;
}

/** `2024-05-06T07:08:09.000Z` */
export const secondsText = (seconds: number): string => new Date(seconds * 1000).toISOString();
