/** All codes by subject, each explained by its example: for the page of codes and the terminal's `explain`. */
import type { Severity, Subject } from "./catalogue/entry.ts";
import { CATALOGUE } from "./catalogue/index.ts";
import { explained } from "./explain.ts";
import { currentCode } from "./aliases.ts";
import recorded from "./examples.json" with { type: "json" };
import { type Facts, type Place, placeText } from "./fact.ts";

export interface CodeDescription {
  readonly code: string;
  readonly subject: Subject;
  readonly title: string;
  /** Severity of the example, if it depends on the facts. */
  readonly severity: Severity;
  /** A place where it may be met, and what is said there. */
  readonly example: { readonly where: string; readonly message: string };
  readonly remedy: string | undefined;
  readonly readers: string;
}

const SUBJECTS: Readonly<Record<Subject, string>> = {
  document: "The document",
  metadata: "Metadata",
  references: "References",
  source: "Sources and targets",
  values: "Values",
  files: "Files to be combined",
  page: "Refscope itself",
};

/** A finding of each code, as recorded. A test says that every code has one. */
const EXAMPLES = recorded as unknown as Readonly<Record<string, { readonly place: Place; readonly facts: Facts }>>;

/** Also by a code of before; `undefined` for one that is in no catalogue. */
export function describeCode(asked: string): CodeDescription | undefined {
  const code = currentCode(asked);
  const example = Object.hasOwn(EXAMPLES, code) ? EXAMPLES[code] : undefined;
  if (example === undefined) return undefined;
  const { title, severity, message, remedy, readers, about } = explained({ code, ...example, count: 1 });
  const where = placeText(example.place);
  return { code, subject: about, title, severity, example: { where, message }, remedy, readers };
}

export interface SubjectCodes {
  readonly subject: Subject;
  readonly title: string;
  readonly codes: readonly CodeDescription[];
}

/** Codes in alphabetical order within each subject. */
export function codesBySubject(): readonly SubjectCodes[] {
  const all = Object.keys(CATALOGUE)
    .toSorted()
    .flatMap((code) => describeCode(code) ?? []);
  return (Object.keys(SUBJECTS) as readonly Subject[])
    .map((subject) => ({ subject, title: SUBJECTS[subject], codes: all.filter((one) => one.subject === subject) }))
    .filter(({ codes }) => codes.length > 0);
}
