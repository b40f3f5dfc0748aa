/** What stopped, as a finding that another one names as its cause. */
import type { RefscopeError } from "../errors.ts";
import type { AnyFinding } from "./catalogue/entry.ts";
import { asFact } from "./finding.ts";
import { WHOLE_SET } from "./place.ts";

/** An error that was not made of facts keeps what it says. */
export function findingOfError({ finding, fields, message }: RefscopeError): AnyFinding {
  if (finding?.place === undefined || finding.facts === undefined) {
    return {
      code: "unexpected",
      place: WHOLE_SET,
      facts: { doing: fields.doing, message: fields.found ?? message },
      count: 1,
    };
  }
  return asFact(finding);
}
