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
  const [last, setLast] = useState<Sample>("all");
  const results = found?.of === of ? found.results : [];
  /** Results are kept where enough was read and nothing failed. */
  const compare = (chunks = last) => {
    if (request === undefined) return;
    setLast(chunks);
    const byPath = new Map(results.map((one) => [one.path, one]));
    const read = results.filter(({ failed }) => failed === 0);
    begin(async (options) => {
      for (const { path } of costsLeft(costs.data ?? [], read, chunks)) {
        const asked = { ...request, path, chunks, given: absolute === undefined ? undefined : { absolute } };
        const one = await engine.call("compare.values", asked, options);
        if (one !== undefined) byPath.set(path, one);
        setFound({ of, results: [...byPath.values()] });
      }
    });
  };
  const isFree = costs.data !== undefined && !costs.stale && isCheap(costs.data);
  useEffect(() => {
    if (isFree) compare("all");
    // Another pair, way or tolerance is compared anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isFree, of]);
  const given = absolute === undefined ? undefined : { absolute };
  return { mode, setMode, given, setAbsolute, costs, results, begun, compare };
}

/** Costs of the arrays of which neither so many chunks were read yet nor all that may differ. */
export const costsLeft = (costs: readonly ValuesCost[], results: readonly ArrayValues[], chunks: Sample) =>
  costs.filter(({ path }) => {
    const result = results.find((one) => one.path === path);
    if (result === undefined) return true;
    const rest = result.candidates - result.sameSource;
    return result.compared + result.failed < Math.min(rest, chunks === "all" ? rest : chunks);
  });

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
