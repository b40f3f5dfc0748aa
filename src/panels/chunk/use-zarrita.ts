/** The selected chunk as zarrita reads it: asked for by hand, and kept while the chunk is looked at. */
import type { ReaderComparison } from "#core/readers/comparison.ts";
import { useApp, useAppState, useEngine } from "#store/react.tsx";
import { useTask } from "#store/hooks/use-task.ts";
import type { ChunkOfSet } from "./chunk-words.ts";

export type ZarritaRun = ReturnType<typeof useZarrita>;

export function useZarrita(chunk: ChunkOfSet) {
  const { engine } = useApp();
  // The meaning of targets may have changed.
  const revision = useAppState((state) => state.revision);
  const cost = useEngine("check.comparisonCost", chunk);
  const { begin, ...task } = useTask<ReaderComparison>(
    "compare-zarrita",
    "Reading by zarrita",
    JSON.stringify([chunk, revision]),
  );
  return {
    ...task,
    /** Cost, or the reason why zarrita cannot read it; `undefined` until known. */
    cost: cost.stale ? undefined : cost.data,
    run: () => begin((options) => engine.call("check.compareReader", chunk, options)),
  };
}
