/** What is wrong with a target, and which of its references that is about. */
import type { Facts, Finding } from "../../../core/findings/fact.ts";
import type { Code, FactsOf } from "../../../core/findings/finding.ts";

/** Which references of a target a cause is about: all, or those that end after its end. */
export type Reach = { readonly kind: "all" } | { readonly kind: "past"; readonly size: number };

export interface Cause {
  readonly code: Code;
  readonly facts: Facts;
  /** Tells causes of one code and host apart. */
  readonly key: string;
  readonly reach: Reach;
  /** Chunks can be read all the same. */
  readonly leavesBytes: boolean;
}

/** Those that leave the bytes as they are. */
const HARMLESS: ReadonlySet<string> = new Set([
  "range-ignored",
  "range-encoded",
  "cors-absent",
  "target-newer",
  "target-matched-by-name",
]);

export const isHarmless = ({ leavesBytes }: Cause): boolean => leavesBytes;

/** A finding of what asks, as it is. */
export const causeOfFinding = ({ code, facts }: Pick<Finding, "code" | "facts">, key: string): Cause => ({
  code: code as Code,
  facts,
  key,
  reach: ALL,
  leavesBytes: HARMLESS.has(code),
});

export const ALL: Reach = { kind: "all" };

export const cause = <C extends Code>(code: C, facts: FactsOf<C>, key = "", reach: Reach = ALL): Cause => ({
  code,
  facts,
  key,
  reach,
  leavesBytes: HARMLESS.has(code),
});

/** A target with what is wrong with it. */
export interface FaultyTarget {
  readonly id: number;
  readonly target: string;
  readonly host: string;
  readonly causes: readonly Cause[];
}
