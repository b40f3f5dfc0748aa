/** The reader that people here use: asked once, remembered, and asked about for every set. zarrita on a sample. */
import { useEffect, useRef, useState } from "react";
import type { ReaderSample } from "#core/readers/verdict.ts";
import { remember, remembered } from "../browser-storage.ts";
import { useApp } from "../react.tsx";
import { useTask } from "./use-task.ts";
import type { ReaderSummary } from "#core/studio.ts";
import { askJavaScriptReader } from "../reader-comparison.ts";

const PLACE = "refscope.reader.1";

export type ReaderChosen = ReturnType<typeof useReader>;

export function useReader(set: number) {
  const { engine, actions } = useApp();
  const [reader, setReader] = useState(() => remembered(PLACE) ?? "");
  const { begin, begun } = useTask<void>("check-reader", "Checking the reader", `${set} ${reader}`);
  const sample = useTask<ReaderSample | undefined>("check-zarrita", "Comparing with zarrita", String(set));
  const asked = useRef<number>(undefined);
  useEffect(() => {
    // If no reader was chosen for this set, there is none to take back.
    if (reader === "" && asked.current !== set) return;
    asked.current = set;
    begin(async (options) => {
      await engine.call("check.chooseReader", { set, reader: reader === "" ? undefined : reader }, options);
      actions.noteCheck();
    });
    // oxlint-disable-next-line react/exhaustive-deps -- what begins it is made anew with every drawing
  }, [engine, actions, set, reader]);
  return {
    /** `""`: none. */
    reader,
    choose: (name: string) => {
      remember(PLACE, name);
      setReader(name);
    },
    running: begun?.running === true,
    /** zarrita on a sample, asked for by hand. */
    sample: sample.begun,
    runSample: () =>
      sample.begin(async (options) => {
        const found = await engine.call("check.runReader", { set }, options);
        actions.noteCheck();
        return found;
      }),
    cancelSample: sample.cancel,
  };
}

export type NunjucksRun = ReturnType<typeof useNunjucks>;

export interface NunjucksFound {
  readonly summary: ReaderSummary;
  /** Keys that were compared. */
  readonly keys: number;
}

/** nunjucks on the open document, in its sandbox: asked for by hand. */
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
