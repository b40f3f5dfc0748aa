/** A reading that gave exactly the bytes of the chunk, on its way to becoming a suggestion. */
import type { RepairKind, Trial } from "../../../core/lab.ts";
import type { ArrayMetadata } from "../../../core/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import type { Attempt, Attempts } from "./attempts.ts";
import type { Neighbours } from "./neighbours.ts";
import type { ChunkWindow } from "./window.ts";

/** What the search knows. */
export interface Search {
  readonly metadata: ArrayMetadata;
  readonly window: ChunkWindow;
  readonly neighbours: Neighbours;
  /** Where the declared range is in the target; `undefined` where the chunk is not a range. */
  readonly range: { readonly offset: number; readonly length: number } | undefined;
  readonly attempts: Attempts;
  readonly declared: Attempt;
  readonly context: CallContext;
}

export interface Candidate {
  readonly kind: RepairKind;
  readonly title: string;
  readonly trial: Trial;
  /** The decoded bytes, to tell candidates apart. */
  readonly bytes: Uint8Array;
  readonly evidence: readonly string[];
  /** 0 to 1. */
  readonly score: number;
}

const countOf = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en")} ${one}s`;

/** "12 bytes", "1 byte", "65,536 bytes". */
export const byteCount = (count: number): string => countOf(count, "byte");

/** "zlib", "zlib and shuffle". */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** How sure a reading is by what decoding it verified, 0 to 1; and in words. */
export function proofOf({ verified, sound }: Attempt): {
  readonly score: number;
  readonly evidence: readonly string[];
} {
  const names = [...new Set(verified)];
  if (names.length > 0) {
    const which = `the checksum${names.length === 1 ? "" : "s"} of ${listed(names)}`;
    return { score: 0.98 - 0.06 * 0.5 ** (verified.length - 1), evidence: [`It verifies ${which}.`] };
  }
  if (sound.length > 0) {
    return { score: 0.86, evidence: [`${listed(sound)} decodes from its first byte to its last, without an error.`] };
  }
  return { score: 0.4, evidence: [] };
}
