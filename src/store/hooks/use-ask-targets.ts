/** Asking the targets of the open set, as a task of the status bar. */
import { useApp } from "../react.tsx";
import { useTask } from "./use-task.ts";

export function useAskTargets(set: number) {
  const { engine, store } = useApp();
  const { begun, begin, cancel } = useTask<void>("check-sources", "Checking sources", String(set));
  const ask = () => {
    begin(async (options) => {
      await engine.call("check.sources", { set }, options);
      store.setState({ checks: store.getState().checks + 1 });
    });
  };
  return { begun, ask, cancel };
}
