/** What checking a set gives: findings, how far it came, and an answer to each of five questions. */
import type { Finding } from "./findings/finding.ts";
import type { RuleCoverage } from "./open-set.ts";
import type { Question } from "./question.ts";
import type { ReaderSample, ReaderVerdict } from "./readers/verdict.ts";

/** `partly`: not everywhere, or not everything was looked at. `not-checked` is never taken for `yes`. */
export type Answer = "yes" | "no" | "partly" | "not-checked";

export interface QuestionAnswer {
  readonly answer: Answer;
  /** The evidence in a sentence: what was looked at, what was found, what was not looked at. */
  readonly why: string;
}

export type Verdict = Readonly<Record<Question, QuestionAnswer>>;

/** Chunks that have a reference. */
export interface CheckedChunks {
  readonly of: number;
  readonly decoded: number;
  readonly failed: number;
}

/** Distinct targets. */
export interface CheckedTargets {
  readonly of: number;
  /** A size, a date or bytes were asked for. */
  readonly asked: number;
  /** Those that answered as they should. */
  readonly answered: number;
  /** Those of which the set recorded nothing that could tell a change. */
  readonly unrecorded?: number;
}

/** The reader that was asked about. */
export interface CheckedReader {
  readonly name: string;
  /** What its rules were made from, and when. */
  readonly version: string;
  readonly date: string;
  readonly answer: ReaderVerdict["answer"];
  /** Chunks that it read itself; absent where rules alone say what it makes of the set. */
  readonly run?: ReaderSample;
}

/** What one look at a set gave: at its references, its targets or its values. */
export interface CheckPart {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleCoverage[];
  readonly chunks?: CheckedChunks;
  readonly targets?: CheckedTargets;
  readonly reader?: CheckedReader;
  /**
   * Chunks that cannot be read for what was found, by array and ordinal, as far as there are not too many: what reading
   * them gives is no fault of its own.
   */
  readonly unreadable?: ReadonlyMap<string, ReadonlySet<number>>;
}

/** How far a check came. */
export interface Checked {
  readonly rules: readonly RuleCoverage[];
  readonly chunks: CheckedChunks;
  readonly targets: CheckedTargets;
  readonly reader?: CheckedReader;
}

/** What is known of a set by now: by opening and checking it, and by reading chunks of it. */
export interface CheckState extends Checked {
  readonly findings: readonly Finding[];
  /** Rules over references have not been run, since nobody asked and there are very many. */
  readonly isUnchecked: boolean;
}
