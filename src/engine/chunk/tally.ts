/** How many chunks of each array were read and failed, and which targets answer. */
import type { ReadingTally } from "#core/values/reading-tally.ts";
import type { EngineSet } from "../engine-set.ts";

export function readingTally({ met: { results, failures, answers, ...met } }: EngineSet): ReadingTally {
  const arrays = [...results].map(([path, known]) => {
    const [all, unbuilt, unreached] = [failures, met.unbuilt, met.unreached].map((of) => of.get(path) ?? 0) as Counts;
    return {
      path,
      ok: known.size - all,
      failed: all - unbuilt - unreached,
      ...(unbuilt > 0 && { unbuilt }),
      ...(unreached > 0 && { unreached }),
    };
  });
  const answering = [...answers.values()].filter(Boolean).length;
  return { arrays, targets: { asked: answers.size, answering } };
}

type Counts = [all: number, unbuilt: number, unreached: number];
