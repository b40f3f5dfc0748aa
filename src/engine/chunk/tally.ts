/** How many chunks of each array were read and failed, and which targets answer. */
import type { ReadingTally } from "../../core/values/reading-tally.ts";
import type { EngineSet } from "../engine-set.ts";

export function readingTally({ met: { results, failures, unbuilt, answers } }: EngineSet): ReadingTally {
  const arrays = [...results].map(([path, known]) => {
    const [failed, lacking] = [failures.get(path) ?? 0, unbuilt.get(path) ?? 0];
    const tally = { path, ok: known.size - failed, failed: failed - lacking };
    return lacking === 0 ? tally : { ...tally, unbuilt: lacking };
  });
  const answering = [...answers.values()].filter(Boolean).length;
  return { arrays, targets: { asked: answers.size, answering } };
}
