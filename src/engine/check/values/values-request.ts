/** What a deep check is asked to read. */
import type { ChunkDecoder } from "../../many/chunk-decoder.ts";
import type { ArrayFacts } from "./value-facts.ts";

export interface ValuesRequest {
  readonly chunks: "all" | number;
  readonly decoder: ChunkDecoder;
  /** This array alone. */
  readonly array?: string | undefined;
  /** These chunks alone, by array and ordinal. */
  readonly only?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Gets what is known of each array's chunks when all are read: statistics as columns, for plots. */
  readonly onFacts?: (facts: readonly ArrayFacts[]) => void;
}
