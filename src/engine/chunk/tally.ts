/** How many chunks of each array were read and failed, and which targets answer. */
import type { ReadingTally } from "../../core/reading-tally.ts";
import type { EngineSet } from "../engine-set.ts";

export function readingTally({ results, failures, answers }: EngineSet): ReadingTally {
  const arrays = [...results].map(([path, known]) => {
    const failed = failures.get(path) ?? 0;
    return { path, ok: known.size - failed, failed };
  });
  const answering = [...answers.values()].filter(Boolean).length;
  return { arrays, targets: { asked: answers.size, answering } };
}
