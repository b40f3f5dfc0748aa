/** nunjucks on the open document, in its sandbox: asked for by hand. */
import type { ReaderSummary } from "#core/studio.ts";
import { askJavaScriptReader } from "../reader-comparison.ts";
import { useApp } from "../react.tsx";
import { useTask } from "./use-task.ts";

export type NunjucksRun = ReturnType<typeof useNunjucks>;

export interface NunjucksFound {
  readonly summary: ReaderSummary;
  /** Keys that were compared. */
  readonly keys: number;
}

export function useNunjucks(set: number) {
  const { engine } = useApp();
  const { begin, ...task } = useTask<NunjucksFound>("check-nunjucks", "Running nunjucks", String(set));
  return {
    ...task,
    run: () =>
      begin(async (options) => {
        const { javascript, keys } = await askJavaScriptReader(engine, set, options);
        return { summary: javascript, keys };
      }),
  };
}
