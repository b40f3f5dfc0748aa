/** Everything known of the open set so far, whichever check found it. */
import type { CheckState } from "#core/check/check.ts";
import { useAppState, useEngine } from "../react.tsx";

/** `undefined` until it is known. In the view Check even very many references are looked at. */
export function useCheckState(): CheckState | undefined {
  const set = useAppState((state) => state.set);
  const isAsked = useAppState((state) => state.view === "check");
  const { last, error } = useEngine("check.state", set === undefined ? undefined : { set: set.id, isAsked });
  // A newer state takes the place of the one before when it is there.
  return set === undefined || error !== undefined || last?.request.set !== set.id ? undefined : last.data;
}
