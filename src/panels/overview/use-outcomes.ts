import { useMemo } from "react";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { useEngine } from "#store/react.tsx";

/** Results of readings so far, by array. */
export function useOutcomes(set: number): ReadonlyMap<string, ArrayTally> {
  const tally = useEngine("chunk.tally", { set }).last?.data;
  return useMemo(() => new Map(tally?.arrays.map((one) => [one.path, one])), [tally]);
}
