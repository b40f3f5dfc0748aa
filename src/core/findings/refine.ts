/** What callers know more about a finding, or an error kept as data, than the code that made it. */
import type { ErrorFields } from "../errors.ts";
import type { Facts } from "./catalogue/entry.ts";
import { failureOf } from "./failure.ts";
import { finding, type Code, type Finding } from "./finding.ts";

export function withFacts(found: Finding, more: Facts): Finding {
  if (found.place === undefined || found.facts === undefined) return found;
  return finding(found.code as Code, found.place, { ...found.facts, ...more } as never, found.count);
}

/** An error with its finding changed, by `placed` or `withFacts`; one that was not made of facts stays as it is. */
export function refined(error: ErrorFields, change: (found: Finding) => Finding): ErrorFields {
  return error.finding === undefined ? error : failureOf(change(error.finding)).fields;
}
