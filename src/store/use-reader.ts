/** The reader that people here use: asked once, remembered, and asked about for every set. */
import { useEffect, useState } from "react";
import { remember, remembered } from "./browser-storage.ts";
import { useApp } from "./react.tsx";
import { useTask } from "./use-task.ts";

const PLACE = "refscope.reader.1";
/** Chunks that zarrita reads itself. */
const SAMPLE = 8;

export interface ReaderChosen {
  /** `""`: none. */
  readonly reader: string;
  readonly choose: (reader: string) => void;
  readonly running: boolean;
}

export function useReader(set: number): ReaderChosen {
  const { engine, store } = useApp();
  const [reader, setReader] = useState(() => remembered(PLACE) ?? "");
  const { begin, begun } = useTask<void>("check-reader", "Asking about the reader", `${set} ${reader}`);
  useEffect(() => {
    begin(async (options) => {
      const chosen = reader === "" ? undefined : reader;
      await engine.call("check.chooseReader", { set, reader: chosen, sample: SAMPLE }, options);
      store.setState({ checks: store.getState().checks + 1 });
    });
    // oxlint-disable-next-line react/exhaustive-deps -- what begins it is made anew with every drawing
  }, [engine, store, set, reader]);
  return {
    reader,
    choose: (name) => {
      remember(PLACE, name);
      setReader(name);
    },
    running: begun?.running === true,
  };
}
