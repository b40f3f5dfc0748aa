/** From candidates to suggestions: the best first, each decoding only once, no guesses beside certainties. */
import type { Evidence, Suggestion } from "../../../core/repair.ts";
import type { Candidate, Search } from "./candidate.ts";
import { entropyAs, isTurned } from "./values-of.ts";
import { sameBytes } from "../../../core/values/same-bytes.ts";

const MAX_SUGGESTIONS = 5;
/** Guesses this far behind the best are left out. */
const WIDEST_GAP = 0.4;
const MAX_JUDGED = 12;

export function ranked(search: Search, candidates: readonly Candidate[]): readonly Suggestion[] {
  const judged = search.declared.fits ? candidates : judgedByValues(search, candidates);
  const sorted = judged.toSorted((a, b) => b.score - a.score);
  const best = sorted[0]?.score ?? 0;
  const distinct = sorted.filter(
    (one, at) => !sorted.slice(0, at).some((better) => isSameReading(better, one)) && one.score > best - WIDEST_GAP,
  );
  return distinct.slice(0, MAX_SUGGESTIONS).map((one) => suggestionOf(search, one));
}

/** What decodes to the same values is one suggestion: the better explained one stays. */
function isSameReading(one: Candidate, other: Candidate): boolean {
  if (one.bytes === other.bytes) return one.trial.byteOrder === other.trial.byteOrder;
  return one.trial.byteOrder === other.trial.byteOrder && sameBytes(one.bytes, other.bytes);
}

/** Among readings that only give the right size, those with more order in their values come first. */
function judgedByValues({ metadata }: Search, candidates: readonly Candidate[]): readonly Candidate[] {
  if (metadata.dataType.itemSize === 0) return candidates;
  return candidates
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_JUDGED)
    .map((one) => {
      const bits = entropyAs(metadata, one.bytes)?.bits ?? 4;
      const turned = isTurned(metadata, one.bytes) ? 0.05 : 0;
      return { ...one, score: Math.max(0, one.score + 0.1 * (1 - bits / 8) - 0.1 - turned) };
    });
}

function suggestionOf({ attempts }: Search, { change, trial, evidence, score }: Candidate): Suggestion {
  const { expected: bytes } = attempts;
  const size: readonly Evidence[] = bytes === 0 ? [] : [{ kind: "exact-size", bytes }];
  return { change, trial, evidence: [...evidence, ...size], score: Math.min(1, score) };
}
