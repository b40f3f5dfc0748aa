/** What the catalogue says of one code. Prose is written here and nowhere else; nothing parses it. */
import type { Place } from "../place.ts";

/** `error`: something is wrong or cannot be shown. `warning`: readers disagree or may be misled. `info`: worth knowing. */
export type Severity = "error" | "warning" | "info";

/** What was found, as data: numbers, names, texts as they stand in the file; never a sentence. */
export type Facts = { readonly [name: string]: Fact };

export type Fact =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Fact[]
  | { readonly [name: string]: Fact }
  | AnyFinding;

/** Where the code alone says all. */
export type NoFacts = { readonly [name in never]: Fact };

/** A finding of which only the form is known; as a fact, the one that led to another. */
export interface AnyFinding {
  readonly code: string;
  readonly place: Place;
  readonly facts: Facts;
  readonly count: number;
}

/** What the page offers beside a finding. */
export type Action = "locations" | "choose-file" | "limit" | "open-as" | "suggest-repairs" | "reload";

/** Which part of a set a finding is about: where a click on it leads when its place alone does not say. */
export type Subject = "references" | "metadata" | "document" | "source" | "values" | "page";

export interface Entry<F extends Facts> {
  /** A few words, no full stop: "The server ignores ranges". */
  readonly title: string;
  readonly severity: Severity | ((facts: F) => Severity);
  /** One to three full sentences: what was expected, what was found. */
  readonly explain: (facts: F, place: Place) => string;
  /** What to do: one sentence, or nothing where nothing can be done. */
  readonly remedy?: string | ((facts: F, place: Place) => string | undefined);
  /** What it does to readers: which read on, which refuse, which give wrong values. */
  readonly readers: string | ((facts: F) => string);
  readonly about: Subject;
  readonly action?: Action | ((facts: F) => Action | undefined);
  /**
   * Name of the exception by which fsspec refuses the whole set, where it does: the first of these, in the order in
   * which fsspec meets them (`order`), stands for all.
   */
  readonly refuses?: { readonly order: number; readonly raises?: string };
  /** The target is there and can be read, only not this range of it: looking for it elsewhere does not help. */
  readonly inPlace?: true;
  /** Some of what should be there was not made: chunks without a reference may have one. */
  readonly incomplete?: true;
  readonly example: { readonly place: Place; readonly facts: F };
}

/** An entry with its facts' type checked: `"http-status": entry<{ status: number }>({ … })`. */
export function entry<F extends Facts>(of: Entry<F>): Entry<F> {
  return of;
}
