/** Findings of the set, of its text and of the readings as one list. */
import { causeOf, ExtentCounter } from "#core/findings/cause.ts";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import { causeCount, chunkIn, keyAt, likenessOf, nodeOf, placed, placeText, together } from "#core/findings/finding.ts";
import type { Finding, Place } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { bySeverity, type Explain, inWords, type SaidFinding } from "#core/findings/explained.ts";
import { failures, lostChunks } from "#core/check/lost-chunks.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import type { Diagnostic } from "#core/studio.ts";
import type { AcceptedProblems, ProblemCounts } from "#store/state.ts";

/** A finding with its words, and where it leads. */
export interface ListedFinding extends SaidFinding {
  readonly place: Place;
  /** It stands for all of these, of which the same words are said at other nodes; it has the place of the first. */
  readonly alike?: readonly ListedFinding[];
  /** Its place in the document that is edited. */
  readonly diagnostic?: Diagnostic;
}

export interface Found {
  readonly ofSet: readonly Finding[];
  /** Findings of readings by chunk key, the latest first. */
  readonly ofReadings: readonly (readonly [key: string, findings: readonly Finding[]])[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Worst first; within a severity the set's own before those of readings. What is said at a place in the text is not said
 * of the set again.
 */
export function listedFindings({ ofSet, ofReadings, diagnostics }: Found, explain: Explain): readonly ListedFinding[] {
  const known = new Set(diagnostics.flatMap(({ covers }) => covers));
  const others = [...ofSet.filter((finding) => !known.has(causeOf(finding))), ...byCause(ofReadings)];
  const all = [
    ...diagnostics.map((diagnostic) => diagnosed(diagnostic, explain)),
    ...others.map((found) => ({ ...inWords(found, explain), place: chunkIn(found.place) ?? found.place })),
  ];
  return all.toSorted((a, b) => bySeverity(a.said, b.said));
}

function diagnosed(diagnostic: Diagnostic, explain: Explain): ListedFinding {
  const said = explain(diagnostic);
  const { subject, place } = diagnostic;
  const message = subject === undefined ? said.message : `${subject}: ${said.message}`;
  return { found: diagnostic, said: { ...said, message }, place, diagnostic };
}

/** Findings with one for each cause that several readings met. */
function byCause(ofReadings: Found["ofReadings"]): readonly Finding[] {
  const log = new FindingLog();
  for (const [key, findings] of ofReadings) log.addAll(findings.map((finding) => placed(finding, keyAt(key))));
  return log.list();
}

/** How many there are of each severity, repetitions counted. */
export function countsBySeverity(listed: readonly ListedFinding[]): ReadonlyMap<Severity, number> {
  const counts = new Map<Severity, number>();
  for (const { found, said } of listed) {
    counts.set(said.severity, (counts.get(said.severity) ?? 0) + found.count);
  }
  return counts;
}

/** How many there are of each severity, a cause counted once. */
export function causesBySeverity(listed: readonly ListedFinding[]): ProblemCounts {
  const countOf = (severity: Severity) => causeCount(listed.filter(({ said }) => said.severity === severity));
  return { errors: countOf("error"), warnings: countOf("warning"), notes: countOf("info") };
}

/**
 * Accepted problems by kind. `mayLackIn`: arrays that are not expected to be complete; `open`: problems that are not
 * accepted.
 */
export function acceptedProblems(
  accepted: readonly ListedFinding[],
  mayLackIn: readonly string[],
  open: readonly ListedFinding[],
): AcceptedProblems | undefined {
  if (accepted.length === 0 && mayLackIn.length === 0) return undefined;
  const lacking = accepted.filter(({ said }) => said.question === "complete").map(({ found }) => found);
  const arrays = lacking.flatMap(({ place, extent }) => [
    ...(extent?.arrays ?? []).map(({ array }) => array),
    ...[nodeOf(place)].filter((path) => path !== undefined),
  ]);
  return {
    count: accepted.length,
    failing: failingFor(accepted, open),
    lacking: new Set([...mayLackIn, ...arrays]),
  };
}

/** Chunks that fail for nothing but what is set aside: those of an open cause, too, are an open problem. */
function failingFor(accepted: readonly ListedFinding[], open: readonly ListedFinding[]): ReadonlyMap<string, number> {
  const lost = lostChunks(open);
  const all = lostChunks([...open, ...failures(accepted)]);
  const aside = [...all].map(([array, chunks]) => [array, chunks - (lost.get(array) ?? 0)] as const);
  return new Map(aside.filter(([, chunks]) => chunks > 0));
}

/**
 * Those that are told of several nodes in the same words as one. `isAlone`: this one is shown by itself all the same.
 */
export function alikeAsOne(
  listed: readonly ListedFinding[],
  isAlone: (one: ListedFinding) => boolean,
): readonly ListedFinding[] {
  const groups = together(listed, (one) => (isAlone(one) ? undefined : likenessOf(one)));
  return groups.map((alike) => {
    const [first] = alike;
    if (alike.length === 1) return first;
    const places = alike.flatMap(({ found: { place, places = [place] } }) => places);
    const count = alike.reduce((sum, { found }) => sum + found.count, 0);
    const reach = new ExtentCounter();
    for (const { found } of alike) reach.add(found);
    const extent = reach.extent();
    return { ...first, found: { ...first.found, places, count, ...(extent && { extent }) }, alike };
  });
}

/** The place in words: a chunk by its key. */
export function whereOf({ place, alike = [] }: Pick<ListedFinding, "place" | "alike">): string {
  const more = alike.length < 2 ? "" : ` and ${(alike.length - 1).toLocaleString("en")} more`;
  if (place.kind !== "chunk") return `${placeText(place)}${more}`;
  return `${place.array}/${place.coordinates.join(".") || "0"}${more}`.replace(/^\//, "");
}

export const ofSeverity = (
  listed: readonly ListedFinding[],
  severity: Severity | undefined,
): readonly ListedFinding[] =>
  severity === undefined ? listed : listed.filter(({ said }) => said.severity === severity);

/** For the clipboard: code, place, what was found, what to do. */
export function findingText(listed: ListedFinding): string {
  const { message, remedy = "" } = listed.said;
  return withoutSecrets([listed.found.code, whereOf(listed), message, remedy].filter((part) => part !== "").join("\n"));
}
