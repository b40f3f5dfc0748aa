/** Looking further than the references: asked for by hand, as tasks of the status bar; a glance unasked. */
import { useEffect } from "react";
import type { CheckState, Glance } from "#core/check/check.ts";
import { useApp, useAppState, useEngine } from "../react.tsx";
import { useTask } from "./use-task.ts";

/** The glance begins with the first showing, once a set, and again where what failed may not fail any more. */
export function useCheckRuns(set: number) {
  const { engine, actions } = useApp();
  const targets = useAskTargets(set);
  const values = useTask<void>("check-values", "Decoding chunks", String(set));
  const glance = useTask<Glance>("check-glance", "Spot-checking chunks", String(set));
  const { begin, begun } = glance;
  // The engine keeps what it saw, until targets are looked for elsewhere.
  const revision = useAppState((state) => state.revision);
  useEffect(() => {
    begin(async (options) => {
      const glimpsed = await engine.call("check.glance", { set }, options);
      actions.noteCheck();
      return glimpsed;
    });
    // oxlint-disable-next-line react/exhaustive-deps -- what begins it is made anew with every drawing
  }, [set, revision]);
  return {
    sources: targets.begun,
    values: values.begun,
    glance: begun,
    askTargets: targets.ask,
    /** Decodes chunks of one array or all: every chunk, or a sample that meets a fault of a share of them. */
    decode: (which: { readonly array?: string; readonly share?: number } = {}) =>
      values.begin(async (options) => {
        await engine.call("check.values", { set, ...which }, options);
        actions.noteCheck();
      }),
    cancel: () => {
      targets.cancel();
      values.cancel();
      glance.cancel();
    },
  };
}

/** Asks the targets of the open set. `isAll`: compares with all files' own indexes, not with a sample of them. */
export function useAskTargets(set: number) {
  const { engine, actions } = useApp();
  const { begun, begin, cancel } = useTask<void>("check-sources", "Checking sources", String(set));
  const ask = (which: { readonly isAll?: true } = {}) =>
    begin(async (options) => {
      await engine.call("check.sources", { set, ...which }, options);
      actions.noteCheck();
    });
  return { begun, ask, cancel };
}

/**
 * Everything known of the open set so far, whichever check found it; `undefined` until it is known. In the view Check even
 * very many references are looked at.
 */
export function useCheckState(): CheckState | undefined {
  const set = useAppState((state) => state.set);
  const isAsked = useAppState((state) => state.view === "check");
  const { last, error } = useEngine("check.state", set === undefined ? undefined : { set: set.id, isAsked });
  // A newer state takes the place of the one before when it is there.
  return set === undefined || error !== undefined || last?.request.set !== set.id ? undefined : last.data;
}
