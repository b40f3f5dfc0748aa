/** nunjucks on the open document, in its sandbox: asked for by hand. */
import type { ReaderSummary } from "../../core/studio.ts";
import { askJavaScriptReader } from "../reader-comparison.ts";
import { useApp } from "../react.tsx";
import { useTask, type TaskByHand } from "./use-task.ts";

export interface NunjucksRun extends Pick<TaskByHand<NunjucksFound>, "begun" | "cancel" | "dismiss"> {
  readonly run: () => void;
}

export interface NunjucksFound {
  readonly summary: ReaderSummary;
  /** Keys that were compared. */
  readonly keys: number;
}

export function useNunjucks(set: number): NunjucksRun {
  const { engine } = useApp();
  const task = useTask<NunjucksFound>("check-nunjucks", "Running nunjucks", String(set));
  return {
    begun: task.begun,
    cancel: task.cancel,
    dismiss: task.dismiss,
    run: () => {
      task.begin(async (options) => {
        const { javascript, keys } = await askJavaScriptReader(engine, set, options);
        return { summary: javascript, keys };
      });
    },
  };
}
