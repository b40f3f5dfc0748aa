/** A reading that gave exactly the bytes of the chunk, on its way to becoming a suggestion. */
import type { Evidence, Suggestion } from "#core/repair.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { Attempt, Attempts } from "./attempts.ts";
import type { Neighbours } from "./neighbours.ts";
import type { ChunkWindow } from "./window.ts";

/** Context of the search. */
export interface Search {
  /** The array's, without its group. */
  readonly name: string;
  readonly metadata: ChunkMetadata;
  readonly window: ChunkWindow;
  readonly neighbours: Neighbours;
  /** Declared range in the target; `undefined` if the chunk is not a range. */
  readonly range: { readonly offset: number; readonly length: number } | undefined;
  readonly attempts: Attempts;
  readonly declared: Attempt;
  readonly context: CallContext;
}

export interface Candidate extends Suggestion {
  /** The decoded bytes, to tell candidates apart. */
  readonly bytes: Uint8Array;
}

/** How sure a reading is by what decoding it verified, 0 to 1. */
export function proofOf({ verified, sound }: Attempt): Pick<Suggestion, "score" | "evidence"> {
  if (verified.length > 0) {
    const evidence: Evidence = { kind: "checksum-holds", codecs: [...new Set(verified)] };
    return { score: 0.98 - 0.06 * 0.5 ** (verified.length - 1), evidence: [evidence] };
  }
  if (sound.length > 0) return { score: 0.86, evidence: [{ kind: "stream-whole", codecs: sound }] };
  return { score: 0.4, evidence: [] };
}
