/** From facts to sentences, by the catalogue. */
import { entryOf } from "./catalogue/index.ts";
import type { Question } from "../check/question.ts";
import type { Subject } from "./catalogue/entry.ts";
import type { Explained } from "./explained.ts";
import { isFinding, type Finding } from "./fact.ts";

/**
 * What the catalogue says of a finding; of one that led to it, as its fact `cause`, too. A code that is not in it is shown
 * as such: it comes from another version.
 */
export function explained({ code, place, facts }: Finding): Explained {
  const entry = entryOf(code);
  if (entry === undefined) return unknownCode(code);
  const {
    title: general,
    heading,
    brief,
    severity,
    explain,
    remedy,
    readers,
    about,
    question = BY_SUBJECT[about],
    action,
    inPlace = false,
    noSet = false,
    final = false,
    causes = false,
    follows = false,
  } = entry;
  const cause = isFinding(facts["cause"]) ? explained(facts["cause"]) : undefined;
  const message = explain(facts, place);
  const title = heading?.(facts) ?? general;
  return {
    title,
    brief: brief?.(facts) ?? title,
    severity: typeof severity === "function" ? severity(facts) : severity,
    message: cause === undefined ? message : `${message} ${cause.message}`,
    remedy: (typeof remedy === "function" ? remedy(facts, place) : remedy) ?? cause?.remedy,
    readers: typeof readers === "function" ? readers(facts) : readers,
    about,
    question,
    action: typeof action === "function" ? action(facts) : action,
    inPlace,
    noSet,
    final,
    causes,
    follows,
  };
}

/** Which of the questions has to be answered to know of a code: of one in no catalogue, or about this page, none. */
export function questionOf(code: string): Question | undefined {
  const entry = entryOf(code);
  // What follows from something else is met when chunks are read.
  if (entry?.follows === true && entry.question === undefined) return "values";
  return entry === undefined ? undefined : (entry.question ?? BY_SUBJECT[entry.about]);
}

const BY_SUBJECT: Readonly<Record<Subject, Question | undefined>> = {
  document: "opens",
  metadata: "opens",
  references: "opens",
  source: "sources",
  values: "values",
  page: undefined,
};

function unknownCode(code: string): Explained {
  const message = `Something was found that this version has no words for (${code}).`;
  return {
    title: code,
    brief: code,
    severity: "warning",
    message,
    remedy: undefined,
    readers: "Unknown.",
    about: "page",
    question: undefined,
    action: undefined,
    inPlace: false,
    noSet: false,
    final: false,
  };
}
