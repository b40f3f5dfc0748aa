/** What the catalogue says of one code. Prose is written here and nowhere else; nothing parses it. */
import type { Question } from "../../check/question.ts";
import type { FsspecStep } from "../../table/version1.ts";
import type { Facts, NoFacts, Place } from "../fact.ts";

/** `error`: something is wrong or cannot be shown. `warning`: readers disagree or may be misled. `info`: worth knowing. */
export type Severity = "error" | "warning" | "info";

/** What the page offers beside a finding. */
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
export type Subject = "references" | "metadata" | "document" | "source" | "values" | "page";

/** What fsspec raises: Python's exception class, and where in its reading of a document; no step where it goes on. */
export type Refusing = { readonly raises: string; readonly step?: FsspecStep };

export interface Entry<F extends Facts> {
  /** A few words, no full stop: "The server ignores ranges". */
  readonly title: string;
  /** The same where the facts say more than the code: "The offset is shifted by 7 bytes". Absent = the title. */
  readonly heading?: (facts: F) => string | undefined;
  /** As short as it can be, for a cell of a table: "404". Absent = the title. */
  readonly brief?: (facts: F) => string;
  readonly severity: Severity | ((facts: F) => Severity);
  /** One to three full sentences: what was expected, what was found. */
  readonly explain: string | ((facts: F, place: Place) => string);
  /** What to do: one sentence, or nothing where nothing can be done. */
  readonly remedy?: string | ((facts: F, place: Place) => string | undefined);
  /** What it does to readers: which read on, which refuse, which give wrong values. */
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
  /** What its chunks hold, where they can be read and are wrong all the same: "values of other steps". */
  readonly holds?: string;
  /** How many elements of its array have it, where that is not all of its chunks; `Infinity` for all that it is about. */
  readonly elements?: (facts: F) => number;
  /** Of the type alone: no entry has it. */
  readonly facts?: F;
}

/** What an entry says of these facts. */
export function said<T, A extends readonly unknown[]>(of: T | ((...about: A) => T), ...about: A): T {
  return typeof of === "function" ? (of as (...about: A) => T)(...about) : of;
}

/** What the entries of a family share. */
export interface Shared {
  readonly question?: Question;
  readonly readers?: string | ((facts: never) => string);
  readonly remedy?: string;
  readonly action?: Action;
  readonly inPlace?: true;
}

/** What an entry says beside its title; of what its family shares it may say otherwise. */
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
