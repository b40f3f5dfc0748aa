/** A repair for the array, tried on a sample of its chunks before it can be applied. */
import { useEffect, useRef, useState } from "react";
import type { Progress } from "../../core/byte-source.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../../core/errors.ts";
import type { RepairCheck, Trial } from "../../core/lab.ts";
import { useApp } from "../../store/react.tsx";

export interface RepairChecking {
  /** `undefined` while nothing is checked, or what was checked is of another set or array. */
  readonly known: KnownCheck | undefined;
  readonly begin: (trial: Trial, label: string) => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

export interface KnownCheck {
  readonly trial: Trial;
  /** What the repair does, in words. */
  readonly label: string;
  readonly running: boolean;
  readonly progress?: Progress;
  readonly found?: RepairCheck;
  readonly error?: ErrorFields;
}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

export function useRepairCheck({ set, array, coordinates }: Place): RepairChecking {
  const { engine, tasks } = useApp();
  const about = JSON.stringify([set, array]);
  const [state, setState] = useState<{ readonly about: string; readonly known: KnownCheck }>();
  const running = useRef<{ readonly about: string; readonly controller: AbortController }>(undefined);
  useEffect(
    () => () => {
      if (running.current?.about === about) running.current.controller.abort(ended("Another array was selected."));
    },
    [about],
  );
  const begin = (trial: Trial, label: string) => {
    running.current?.controller.abort(ended("Another repair is tried."));
    const controller = new AbortController();
    running.current = { about, controller };
    const note = (part: Omit<KnownCheck, "trial" | "label">) => {
      if (running.current?.controller === controller) setState({ about, known: { trial, label, ...part } });
    };
    note({ running: true });
    tasks
      .run("check-repair", "Trying the repair on other chunks", ({ signal, onProgress }) => {
        const report = (progress: Progress) => {
          onProgress(progress);
          note({ running: true, progress });
        };
        const signals = AbortSignal.any([signal, controller.signal]);
        return engine.call(
          "lab.checkRepair",
          { set, array, coordinates, trial },
          { signal: signals, onProgress: report },
        );
      })
      .then(
        (found) => {
          note({ running: false, found });
        },
        (error: unknown) => {
          if (!isAbort(error))
            note({ running: false, error: toErrorFields(error, "Trying the repair on other chunks") });
          else if (running.current?.controller === controller) setState(undefined);
        },
      );
  };
  return {
    known: state?.about === about ? state.known : undefined,
    begin,
    cancel: () => {
      running.current?.controller.abort(ended("Cancelled by the user."));
    },
    dismiss: () => {
      setState(undefined);
    },
  };
}

const ended = (why: string) => new DOMException(why, "AbortError");
