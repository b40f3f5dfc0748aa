/** Looking further than the references: asked for by hand, as tasks of the status bar; a glance unasked. */
import { useEffect } from "react";
import type { Glance } from "#core/check/check.ts";
import { useApp, useAppState } from "../react.tsx";
import { useTask } from "./use-task.ts";

export type CheckRuns = ReturnType<typeof useCheckRuns>;

/** The glance begins with the first showing, once a set, and again where what failed may not fail any more. */
export function useCheckRuns(set: number) {
  const { engine, store } = useApp();
  const subject = String(set);
  const sources = useTask<void>("check-sources", "Checking sources", subject);
  const values = useTask<void>("check-values", "Decoding chunks", subject);
  const glance = useTask<Glance>("check-glance", "Checking suspicious chunks", subject);
  const told = <T>(found: T): T => {
    store.setState({ checks: store.getState().checks + 1 });
    return found;
  };
  const { begin, begun } = glance;
  // The engine keeps what it saw, until targets are looked for elsewhere.
  const revision = useAppState((state) => state.revision);
  useEffect(() => {
    begin(async (options) => told(await engine.call("check.glance", { set }, options)));
    // oxlint-disable-next-line react/exhaustive-deps -- what begins it is made anew with every drawing
  }, [set, revision]);
  return {
    sources: sources.begun,
    values: values.begun,
    glance: begun,
    /** `isAll`: compares with all files' own indexes, not with a sample of them. */
    askTargets: (which: { readonly isAll?: true } = {}) =>
      sources.begin(async (options) => told(await engine.call("check.sources", { set, ...which }, options))),
    /** Decodes chunks of one array or all: every chunk, or a sample that meets a fault of a share of them. */
    decode: (which: { readonly array?: string; readonly share?: number } = {}) =>
      values.begin(async (options) => told(await engine.call("check.values", { set, ...which }, options))),
    cancel: () => {
      sources.cancel();
      values.cancel();
      glance.cancel();
    },
  };
}
