/** The values of arrays that both sets have, compared: unasked where that costs little, else when it is wanted. */
import { useEffect, useState } from "react";
import type { ArrayValues, ValuesCost, ValuesMode } from "#core/set-differences.ts";
import { FREE_READING, UNASKED_BYTES } from "#core/plane/plane-budget.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useApp, useEngine } from "#store/react.tsx";

/** Chunks of each array. */
export type Sample = 100 | "all";

export function useComparedValues(set: number | undefined, other: number | undefined) {
  const { engine } = useApp();
  const [mode, setMode] = useState<ValuesMode>("cf");
  const [absolute, setAbsolute] = useState<number>();
  const [found, setFound] = useState<{ readonly of: string; readonly results: readonly ArrayValues[] }>();
  const request = set === undefined || other === undefined ? undefined : { set, other, mode };
  const costs = useEngine("compare.cost", request);
  const of = JSON.stringify([set, other, mode, absolute]);
  const { begin, begun } = useTask<void>("compare-values", "Comparing values", of);
  const compare = (chunks: Sample) => {
    if (request === undefined) return;
    const results: ArrayValues[] = [];
    setFound({ of, results });
    begin(async (options) => {
      for (const { path } of costs.data ?? []) {
        const asked = { ...request, path, chunks, given: absolute === undefined ? undefined : { absolute } };
        const one = await engine.call("compare.values", asked, options);
        if (one !== undefined) results.push(one);
        setFound({ of, results: [...results] });
      }
    });
  };
  const isFree = costs.data !== undefined && !costs.stale && isCheap(costs.data);
  useEffect(() => {
    if (isFree) compare("all");
    // Another pair, way or tolerance is compared anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isFree, of]);
  const results = found?.of === of ? found.results : [];
  const given = absolute === undefined ? undefined : { absolute };
  return { mode, setMode, given, setAbsolute, costs, results, begun, compare };
}

export type ComparedValues = ReturnType<typeof useComparedValues>;

const isCheap = (costs: readonly ValuesCost[]): boolean => {
  const sum = (of: (cost: ValuesCost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  const chunks = sum(({ rest }) => rest);
  // Nothing is read unasked whose size is not known.
  return (
    chunks <= FREE_READING.requests &&
    chunks === sum(({ sized }) => sized) &&
    sum(({ bytes }) => bytes) <= UNASKED_BYTES
  );
};
