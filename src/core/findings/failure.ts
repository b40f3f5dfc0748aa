/** An error is a finding that stopped something. */
import { RefscopeError } from "../errors.ts";
import { finding, placed, type Code, type FactsOf, type Finding } from "./finding.ts";
import { placeText, type Place } from "./place.ts";

/** To be thrown. `place`: where, as narrowly as the thrower knows; callers who know more use `failedAt`. */
export function failure<C extends Code>(
  code: C,
  place: Place,
  facts: FactsOf<C>,
  options?: { readonly cause?: unknown },
): RefscopeError {
  return failureOf(finding(code, place, facts), options);
}

export function failureOf(found: Finding, options?: { readonly cause?: unknown }): RefscopeError {
  const { code, message, advice, place } = found;
  const where = place === undefined || place.kind === "set" ? {} : { where: placeText(place) };
  const fields = { code, doing: message.replace(/\.$/, ""), ...where, ...(advice === undefined ? {} : { advice }) };
  return new RefscopeError({ ...fields, finding: found }, options);
}

/** The same error at a narrower place, where its thrower knew none. */
export function failedAt(error: RefscopeError, place: Place): RefscopeError {
  if (error.finding === undefined) {
    return new RefscopeError({ where: placeText(place), ...error.fields }, { cause: error });
  }
  return failureOf(placed(error.finding, place), { cause: error });
}

/** The facts of an error of this code; `undefined` for any other. */
export function factsOfFailure<C extends Code>(error: unknown, code: C): FactsOf<C> | undefined {
  return error instanceof RefscopeError && error.code === code
    ? (error.finding?.facts as FactsOf<C> | undefined)
    : undefined;
}
