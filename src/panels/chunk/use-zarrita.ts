/** The selected chunk as zarrita reads it: asked for by hand, and kept while the chunk is looked at. */
import type { ComparisonCost, ReaderComparison } from "../../core/readers/comparison.ts";
import { useApp, useAppState, useEngine } from "../../store/react.tsx";
import { useTask, type TaskByHand } from "../../store/hooks/use-task.ts";

export interface ZarritaRun extends Pick<TaskByHand<ReaderComparison>, "begun" | "cancel" | "dismiss"> {
  /** What it reads, or why it cannot be asked; `undefined` until that is known. */
  readonly cost: ComparisonCost | undefined;
  readonly run: () => void;
}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

export function useZarrita({ set, array, coordinates }: Place): ZarritaRun {
  const { engine } = useApp();
  // What targets stand for may have changed.
  const revision = useAppState((state) => state.revision);
  const chunk = { set, array, coordinates };
  const cost = useEngine("check.comparisonCost", chunk);
  const task = useTask<ReaderComparison>("compare-zarrita", "Reading by zarrita", JSON.stringify([chunk, revision]));
  return {
    begun: task.begun,
    cost: cost.stale ? undefined : cost.data,
    cancel: task.cancel,
    dismiss: task.dismiss,
    run: () => {
      task.begin((options) => engine.call("check.compareReader", chunk, options));
    },
  };
}
