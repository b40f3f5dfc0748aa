/** Likely repairs of the selected chunk, looked for when asked. */
import { useEffect, useRef, useState } from "react";
import type { Progress } from "../../core/byte-source.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../../core/errors.ts";
import type { Suggestions } from "../../core/lab.ts";
import { useApp } from "../../store/react.tsx";

export interface SuggestionsState {
  /** Of the selected chunk; `undefined` until they were asked for. */
  readonly found: Suggestions | undefined;
  readonly error: ErrorFields | undefined;
  readonly running: boolean;
  readonly progress: Progress | undefined;
  readonly ask: () => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

interface Known {
  /** What it is about. */
  readonly about: string;
  readonly found?: Suggestions;
  readonly error?: ErrorFields;
  readonly progress?: Progress;
  readonly running: boolean;
}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** What was found of another chunk is no longer shown; a search for another chunk is ended. */
export function useSuggestions({ set, array, coordinates }: Place): SuggestionsState {
  const { engine, tasks } = useApp();
  const about = JSON.stringify([set, array, coordinates]);
  const [known, setKnown] = useState<Known>();
  const search = useRef<{ readonly about: string; readonly controller: AbortController }>(undefined);
  useEffect(
    () => () => {
      if (search.current?.about === about) search.current.controller.abort(ended("Another chunk was selected."));
    },
    [about],
  );

  const ask = () => {
    search.current?.controller.abort(ended("It is asked anew."));
    const ending = new AbortController();
    search.current = { about, controller: ending };
    const take = (part: Omit<Known, "about">) => {
      if (search.current?.controller === ending) setKnown({ about, ...part });
    };
    take({ running: true });
    tasks
      .run("suggest", "Looking for repairs", ({ signal, onProgress }) => {
        const report = (progress: Progress) => {
          onProgress(progress);
          take({ running: true, progress });
        };
        const signals = AbortSignal.any([signal, ending.signal]);
        return engine.call("lab.suggest", { set, array, coordinates }, { signal: signals, onProgress: report });
      })
      .then(
        (found) => take({ running: false, found }),
        (error: unknown) => {
          take(
            isAbort(error)
              ? { running: false }
              : { running: false, error: toErrorFields(error, "Looking for repairs") },
          );
        },
      );
  };
  const shown = known?.about === about ? known : undefined;
  return {
    found: shown?.found,
    error: shown?.error,
    running: shown?.running ?? false,
    progress: shown?.progress,
    ask,
    cancel: () => {
      search.current?.controller.abort(ended("Cancelled by the user."));
    },
    dismiss: () => {
      setKnown(undefined);
    },
  };
}

const ended = (why: string) => new DOMException(why, "AbortError");
