/** Findings in lines, with how many there are of each severity. */
import { groupedBy } from "#core/basics.ts";
import { count, counted } from "#core/words.ts";
import { columns, fitted } from "./columns.ts";
import { explained } from "./explained.ts";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import { worstFirst, SEVERITIES } from "#core/findings/explained.ts";
import { type Finding, placeText } from "#core/findings/finding.ts";
import { paint, printable } from "./lines.ts";

/** Prints to stderr that a set does not open: it is no answer. */
export function printUnopened(name: string, why: string): void {
  console.error(`${paint("heading", printable(name))}\n  ${paint("error", printable(why))}`);
}

export function findingLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const alike = groupedBy(worstFirst(findings, explained), (one) => `${one.code} ${explained(one).message}`);
  const lines = [...alike.values()].flatMap((group) => fitted(paintedLine(group), columns() - 2));
  return [...lines, totalsLine(findings)];
}

/** `error http-status (3 times) sst/0.0.1: …`, without colours. */
export const findingLine = (found: Finding): string => `${severityWord(explained(found).severity)} ${saidOf(found)}`;

/** Severity as reports name it. */
export const severityWord = (severity: Severity): string => (severity === "info" ? "note" : severity);

/** One line for several places with the same words. */
function paintedLine([found, ...others]: readonly [Finding, ...Finding[]]): string {
  const { severity } = explained(found);
  return `${paint(severity, severityWord(severity))} ${printable(saidOf(found, others.slice(0, MOST_PLACES - 1), others.length))}`;
}

/** Places that are named. */
const MOST_PLACES = 4;

function saidOf(found: Finding, named: readonly Finding[] = [], all = 0): string {
  const rest = all > named.length ? ` and ${count(all - named.length)} more` : "";
  const places = [found, ...named].map(placeWords).join(",");
  return `${found.code}${often(found)}${places}${rest}: ${explained(found).message}`;
}

/** True if all of them are notes. */
export const areNotes = (findings: readonly Finding[]): boolean =>
  findings.every((one) => explained(one).severity === "info");

export const often = ({ count: times }: Finding): string => (times === 1 ? "" : ` (${count(times)} times)`);

function placeWords({ place }: Finding): string {
  const chunk = place.kind === "target" ? place.chunk : undefined;
  return place.kind === "set" ? "" : ` ${placeText(chunk ?? place)}`;
}

function totalsLine(findings: readonly Finding[]): string {
  const severities = findings.map((one) => ({ severity: explained(one).severity, times: one.count }));
  const totals = SEVERITIES.map((severity) => {
    const times = severities.reduce((sum, one) => sum + (one.severity === severity ? one.times : 0), 0);
    return counted(times, severityWord(severity));
  });
  return totals.join(", ");
}
