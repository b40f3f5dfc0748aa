/** Map of a shard's bytes from its index (Zarr v3 `sharding_indexed`), and its oddities. */

/** States by code in `ShardMap.codes`. `shared`: several inner chunks have the same bytes, which is not an error. */
export const ENTRY_STATES = [
  "empty",
  "present",
  "shared",
  "overlap",
  "into-index",
  "past-end",
  "half-empty",
  "zero-length",
] as const;

export type EntryState = (typeof ENTRY_STATES)[number];
export type DamagedState = Exclude<EntryState, "empty" | "present" | "shared">;

/** An entry from which no chunk can be read. */
export function isDamaged(state: EntryState): state is DamagedState {
  return state !== "empty" && state !== "present" && state !== "shared";
}

/** Entries by inner chunk, in C order of the inner grid. Bytes count from the start of the shard. */
export interface ShardIndex {
  /** -1 where the entry is empty; numbers above 2^53 are rounded. */
  readonly offsets: Float64Array<ArrayBuffer>;
  readonly lengths: Float64Array<ArrayBuffer>;
  /** Indexes into `ENTRY_STATES`. */
  readonly codes: Uint8Array<ArrayBuffer>;
}

export interface ShardFault {
  /** Ordinal in the inner grid. */
  readonly inner: number;
  readonly fault: DamagedState;
  /** For `overlap`: ordinals of those it shares bytes with, at most 8. */
  readonly with?: readonly number[];
  /** It begins first of those that overlap, and is still read; those that begin inside it are not. */
  readonly isRead?: true;
}

export interface ShardMap extends ShardIndex {
  /** Inner chunks along each dimension of the shard. */
  readonly innerGrid: readonly number[];
  /** Bytes of the shard. */
  readonly size: number;
  readonly index: { readonly offset: number; readonly length: number };
  /** Entries by their code in `ENTRY_STATES`. */
  readonly counts: readonly number[];
  /** Present entries in order of offset (the first of shared ones): ordinals. */
  readonly inFileOrder: Uint32Array<ArrayBuffer>;
  /** Bytes covered by neither the index nor an entry: from and to of each, flat, ascending. */
  readonly gaps: Float64Array<ArrayBuffer>;
  readonly bytesUsed: number;
  readonly bytesDead: number;
  /** The order in which the chunks lie in the file, where that has a name; `undefined` below two chunks. */
  readonly writeOrder: "C" | "F" | "Morton" | "reverse C" | "other" | undefined;
  /** At most 10,000; `faultCount` is how many there are. */
  readonly faults: readonly ShardFault[];
  readonly faultCount: number;
}
