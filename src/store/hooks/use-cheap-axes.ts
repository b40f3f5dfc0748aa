/** Coordinates along the dimensions of an array, if they are cheap to read: a chunk's place in words. */
import { type Axes, useAxesByArray } from "./use-axes-by-array.ts";

export type { Axes };

const NO_AXES: Axes = [];

/** @param wanted false until what matters more was asked for: a chunk's own bytes come in a request of their own */
export function useCheapAxes(set: number, { path }: { readonly path: string }, wanted: boolean): Axes {
  return useAxesByArray(set, wanted ? [path] : []).get(path) ?? NO_AXES;
}
