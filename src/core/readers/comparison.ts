/** A chunk that another reader read, too, and what the two made of it. Plain data. */
import type { Finding } from "../findings/fact.ts";

export type ReaderComparison =
  | { readonly kind: "same"; readonly of: number }
  | {
      readonly kind: "differs";
      /** Elements that differ, of how many within the array. */
      readonly count: number;
      readonly of: number;
      /** The first of them, within the chunk. */
      readonly first: readonly number[];
      readonly ours: string;
      readonly theirs: string;
    }
  /** The reader fails; `ours` says why it fails here, too. */
  | { readonly kind: "error"; readonly error: string; readonly ours?: Finding }
  /** It gives values where there are none: here reading fails. */
  | { readonly kind: "made-up"; readonly first: string; readonly of: number; readonly ours: Finding }
  | { readonly kind: "not-run"; readonly why: NotRun };

/**
 * `format`: it reads no such sets. `shards`: in documents it is not given them. `too-large`, `timeout`: the limits of a
 * comparison. `no-values`: nothing says what a missing chunk holds. `ended`: its thread died.
 */
export type NotRun = "format" | "shards" | "too-large" | "timeout" | "no-values" | "ended" | "runtime";

/** Before a chunk is compared: what that reads, for both sides, or why it cannot be. */
export type ComparisonCost =
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "not-run"; readonly why: NotRun };
