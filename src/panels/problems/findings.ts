/** Findings of the set and of the readings as one list. */
import type { Finding, Severity } from "../../core/finding.ts";
import type { Diagnostic, ToldFinding } from "../../core/studio.ts";

/** A finding with its place in the document that is edited. */
export interface PlacedFinding extends Finding {
  readonly diagnostic: Diagnostic;
}

export function isPlaced(finding: Finding): finding is PlacedFinding {
  return "diagnostic" in finding;
}

/** What is said at places in the text, and what of the set's findings is not said there: by code and place. */
export function withDiagnostics(findings: readonly Finding[], diagnostics: readonly Diagnostic[]): readonly Finding[] {
  const covered = new Set(diagnostics.flatMap(({ covers = [] }) => covers));
  const named = new Set(diagnostics.map(({ code, tells }) => nameOf(tells ?? { code })));
  const others = findings.filter((finding) => !covered.has(finding.code) && !named.has(nameOf(finding)));
  return [...diagnostics.map((one) => placed(one)), ...others];
}

function nameOf({ code, array, key, target }: ToldFinding): string {
  return JSON.stringify([code, array ?? null, key ?? null, target ?? null]);
}

function placed(diagnostic: Diagnostic): PlacedFinding {
  const { code, severity, message, advice, line } = diagnostic;
  return { code, severity, key: `line ${line}`, message, ...(advice === undefined ? {} : { advice }), diagnostic };
}

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

const ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Worst first; within a severity the set's own before those of readings, the latest reading first. */
export function allFindings(
  ofSet: readonly Finding[],
  ofReadings: readonly (readonly [string, readonly Finding[]])[],
): readonly Finding[] {
  const readings = ofReadings.flatMap(([key, findings]) => findings.map((one) => keyed(one, key)));
  return [...ofSet, ...readings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

/** A reading's finding always belongs to its chunk. */
function keyed(finding: Finding, key: string): Finding {
  return finding.key === undefined ? { ...finding, key } : finding;
}

/** How many there are of each severity, repetitions counted. */
export function bySeverity(findings: readonly Finding[]): ReadonlyMap<Severity, number> {
  const counts = new Map<Severity, number>();
  for (const { severity, count = 1 } of findings) counts.set(severity, (counts.get(severity) ?? 0) + count);
  return counts;
}

/** The place of a finding in words: its key, array or target. */
export function whereOf(finding: Finding): string {
  if (finding.key !== undefined) return finding.key;
  if (finding.array !== undefined) return finding.array === "" ? "/" : finding.array;
  return finding.target ?? "the whole set";
}
