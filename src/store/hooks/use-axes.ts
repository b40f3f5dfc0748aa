/** Coordinates along the dimensions of several arrays, if they are cheap to read. */
import { useEffect, useState } from "react";
import type { Axis } from "#core/cf/axis.ts";
import { hasCheapAxis } from "#core/cf/cheap-axis.ts";
import { useApp, useAppState } from "../react.tsx";

/** Axes by dimension; `undefined` if there is none, or none is known yet. */
export type Axes = readonly (Axis | undefined)[];
export type AxesByArray = ReadonlyMap<string, Axes>;

const NOTHING_KNOWN: AxesByArray = new Map();
const NO_AXES: Axes = [];
/** Arrays that are asked about: what is farther down a list is said in positions. */
const MAX_ARRAYS = 8;

/** `paths`: array paths, most important first; `all`: also axes that cost more. Known axes stay while others are fetched. */
export function useAxesByArray(set: number, paths: readonly string[], all = false): AxesByArray {
  const { engine, store } = useApp();
  const revision = useAppState((state) => state.revision);
  const owner = `${set} ${revision}`;
  const [known, setKnown] = useState({ owner, axes: NOTHING_KNOWN });
  const wanted = JSON.stringify([owner, [...new Set(paths)].slice(0, MAX_ARRAYS), all]);
  useEffect(() => {
    const [, arrays, isAll] = JSON.parse(wanted) as [string, readonly string[], boolean];
    const controller = new AbortController();
    const { signal } = controller;
    const nodes = store.getState().set?.nodes ?? [];
    const take = (array: string, dimension: number, axis: Axis | undefined) => {
      if (!signal.aborted) setKnown((before) => ({ owner, axes: withAxis(before, owner, [array, dimension, axis]) }));
    };
    for (const array of arrays) {
      const rank = nodes.find(({ path }) => path === array)?.shape?.length ?? 0;
      for (let dimension = 0; dimension < rank; dimension += 1) {
        if (!isAll && !hasCheapAxis(nodes, array, dimension)) continue;
        engine.call("plane.axis", { set, array, dimension }, { signal }).then(
          (axis) => take(array, dimension, axis),
          // Positions stand there then; the coordinate array itself says why when it is looked at.
          () => undefined,
        );
      }
    }
    return () => controller.abort(new DOMException("Other arrays are shown.", "AbortError"));
  }, [engine, store, set, owner, wanted]);
  return known.owner === owner ? known.axes : NOTHING_KNOWN;
}

function withAxis(
  before: { readonly owner: string; readonly axes: AxesByArray },
  owner: string,
  [array, dimension, axis]: readonly [array: string, dimension: number, axis: Axis | undefined],
): AxesByArray {
  const axes = new Map(before.owner === owner ? before.axes : NOTHING_KNOWN);
  const own = [...(axes.get(array) ?? [])];
  own[dimension] = axis;
  return axes.set(array, own);
}

/**
 * The same of one array: a chunk's place in words.
 * @param wanted false until what matters more was asked for: a chunk's own bytes come in a request of their own
 */
export function useCheapAxes(set: number, { path }: { readonly path: string }, wanted: boolean): Axes {
  return useAxesByArray(set, wanted ? [path] : []).get(path) ?? NO_AXES;
}

/** Axes of the array that is shown, each if it may be read unasked. */
export const useShownAxes = (set: number, path: string): Axes => useAxesByArray(set, [path], true).get(path) ?? NO_AXES;
