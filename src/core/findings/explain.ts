/** From facts to sentences, by the catalogue. */
import type { Action, AnyFinding, Fact, Severity, Subject } from "./catalogue/entry.ts";
import type { Finding } from "../finding.ts";
import { entryOf } from "./catalogue/index.ts";

export interface Explained {
  readonly title: string;
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string | undefined;
  readonly readers: string;
  readonly about: Subject;
  readonly action: Action | undefined;
}

/**
 * What the catalogue says of a finding; of one that led to it, as its fact `cause`, too. A code that is not in it is shown
 * as such: it comes from another version.
 */
export function explained({ code, place, facts }: AnyFinding): Explained {
  const entry = entryOf(code);
  if (entry === undefined) return unknownCode(code);
  const { title, severity, explain, remedy, readers, about, action } = entry;
  const cause = isFinding(facts["cause"]) ? explained(facts["cause"]) : undefined;
  const message = explain(facts, place);
  return {
    title,
    severity: typeof severity === "function" ? severity(facts) : severity,
    message: cause === undefined ? message : `${message} ${cause.message}`,
    remedy: (typeof remedy === "function" ? remedy(facts, place) : remedy) ?? cause?.remedy,
    readers: typeof readers === "function" ? readers(facts) : readers,
    about,
    action: typeof action === "function" ? action(facts) : action,
  };
}

/** What the page offers beside it. */
export function actionOf({ code, facts = {} }: Finding): Action | undefined {
  const action = entryOf(code)?.action;
  return typeof action === "function" ? action(facts) : action;
}

/** Which part of the set it is about. */
export const subjectOf = ({ code }: Finding): Subject => entryOf(code)?.about ?? "page";

function isFinding(fact: Fact): fact is AnyFinding {
  return typeof fact === "object" && fact !== null && "code" in fact && "place" in fact && "facts" in fact;
}

function unknownCode(code: string): Explained {
  const message = `Something was found that this version has no words for (${code}).`;
  return {
    title: code,
    severity: "warning",
    message,
    remedy: undefined,
    readers: "Unknown.",
    about: "page",
    action: undefined,
  };
}
