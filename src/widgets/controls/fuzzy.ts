/** Fuzzy matching for pick lists: the query's characters in order, the tighter the better. */

/**
 * How well `text` matches (higher is better), `undefined` where it does not. Case and spaces in the query are ignored.
 */
export function fuzzyScore(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, "");
  if (wanted === "") return 0;
  const candidate = text.toLowerCase();
  const whole = candidate.indexOf(wanted);
  if (whole >= 0) return 1000 - text.length + (isWordStart(candidate, whole) ? 500 : 0);
  return scattered(wanted, candidate);
}

function scattered(wanted: string, candidate: string): number | undefined {
  let score = 0;
  let at = -1;
  for (const character of wanted) {
    const next = candidate.indexOf(character, at + 1);
    if (next < 0) return undefined;
    if (isWordStart(candidate, next)) score += 10;
    if (next === at + 1) score += 5;
    else score -= Math.min(5, next - at);
    at = next;
  }
  return score - candidate.length / 100;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || /[\s/._:-]/.test(text.charAt(at - 1));

/** The best matches, best first; equal ones keep their order. */
export function bestMatches<T>(items: Iterable<T>, query: string, textOf: (item: T) => string, limit: number): T[] {
  const scored: { readonly item: T; readonly score: number }[] = [];
  for (const item of items) {
    const score = fuzzyScore(query, textOf(item));
    if (score !== undefined) scored.push({ item, score });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
