/** Verdicts on how readers treat a set, as plain data. */
import type { Effect, FeatureId, Reader } from "./rules.ts";

/** A feature that a set has, and how much of it. */
export interface FeatureUse {
  readonly feature: FeatureId;
  /** Number of `unit`, out of `of`. */
  readonly count: number;
  readonly of: number;
  readonly unit: "chunk" | "reference" | "document" | "set";
  /** The first key, array or URL, and the arrays, where it has such. */
  readonly first?: string;
  readonly arrays?: readonly string[];
  /** Python's error on the way. */
  readonly error?: string;
}

export interface ReaderEffect {
  /** Id of a rule; `rules.ts` has its text. */
  readonly rule: string;
  readonly effect: Effect;
  /** True if it depends on a condition that the set does not tell. */
  readonly isConditional: boolean;
  /** The version for which it is known to be so, where that decides: "fsspec 2024.2.0". */
  readonly version?: string;
  readonly use: FeatureUse;
  /** Arrays of the set that it finds, if it reads such sets: those that no certain effect concerns. */
  readonly finds?: { readonly arrays: number; readonly of: number };
}

export interface ReaderVerdict {
  readonly reader: Reader;
  /** Version asked about, if not the one of the rules: "fsspec 2024.2.0". */
  readonly asked?: string;
  /** Answer by rules. `unknown`: no rule covers sets of this format. */
  readonly answer: "yes" | "partly" | "no" | "unknown";
  /** Chunks that were read by the reader itself; absent where the verdict is one of rules alone. */
  readonly run?: ReaderSample;
  /** The worst first. */
  readonly effects: readonly ReaderEffect[];
}

/** Chunks that a reader read, beside ours. */
export interface ReaderSample {
  /** Chunks that the grids expect, those without a reference among them. */
  readonly of: number;
  readonly compared: number;
  readonly same: number;
  /** Other values, values where there are none, errors. */
  readonly different: number;
  readonly failed: number;
  /** Asked besides, without learning anything of the reader: they cannot be read here either, or its limits were met. */
  readonly unjudged: number;
}

/** Cost of a sample. */
export interface SampleCost {
  readonly chunks: number;
  /** Chunks that the grids expect. */
  readonly of: number;
  /** Read for both sides; of chunks whose stored length is not known, as long as decoded. */
  readonly bytes: number;
}

/** `reader` and `rule` by their ids. Of `unit`, `concerned` of `of` are concerned. */
export type RuleFacts = {
  readonly reader: string;
  readonly rule: string;
  readonly concerned: number;
  readonly of: number;
  readonly unit: string;
  readonly first: string | undefined;
  readonly arrays: readonly string[];
  /** The reader's own error message. */
  readonly error: string | undefined;
  /** The version that decides, where it is known. */
  readonly version?: string;
};

export function factsOf(reader: string, { rule, use, version }: ReaderEffect): RuleFacts {
  const { count: concerned, of, unit, first, error, arrays = [] } = use;
  return { reader, rule, concerned, of, unit, first, arrays, error, ...(version !== undefined && { version }) };
}
