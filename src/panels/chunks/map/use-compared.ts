/** What the last comparison of two snapshots says of an array. */
import type { ArrayChanges, SnapshotChanges } from "../../../core/repository.ts";
import { useAppState } from "../../../store/react.tsx";

export interface Compared {
  readonly comparison: SnapshotChanges;
  readonly array: ArrayChanges;
}

/** `undefined` where nothing was compared, or the array did not change. */
export function useCompared(path: string): Compared | undefined {
  const comparison = useAppState((state) => state.comparison);
  const array = comparison?.arrays.find((one) => one.path === path && one.shown);
  return comparison === undefined || array === undefined ? undefined : { comparison, array };
}
