/** Result of checking a set: findings, coverage, and an answer to each of five questions. */
import type { Finding } from "../findings/finding.ts";
import type { RuleCoverage } from "../open-set.ts";
import type { SourcesCost } from "./target-probe.ts";
import type { Question } from "./question.ts";
import type { Compared } from "./statement.ts";
import type { ReaderSample, ReaderVerdict } from "../readers/verdict.ts";
import type { PlaneCost } from "../plane/plane.ts";

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
  /** Those that Refscope has no decoder for: neither of the two. Absent = 0. */
  readonly unbuilt?: number;
  /** Those of whose sources nothing came: none of these. Absent = 0. */
  readonly unreached?: number;
  /** Fewest chunks drawn at random from any array that was not read whole; absent if none were drawn. */
  readonly drawn?: number;
}

/** Distinct targets. */
export interface CheckedTargets {
  readonly of: number;
  /** A size, a date or bytes were asked for. */
  readonly asked: number;
  /** Those that are there: what they hold may be wrong all the same. */
  readonly answered: number;
  /** Number of them that gave something else than readers need: a page, an error, another range. Absent = 0. */
  readonly unfit?: number;
  /** Those of which the set recorded nothing that could tell a change. */
  readonly unrecorded?: number;
}

/** The reader that was asked about. */
export interface CheckedReader {
  readonly name: string;
  /** Version of the software that its rules were made from, and its date. */
  readonly version: string;
  readonly date: string;
  /** The version that was asked about, where it is not that of the rules. */
  readonly asked?: string;
  readonly answer: ReaderVerdict["answer"];
  /** Chunks that it read itself; absent where rules alone say what it makes of the set. */
  readonly run?: ReaderSample;
}

/** The owner's expectations of the set. */
export interface CheckedExpectation {
  /** Name of the file that it stands in. */
  readonly name: string;
  /** Arrays and coordinates that it names. */
  readonly arrays: number;
  readonly coordinates: number;
  readonly met: boolean;
  /** Chunks without a reference in arrays that are not expected to be complete. */
  readonly mayLack: number;
  /** These arrays. */
  readonly mayLackIn: readonly string[];
}

/** Chunks of which a cause is known, by array and ordinal, as far as there are not too many. */
export type ExplainedChunks = ReadonlyMap<string, ReadonlySet<number>>;

/** Result of one look at a set: at its references, its targets or its values. */
export interface CheckPart {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleCoverage[];
  readonly chunks?: CheckedChunks;
  /** Chunks whose bytes came. */
  readonly read?: Pick<Glance, "chunks" | "bytes">;
  readonly targets?: CheckedTargets;
  readonly reader?: CheckedReader;
  readonly expectation?: CheckedExpectation;
  /** Chunks that cannot be read for what was found: what reading them gives is no fault of its own. */
  readonly explained?: ExplainedChunks;
  /** Arrays all of whose chunks were decoded, with no 0 among their elements. */
  readonly withoutZeros?: readonly string[];
  /** Facts that are stated more than once, or once alone, and who states them. */
  readonly compared?: readonly Compared[];
}

/** How far a check came. */
export interface Checked {
  readonly rules: readonly RuleCoverage[];
  readonly chunks: CheckedChunks;
  readonly targets: CheckedTargets;
  readonly reader?: CheckedReader;
  readonly expectation?: CheckedExpectation;
  /** Chunks whose references cannot be read. Absent = 0. */
  readonly unread?: number;
  /** There may be arrays that cannot be listed. */
  readonly unlisted?: true;
  /** Chunks in files at hand that were decoded unasked, and their stored bytes. */
  readonly unasked?: Pick<Glance, "chunks" | "bytes">;
  /** It was stopped: what was found until then is told. */
  readonly isStopped?: true;
  /** Facts whose statements were held against each other. */
  readonly compared?: readonly Compared[];
}

/** Everything known of a set so far: from opening and checking it, and from reading its chunks. */
export interface CheckState extends Checked {
  readonly findings: readonly Finding[];
  /** Rules over references have not been run, since nobody asked and there are very many. */
  readonly isUnchecked: boolean;
}

/** Costs of checking further: stated before it is done. */
export interface CheckCosts {
  readonly sources: SourcesCost;
  readonly values: ValuesCost;
  /** Requests for a file's own index. */
  readonly files: number;
  /** Chunks whose references are not here yet: what they cost is not known. */
  readonly unknown: number;
  /** Chunks whose references are fetched first: not all, if there are very many. */
  readonly fetched: number;
}

export interface ValuesCost extends Pick<PlaneCost, "chunks" | "bytes" | "ofUnknownLength" | "requests"> {
  /** Chunks that have a reference. */
  readonly of: number;
  /** Present if the chunks are so many that bytes are estimated by the mean of all, and requests are an upper bound. */
  readonly isAbout?: true;
}

/** Cost of reading coordinates. */
export interface ExpectationCost {
  readonly coordinates: number;
  readonly requests: number;
  /** Stored, as far as references say. */
  readonly bytes: number;
  /** Chunks of which they do not say it, or that are not known yet. */
  readonly unknown: number;
}

/** A sample that meets, with `CONFIDENCE`, what is wrong with this share of an array's chunks. */
export interface SampleCost extends ValuesCost {
  readonly share: number;
}

/** Things checked unasked, since they cost little. */
export type Glance = Pick<PlaneCost, "requests" | "targets" | "chunks" | "bytes">;
