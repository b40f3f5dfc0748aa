/** Comparing two snapshots of the open repository. */
import { findingOfError, isAbort } from "../core/findings/finding.ts";
import type { AskedComparison, HistoryState } from "./state.ts";
import type { Tools } from "./tasks.ts";

/** Label of the task, by which the view finds it. */
export const COMPARING = "Comparing two snapshots";

export function historyActions(tools: Tools) {
  const { store } = tools;
  const change = (part: Partial<HistoryState>) => store.setState({ history: { ...store.getState().history, ...part } });
  return {
    chooseHistory: (part: Partial<Pick<HistoryState, "from" | "to" | "refocus" | "life">>) => change(part),
    ...comparisonActions(tools, change),
  };
}

type Change = (part: Partial<HistoryState>) => void;

function comparisonActions({ engine, store, tasks }: Tools, change: Change) {
  return {
    /** Compares two snapshots; the result goes to `comparison`. */
    async compareSnapshots(asked: AskedComparison) {
      const { set } = store.getState();
      if (set === undefined) return;
      store.setState({ comparison: undefined });
      change({ asked, failed: undefined });
      const isCurrent = () => store.getState().set?.id === set.id && store.getState().history.asked === asked;
      try {
        const request = { set: set.id, ...asked };
        const changes = await tasks.run("history-compare", COMPARING, (options) =>
          engine.call("repository.compare", request, options),
        );
        if (isCurrent()) store.setState({ comparison: changes });
      } catch (error) {
        if (!isCurrent()) return;
        if (isAbort(error)) change({ asked: undefined });
        else change({ failed: findingOfError(error, COMPARING) });
      }
    },
    closeComparison() {
      const { set } = store.getState();
      store.setState({ comparison: undefined });
      change({ asked: undefined, failed: undefined });
      // A set that was closed meanwhile has forgotten it.
      if (set !== undefined) engine.call("repository.forgetComparison", { set: set.id }).catch(() => undefined);
    },
  };
}
