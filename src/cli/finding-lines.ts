/** Findings in lines, with how many there are of each severity. */
import type { Finding, Severity } from "../core/finding.ts";
import { count, counted, paint, printable } from "./lines.ts";

export function findingLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  return [...findings.map(findingLine), totalsLine(findings)];
}

function findingLine({ severity, code, array, key, message, count: times }: Finding): string {
  const often = times === undefined || times === 1 ? "" : ` (${count(times)} times)`;
  const place = key ?? array;
  return `${paint(severity, severity)} ${printable(`${code}${often}${place === undefined ? "" : ` ${place}`}: ${message}`)}`;
}

const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ["error", "error"],
  ["warning", "warning"],
  ["info", "note"],
];

function totalsLine(findings: readonly Finding[]): string {
  const totals = SEVERITIES.map(([severity, word]) => {
    const some = findings.filter((finding) => finding.severity === severity);
    return counted(
      some.reduce((sum, { count: times = 1 }) => sum + times, 0),
      word,
    );
  });
  return totals.join(", ");
}
