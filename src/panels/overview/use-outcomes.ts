import { useMemo } from "react";
import type { ArrayOutcomes } from "../../core/dataset-card.ts";
import { useEngine } from "../../store/react.tsx";

/** What readings gave so far, by array. */
export function useOutcomes(set: number): ReadonlyMap<string, ArrayOutcomes> {
  const { data } = useEngine("chunk.outcomes", { set });
  return useMemo(() => new Map(data?.map((one) => [one.array, one])), [data]);
}
