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
  /** The reader's own error message. */
  readonly error: string | undefined;
  /** The version that decides, where it is known. */
  readonly version?: string;
};

export function factsOf(reader: string, { rule, use, version }: ReaderEffect): RuleFacts {
  const { count: concerned, of, unit, first, error, arrays = [] } = use;
  return { reader, rule, concerned, of, unit, first, arrays, error, ...(version !== undefined && { version }) };
}
