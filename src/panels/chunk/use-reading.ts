import { useEffect, useRef, useState } from "react";
import type { Progress } from "#core/byte-source.ts";
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import type { Reading } from "#core/reading.ts";
import { useApp, useAppState, useEngine } from "#store/react.tsx";
import type { ReaderComparison } from "#core/readers/comparison.ts";
import { useTask } from "#store/hooks/use-task.ts";
import type { ChunkOfSet } from "./chunk-words.ts";

export type ChunkReading = ReturnType<typeof useReading>;

interface State {
  /** Question that this answers: set, array, chunk, revision, attempt. */
  readonly asked: string;
  readonly reading: Reading | undefined;
  readonly error: Finding | undefined;
  readonly cancelled: boolean;
}

const NO_READING: State = { asked: "", reading: undefined, error: undefined, cancelled: false };

/** Reads the chunk now and whenever another is selected or targets are relocated; a newer reading ends the older. */
export function useReading(set: number, array: string, coordinates: readonly number[]) {
  const { engine, tasks } = useApp();
  const revision = useAppState((state) => state.revision);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState(NO_READING);
  const [progress, setProgress] = useState<Progress>();
  const controller = useRef<AbortController>(undefined);
  const chunk = coordinates.join(".");
  const asked = JSON.stringify([set, array, chunk, revision, attempt]);

  useEffect(() => {
    const ending = new AbortController();
    controller.current = ending;
    const name = chunk === "" ? array : `${array === "" ? "" : `${array}/`}${chunk}`;
    const request = { set, array, coordinates: chunk === "" ? [] : chunk.split(".").map(Number) };
    // Superseded by a later effect.
    let over = false;
    tasks
      .run("chunk", `Reading ${name}`, ({ signal, onProgress }) => {
        const report = (now: Progress) => {
          onProgress(now);
          if (!over) setProgress(now);
        };
        return engine.call("chunk.read", request, {
          signal: AbortSignal.any([signal, ending.signal]),
          onProgress: report,
        });
      })
      .then((reading) => {
        if (over) return;
        setState({ asked, reading, error: undefined, cancelled: false });
      })
      .catch((error: unknown) => {
        if (over) return;
        const cancelled = isAbort(error);
        const fields = cancelled ? undefined : findingOfError(error, `Reading ${name}`);
        setState((before) => ({ ...before, asked, error: fields, cancelled }));
      })
      .finally(() => {
        if (!over) setProgress(undefined);
      });
    return () => {
      over = true;
      ending.abort(new DOMException("Another chunk was selected.", "AbortError"));
    };
  }, [engine, tasks, set, array, chunk, asked]);

  const pending = state.asked !== asked;
  return {
    /** The last reading of this array; of another chunk while `pending` or after it failed to start. */
    reading: state.reading,
    /** The reading is not of the chunk that is selected, or the chunk is being read again. */
    pending,
    progress,
    /** Why there is no reading at all; what stopped a reading half way is in the reading. */
    error: pending ? undefined : state.error,
    cancelled: !pending && state.cancelled,
    cancel: () => controller.current?.abort(new DOMException("Cancelled by the user.", "AbortError")),
    retry: () => setAttempt((count) => count + 1),
  };
}

export type ZarritaRun = ReturnType<typeof useZarrita>;

/** The selected chunk as zarrita reads it: asked for by hand, and kept while the chunk is looked at. */
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
