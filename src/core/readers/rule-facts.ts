/** Facts of a rule that a set meets, as findings carry them. */
import type { ReaderEffect } from "./verdict.ts";

/** `reader` and `rule` by their ids. Of `unit`, `concerned` of `of` are concerned. */
export type RuleFacts = {
  readonly reader: string;
  readonly rule: string;
  readonly concerned: number;
  readonly of: number;
  readonly unit: string;
  readonly first: string | undefined;
  readonly arrays: readonly string[];
  /** What the reader says itself. */
  readonly error: string | undefined;
};

export function factsOf(reader: string, { rule, use }: ReaderEffect): RuleFacts {
  const { count: concerned, of, unit, first, error, arrays = [] } = use;
  return { reader, rule, concerned, of, unit, first, arrays, error };
}
