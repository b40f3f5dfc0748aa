/** From facts to sentences, by the catalogue. */
import { said, type Subject } from "./catalogue/entry.ts";
import { entryOf } from "./catalogue/index.ts";
import type { Question } from "../check/question.ts";
import { mayFollow } from "./causes.ts";
import type { Explained } from "./explained.ts";
import { isFinding, type Finding } from "./fact.ts";

/**
 * Explains a finding by the catalogue, together with the finding that led to it (fact `cause`) and its other evidence.
 * A code that the catalogue lacks is shown as such: it comes from another version.
 */
export function explained({ code, place, facts, evidence }: Finding): Explained {
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
    holds,
    elements,
  } = entry;
  const cause = isFinding(facts["cause"]) ? explained(facts["cause"]) : undefined;
  const shown = evidence === undefined ? undefined : explained(evidence.found);
  // The same may be said by a look at the target and by a reading.
  const isSame =
    evidence !== undefined &&
    (SAID_BY_THE_CAUSE.has(evidence.found.code) ||
      [evidence.found, evidence.found.facts["cause"]].some((one) => isFinding(one) && one.code === code));
  const why = cause !== undefined && SAYS_HOW.has(code) ? shownWords(cause) : cause?.message;
  const how = evidence !== undefined && SAYS_HOW.has(evidence.found.code);
  const further = [why, isSame || shown === undefined ? undefined : how ? shown.message : shownWords(shown)];
  const message = [said(explain, facts, place), ...further].filter((part) => part !== undefined).join(" ");
  const title = heading?.(facts) ?? general;
  const own = said(severity, facts);
  return {
    title,
    brief: brief?.(facts) ?? title,
    // A suspicion becomes certain once reading failed.
    severity: shown?.severity === "error" ? "error" : own,
    message,
    remedy: said(remedy, facts, place) ?? cause?.remedy,
    readers: said(readers, facts),
    about,
    question,
    action: said(action, facts),
    inPlace,
    noSet,
    final,
    ...(holds === undefined ? {} : { holds }),
    ...(elements === undefined ? {} : { elements: elements(facts) }),
  };
}

/** These say how the chunk would decode. */
const SAYS_HOW: ReadonlySet<string> = new Set([
  "range-offset-wrong",
  "range-length-wrong",
  "chunk-codec-skipped",
  "chunk-codecs-other",
  "chunks-of-other-format",
]);

/** After what is wrong and how it would be right, what happens as it is. */
const shownWords = ({ severity, message }: Explained): string =>
  severity === "error" ? `The error: ${message}` : message;

/** Which chunks are missing says the cause, too; in what order files are says nothing beside it. */
const SAID_BY_THE_CAUSE: ReadonlySet<string> = new Set(["chunks-missing", "coordinate-files-unordered"]);

/** Which of the questions has to be answered to know of a code: of one in no catalogue, or about this page, none. */
export function questionOf(code: string): Question | undefined {
  const entry = entryOf(code);
  // Consequences of another fault appear when chunks are read.
  if (entry !== undefined && entry.question === undefined && mayFollow(code)) return "values";
  return entry === undefined ? undefined : (entry.question ?? BY_SUBJECT[entry.about]);
}

const BY_SUBJECT: Readonly<Record<Subject, Question | undefined>> = {
  document: "opens",
  metadata: "opens",
  references: "opens",
  source: "sources",
  values: "values",
  files: undefined,
  page: undefined,
};

function unknownCode(code: string): Explained {
  const message = `This version of Refscope cannot describe the finding ${code}.`;
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
