/** Entries of the catalogue, one for each code. Prose is written here and nowhere else; nothing parses it. */
import type { Question } from "#core/check/question.ts";
import type { FsspecStep } from "#core/table/version1.ts";
import type { Facts, NoFacts, Place } from "../fact.ts";

/**
 * `error`: something is wrong or cannot be shown. `warning`: readers disagree or may be misled. `info`: worth knowing.
 */
export type Severity = "error" | "warning" | "info";

/** Actions that the page offers beside a finding. */
export type Action =
  | "locations"
  | "choose-file"
  | "limit"
  | "open-as"
  | "open-main"
  | "suggest-repairs"
  | "reload"
  | "allow-private";

/** Which part of a set a finding is about: where a click on it leads when its place alone does not say. */
export type Subject = "references" | "metadata" | "document" | "source" | "values" | "files" | "page";

/**
 * Python's exception class that fsspec raises, and the step of reading a document at which it does; no step if it goes
 * on.
 */
export type Refusing = { readonly raises: string; readonly step?: FsspecStep };

export interface Entry<F extends Facts> {
  /** A few words, no full stop: "The server ignores ranges". */
  readonly title: string;
  /** The same where the facts say more than the code: "The offset is shifted by 7 bytes". Absent = the title. */
  readonly heading?: (facts: F) => string | undefined;
  /** The finding in as few characters as possible, for a cell of a table: "404". Absent = the title. */
  readonly brief?: (facts: F) => string;
  readonly severity: Severity | ((facts: F) => Severity);
  /** One to three full sentences: what was expected, what was found. */
  readonly explain: string | ((facts: F, place: Place) => string);
  /** One sentence that says what to do, or nothing if nothing can be done. */
  readonly remedy?: string | ((facts: F, place: Place) => string | undefined);
  /** Effect on readers: which read on, which refuse, which give wrong values. */
  readonly readers: string | ((facts: F) => string);
  readonly about: Subject;
  /** Which of the five questions it answers; absent = by its subject. */
  readonly question?: Question;
  readonly action?: Action | ((facts: F) => Action | undefined);
  /** The target is there and can be read, only not this range of it: looking for it elsewhere does not help. */
  readonly inPlace?: true;
  /** Nothing that was given holds a reference set, or was meant as one. */
  readonly noSet?: true;
  /** Asking again gives the same. */
  readonly final?: true;
  /** Words for the wrong values of chunks that can be read: "values of other steps". */
  readonly holds?: string;
  /** How many elements of its array have it, where that is not all of its chunks; `Infinity` for all that it is about. */
  readonly elements?: (facts: F) => number;
  /** Present in the type only: no entry has it. */
  readonly facts?: F;
}

/** Text of an entry for these facts. */
export function said<T, A extends readonly unknown[]>(of: T | ((...about: A) => T), ...about: A): T {
  return typeof of === "function" ? (of as (...about: A) => T)(...about) : of;
}

/** Parts that the entries of a family share. */
export interface Shared {
  readonly question?: Question;
  readonly readers?: string | ((facts: never) => string);
  readonly remedy?: string;
  readonly action?: Action;
  readonly inPlace?: true;
}

/** Parts of an entry beside its title; it may override those that its family shares. */
export type Own<F extends Facts, S = object> = Omit<Entry<F>, "title" | "severity" | "about" | keyof S> &
  Partial<Omit<Entry<F>, "title">>;

/**
 * Makers of a family's entries, one a severity: `error<{ status: number }>("Access denied", { … })`; `graded` where facts
 * decide. Facts are read-only, however they are written.
 */
export function about<S extends Shared>(subject: Subject, shared?: S) {
  const maker =
    (severity: Severity) =>
    <F extends Facts = NoFacts>(title: string, own: Own<Readonly<F>, S>): Entry<Readonly<F>> =>
      ({ title, severity, about: subject, ...shared, ...own }) as unknown as Entry<Readonly<F>>;
  const graded = <F extends Facts>(title: string, own: Own<Readonly<F>, S> & Pick<Entry<Readonly<F>>, "severity">) =>
    maker("error")<F>(title, own);
  return { error: maker("error"), warning: maker("warning"), note: maker("info"), graded };
}
