/** An error is a finding that stopped something. */
import { RefscopeError } from "../errors.ts";
import { factsOf, finding, placed, type Code, type FactsOf, type Finding } from "./finding.ts";
import { WHOLE_SET, type Place } from "./place.ts";

/** To be thrown. `place`: where, as narrowly as the thrower knows; callers who know more use `failedAt`. */
export function failure<C extends Code>(
  code: C,
  place: Place,
  facts: FactsOf<C>,
  options?: { readonly cause?: unknown },
): RefscopeError {
  return new RefscopeError(finding(code, place, facts), options);
}

/** The same error at a narrower place, where its thrower knew none. */
export function failedAt(error: RefscopeError, place: Place): RefscopeError {
  return new RefscopeError(placed(error.finding, place), { cause: error });
}

/** Any thrown value as a finding; a foreign error keeps its message. `doing`: "Reading the chunk sst 0.0.1". */
export function findingOfError(error: unknown, doing = "Reading"): Finding {
  if (error instanceof RefscopeError) return error.finding;
  return finding("unexpected", WHOLE_SET, { doing, message: error instanceof Error ? error.message : String(error) });
}

/** The facts of an error of this code; `undefined` for any other. */
export function factsOfFailure<C extends Code>(error: unknown, code: C): FactsOf<C> | undefined {
  return error instanceof RefscopeError ? factsOf(error.finding, code) : undefined;
}
