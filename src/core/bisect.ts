/** The search for the first commit of a repository at which something is wrong: plain data. */
import type { Expectation } from "./check/expectation.ts";
import type { Finding } from "./findings/finding.ts";
import type { Ancestry, SnapshotEntry } from "./repository.ts";

/** A test that tells bad commits from good ones. */
export type BisectTest =
  /** A finding; also at this array, and chunk, alone. */
  | {
      readonly kind: "finding";
      readonly code: string;
      readonly array?: string | undefined;
      readonly chunk?: readonly number[] | undefined;
    }
  /** Expectations that are not met; `name`: of their file. */
  | { readonly kind: "expectation"; readonly name: string; readonly expectation: Expectation }
  /** A value of the selection, as xarray decodes it. */
  | { readonly kind: "value"; readonly array: string; readonly select: string; readonly is: ValueCondition };

/** `value` is `null` for a missing one: NaN, NaT or null. */
export interface ValueCondition {
  readonly operator: "<" | "<=" | ">" | ">=" | "=" | "!=";
  readonly value: number | string | null;
}

/** The cost of a search, before anything is read. */
export interface BisectPlan {
  /** Commits among which the first bad one is, the newest included. */
  readonly commits: number;
  /** At most. */
  readonly checks: number;
  /** Each check reads the references alone, or decodes chunks too. */
  readonly reads: "references" | "values";
  /** Chunks and stored bytes that a check of the newest commit decodes. */
  readonly chunks: number;
  readonly bytes: number;
}

/** State of one commit. */
export interface BisectState {
  readonly commit: SnapshotEntry;
  readonly isBad: boolean;
  /** The finding that is there. */
  readonly finding?: Finding;
  /** Values of the selection, the first few, as text. */
  readonly values?: readonly string[];
  /** True if the array, or the place in it, is not there. */
  readonly isAbsent?: true;
}

/**
 * - `found`: `first` is bad, `before` is not.
 * - `not-bad`: nothing is wrong at the newest commit.
 * - `at-good`: it is wrong at the oldest commit asked about, too.
 * - `since-first`: it is wrong at the first commit.
 * - `or-earlier`: it is wrong at the oldest commit that is known, or can be read.
 */
export type BisectOutcome = "found" | "not-bad" | "at-good" | "since-first" | "or-earlier";

export interface BisectResult {
  readonly outcome: BisectOutcome;
  readonly first?: BisectState;
  readonly before?: BisectState;
  readonly checks: number;
  readonly commits: number;
  /** Commits between `before` and `first` that could not be read: one of them may be the first. */
  readonly unread: readonly { readonly commit: SnapshotEntry; readonly why: Finding }[];
  /** Commits between them that were not tried, after so many that could not be read. */
  readonly untried: number;
  readonly end: Ancestry["end"];
}

const CONDITION = /^\s*(<=|>=|!=|==?|<|>)?\s*(.+?)\s*$/;

/** From `> 100`, `NaN`, `2015-01-01`; `undefined` if it is neither a number nor compared for equality. */
export function parseCondition(text: string): ValueCondition | undefined {
  const [, sign = "=", written = ""] = CONDITION.exec(text) ?? [];
  const operator = sign === "==" ? "=" : (sign as ValueCondition["operator"]);
  const isEquality = operator === "=" || operator === "!=";
  if (/^(?:nan|nat|null|missing)$/i.test(written)) return isEquality ? { operator, value: null } : undefined;
  const number = Number(written);
  if (written !== "" && !Number.isNaN(number)) return { operator, value: number };
  return written !== "" && isEquality ? { operator, value: written } : undefined;
}
