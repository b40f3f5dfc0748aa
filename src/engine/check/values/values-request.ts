/** Request of a deep check: what to read. */
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import type { ArrayFacts } from "./value-facts.ts";

/** All, so many of the set, or of each array enough to meet what is wrong with this share of its chunks. */
export type ChunksAsked = "all" | number | { readonly share: number };

export interface ValuesRequest {
  readonly chunks: ChunksAsked;
  readonly decoder: ChunkDecoder;
  /** This array alone. */
  readonly array?: string | undefined;
  /** These chunks alone, by array and ordinal. */
  readonly only?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Reading ends when it is aborted; what was read until then is compared. */
  readonly stop?: AbortSignal | undefined;
  /** Gets what is known of each array's chunks when all are read: statistics as columns, for plots. */
  readonly onFacts?: (facts: readonly ArrayFacts[]) => void;
}
