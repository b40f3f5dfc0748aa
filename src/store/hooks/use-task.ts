/** A question asked by hand, as a task of the status bar. */
import { useEffect, useRef, useState } from "react";
import type { Progress } from "#core/byte-source.ts";
import { findingOfError, isAbort } from "#core/findings/finding.ts";
import { useApp, type Answer } from "../react.tsx";
import type { TaskOptions } from "../tasks.ts";

/** State of a task that was begun. */
export interface Begun<T> {
  readonly running: boolean;
  readonly progress?: Progress;
  readonly found?: T;
  readonly error?: Answer<T>["error"];
}

/** Begun again, it ends what was begun before; so it does where `subject`, what it is about, becomes another. */
export function useTask<T>(region: string, label: string, subject: string) {
  const { tasks } = useApp();
  const [state, setState] = useState<{ readonly subject: string; readonly begun: Begun<T> }>();
  const latest = useRef<{ readonly subject: string; readonly controller: AbortController }>(undefined);
  useEffect(
    () => () => {
      if (latest.current?.subject === subject) latest.current.controller.abort(ended("Something else was selected."));
    },
    [subject],
  );
  const begin = (work: (options: TaskOptions) => Promise<T>) => {
    latest.current?.controller.abort(ended("Restarted."));
    const controller = new AbortController();
    latest.current = { subject, controller };
    const note = (begun: Begun<T> | undefined) => {
      if (latest.current?.controller === controller) setState(begun && { subject, begun });
    };
    note({ running: true });
    tasks
      .run(region, label, ({ signal, onProgress }) =>
        work({
          signal: AbortSignal.any([signal, controller.signal]),
          onProgress: (progress) => {
            onProgress(progress);
            note({ running: true, progress });
          },
        }),
      )
      .then(
        (found) => note({ running: false, found }),
        (error: unknown) => note(isAbort(error) ? undefined : { running: false, error: findingOfError(error, label) }),
      );
  };
  return {
    /** `undefined` where nothing was begun, it was of another subject, or it was cancelled. */
    begun: state?.subject === subject ? state.begun : undefined,
    begin,
    cancel: () => latest.current?.controller.abort(ended("Cancelled by the user.")),
    dismiss: () => setState(undefined),
  };
}

const ended = (why: string) => new DOMException(why, "AbortError");
