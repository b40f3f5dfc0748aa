/** How many findings there are of each severity, repetitions counted. */
import type { Severity } from "./catalogue/entry.ts";
import type { Explain } from "./explained.ts";
import type { Finding } from "./finding.ts";

export function severityCounts(findings: Iterable<Finding>, say: Explain): ReadonlyMap<Severity, number> {
  const counts = new Map<Severity, number>();
  for (const finding of findings) {
    const { severity } = say(finding);
    counts.set(severity, (counts.get(severity) ?? 0) + finding.count);
  }
  return counts;
}
