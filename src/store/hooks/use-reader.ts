/** The reader that people here use: asked once, remembered, and asked about for every set. zarrita on a sample. */
import { useEffect, useRef, useState } from "react";
import type { ReaderSample } from "#core/readers/verdict.ts";
import { remember, remembered } from "../browser-storage.ts";
import { useApp } from "../react.tsx";
import { useTask } from "./use-task.ts";

const PLACE = "refscope.reader.1";

export type ReaderChosen = ReturnType<typeof useReader>;

export function useReader(set: number) {
  const { engine, store } = useApp();
  const [reader, setReader] = useState(() => remembered(PLACE) ?? "");
  const { begin, begun } = useTask<void>("check-reader", "Checking the reader", `${set} ${reader}`);
  const sample = useTask<ReaderSample | undefined>("check-zarrita", "Comparing with zarrita", String(set));
  const told = () => store.setState({ checks: store.getState().checks + 1 });
  const asked = useRef<number>(undefined);
  useEffect(() => {
    // If no reader was chosen for this set, there is none to take back.
    if (reader === "" && asked.current !== set) return;
    asked.current = set;
    begin(async (options) => {
      await engine.call("check.chooseReader", { set, reader: reader === "" ? undefined : reader }, options);
      told();
    });
    // oxlint-disable-next-line react/exhaustive-deps -- what begins it is made anew with every drawing
  }, [engine, store, set, reader]);
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
        told();
        return found;
      }),
    cancelSample: sample.cancel,
  };
}
