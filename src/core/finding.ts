/**
 * What is noticed about a set, a reference or a target: never an exception, always with a stable code.
 *
 * In transition: findings that `findings/finding.ts` makes have `place` and `facts`, and their prose from the catalogue;
 * those written out here and there still bring it along.
 */
import { errorSentence, type ErrorFields } from "./errors.ts";
import type { Facts } from "./findings/catalogue/entry.ts";
import type { Extent } from "./findings/cause.ts";
import type { Place } from "./findings/place.ts";

export type Severity = "error" | "warning" | "info";

export interface Finding {
  /** Stable, kebab-case: tests, links and `data-code` use it. */
  readonly code: string;
  readonly place?: Place;
  readonly facts?: Facts;
  /** Of a cause: the first places, and how far it reaches. */
  readonly places?: readonly Place[];
  readonly extent?: Extent;
  readonly severity: Severity;
  /** Where: an array's path, a store key, a target URL. All absent = the whole set. */
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** One or two full sentences: what was expected, what was found. */
  readonly message: string;
  /** What to do, one sentence. */
  readonly advice?: string;
  /** How many times it was met; this one is the first. Absent = once. */
  readonly count?: number;
}

/** What an error says, as a finding about the same place. */
export function findingOf({ advice, finding, ...rest }: ErrorFields, severity: Severity): Finding {
  if (finding !== undefined) return finding;
  const key = rest.where === undefined ? {} : { key: rest.where };
  const message = errorSentence(rest);
  return { code: rest.code, severity, ...key, message, ...(advice === undefined ? {} : { advice }) };
}
