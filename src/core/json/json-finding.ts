/** Turns oddities of a JSON text into findings. */
import { type Finding, finding, type Place } from "../findings/finding.ts";
import type { JsonOddity } from "./json.ts";

/** One finding for each kind (`json-duplicate-key`, `json-trailing-comma`, …): the first, and how often it was met. */
export function jsonFindings(oddities: readonly JsonOddity[], place: Place): readonly Finding[] {
  const first = new Map<string, JsonOddity>();
  const counts = new Map<string, number>();
  for (const oddity of oddities) {
    if (!first.has(oddity.code)) first.set(oddity.code, oddity);
    counts.set(oddity.code, (counts.get(oddity.code) ?? 0) + 1);
  }
  return [...first.values()].map(({ code, position: { line, column }, written }) =>
    finding(`json-${code}`, place, { line, column, written }, counts.get(code)),
  );
}
