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

/** The same at a narrower place, for what was thrown by code that knew only its bytes or text. */
export function failedAt(error: RefscopeError, place: Place): RefscopeError {
  const narrower = error.finding === undefined ? undefined : placed(error.finding, place);
  return narrower === undefined || narrower === error.finding ? error : failureOf(narrower, { cause: error });
}
