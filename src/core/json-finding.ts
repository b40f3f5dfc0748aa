/** What is odd about a JSON text, as findings. */
import type { Finding } from "./finding.ts";
import type { JsonOddity } from "./json.ts";

/** One finding a kind of oddity (`json-duplicate-key`, `json-trailing-comma`, …): the first, and how often it was met. */
export function jsonFindings(oddities: readonly JsonOddity[]): readonly Finding[] {
  const first = new Map<string, JsonOddity>();
  const counts = new Map<string, number>();
  for (const oddity of oddities) {
    if (!first.has(oddity.code)) first.set(oddity.code, oddity);
    counts.set(oddity.code, (counts.get(oddity.code) ?? 0) + 1);
  }
  return [...first.values()].map((oddity) => findingOf(oddity, counts.get(oddity.code) ?? 1));
}

function findingOf(oddity: JsonOddity, count: number): Finding {
  const { line, column } = oddity.position;
  return {
    code: `json-${oddity.code}`,
    severity: oddity.code === "not-finite" ? "info" : "warning",
    message: `${oddity.message} It stands at line ${line}, column ${column}.`,
    ...(count > 1 ? { count } : {}),
  };
}
