/** Permission to read the slice: at once if that is free, else on request with its cost stated. */
import { useMemo } from "react";
import type { ChunkEdges } from "#core/metadata/chunk-grid.ts";
import { isFree } from "#core/plane/plane-budget.ts";
import { isSamePlane, planeOfChunks, type Plane, type PlaneCost } from "#core/plane/plane.ts";
import { useEngine } from "#store/react.tsx";

/** A granted request: the slices of the same chunks, and those after it too if that was chosen. */
export interface Paid {
  /** Every n-th chunk down and across. */
  readonly every: number;
  /** The slice whose cost was said: the first one through its chunks. */
  readonly slice: Plane;
  readonly onward: boolean;
}

export type Leave =
  | { readonly kind: "asking" }
  | { readonly kind: "costly"; readonly cost: PlaneCost; readonly slice: Plane }
  | { readonly kind: "granted"; readonly every: number };

/** True if the permission for one slice holds for another one. */
export const holds = ({ slice, onward }: Paid, of: Plane): boolean =>
  isSamePlane(slice, of) || (onward && slice.row === of.row && slice.column === of.column);

export function leaveFor(cost: PlaneCost | undefined, paid: Paid | undefined, slice: Plane): Leave {
  if (paid !== undefined && holds(paid, slice)) return { kind: "granted", every: paid.every };
  if (cost === undefined) return { kind: "asking" };
  return isFree(cost) ? { kind: "granted", every: 1 } : { kind: "costly", cost, slice };
}

interface Asked {
  readonly set: number;
  readonly array: string;
  readonly plane: Plane;
  readonly chunkShape: readonly ChunkEdges[];
}

export function useLeave({ set, array, plane, chunkShape }: Asked, paid: Paid | undefined) {
  const slice = useMemo(() => planeOfChunks(plane, chunkShape), [plane, chunkShape]);
  const answer = useEngine("plane.cost", { set, array, plane: slice }, `${array} cost`);
  // The cost of the slice before says nothing of this one.
  const cost = answer.stale ? undefined : answer.data;
  return { leave: leaveFor(cost, paid, slice), error: answer.error, retry: answer.retry };
}
