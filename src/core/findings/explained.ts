/** Findings put into words, for callers that have the catalogue: the page fetches it, the terminal has it. */
import type { Question } from "../check/question.ts";
import type { Action, Severity, Subject } from "./catalogue/entry.ts";
import { type ChunkPlace, type Finding, placeText } from "./fact.ts";

/** The catalogue's explanation of one finding. */
export interface Explained {
  readonly title: string;
  /** For where there is room for two or three words: a status, else the title. */
  readonly brief: string;
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string | undefined;
  readonly readers: string;
  readonly about: Subject;
  /** Which of the five questions of a check it answers; absent where it is about this page. */
  readonly question: Question | undefined;
  readonly action: Action | undefined;
  /** The target can be read, only not this range of it: looking for it elsewhere does not help. */
  readonly inPlace: boolean;
  /** Nothing that was given holds a reference set, or was meant as one. */
  readonly noSet: boolean;
  /** Asking again gives the same. */
  readonly final: boolean;
  /** Words for its chunks' wrong values, if they can be read. */
  readonly holds?: string;
  /** Elements that have it, where that is not all of its chunks; `Infinity` for all that it is about. */
  readonly elements?: number;
}

/** A finding with what the catalogue says of it. */
export interface SaidFinding {
  readonly found: Finding;
  readonly said: Explained;
  /** Which of its chunks are known to fail, where not all of them need to. */
  readonly failing?: readonly ChunkPlace[];
}

export type Explain = (found: Finding) => Explained;

export function inWords(found: Finding, explain: Explain): SaidFinding {
  const { evidence } = found;
  const fails = evidence !== undefined && explain(evidence.found).severity === "error";
  return { found, said: explain(found), ...(fails ? { failing: evidence.chunks } : {}) };
}

/** `expected a zlib header`: shorter than any title, and known only where decoding failed. */
export function expectedWords(error: Finding | undefined): string | undefined {
  const expected = error?.code === "decode-failed" ? error.facts["expected"] : undefined;
  return typeof expected === "string" ? `expected ${expected}` : undefined;
}

/** Why a chunk has no values, beside the word that it failed: `zlib: expected a zlib header`, `404`. */
export function reasonWords(error: Finding, explain: Explain | undefined): string {
  const expected = expectedWords(error)?.replace(/ \(.*$/s, "");
  return expected === undefined
    ? (explain?.(error).brief ?? "").replace(/\.$/, "")
    : `${error.facts["codec"] as string}: ${expected}`;
}

/** One line for an error or finding: problem, place, fix. */
export function explainedText(found: Finding, explain: Explain): string {
  const { message, remedy } = explain(found);
  const where = found.place.kind === "set" ? "" : ` (${placeText(found.place)})`;
  return `${message.replace(/\.$/, "")}${where}.${remedy === undefined ? "" : ` ${remedy}`}`;
}

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** For sorting: errors first, then warnings, then information. */
export const bySeverity = (a: Pick<Explained, "severity">, b: Pick<Explained, "severity">): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);

/** Findings by their severity; within one in the order given. */
export function worstFirst(findings: readonly Finding[], explain: Explain): readonly Finding[] {
  const said = findings.map((found) => ({ found, severity: explain(found).severity }));
  return said.toSorted(bySeverity).map(({ found }) => found);
}
