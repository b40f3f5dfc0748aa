/** The values at the cursor's place along another dimension: read where that is free, else offered. */
import { useMemo, useState } from "react";
import { isSamePlane, planeOfChunks, type Plane, type PlaneCost } from "#core/plane/plane.ts";
import { isFree, MOST_PLANE_CHUNKS } from "#core/plane/plane-budget.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import { countLooks, type PlaneValues } from "#core/plane/plane-values.ts";
import { useShown } from "./shown-array.ts";
import { planeRequest, usePlaneValues, type KnownFailures } from "#store/hooks/use-plane-values.ts";

export type Series =
  /** Its cost is not known yet, or nothing has come. */
  | { readonly kind: "waiting"; readonly reading?: SeriesReading }
  | { readonly kind: "costly"; readonly cost: PlaneCost; readonly read: () => void }
  /** `isOld`: of the place before. */
  | { readonly kind: "line"; readonly values: PlaneValues; readonly isOld: boolean; readonly reading?: SeriesReading };

/** While it is not read whole. */
export interface SeriesReading {
  readonly done: number;
  readonly wanted: number;
  readonly isStopped: boolean;
  /** Stops reading, or goes on. */
  readonly toggle: () => void;
}

const NONE: Plane = { row: undefined, column: undefined, at: [] };

/** `undefined`: there is no other dimension. */
export function useSeries(dimension: number | undefined): Series {
  const { request, plane, grid } = useShown();
  const { set, array, shape, chunkShape, scaled } = request;
  const revision = useAppState((state) => state.revision);
  const isLong = dimension !== undefined && (grid[dimension] ?? 0) > MOST_PLANE_CHUNKS;
  const along = useKept(alongOf(plane.at, isLong ? undefined : dimension));
  // The same for all places in the same chunks: it is asked for once.
  const costPlane = useKept(along.column === undefined ? NONE : planeOfChunks(along, chunkShape));
  const answer = useEngine(
    "plane.cost",
    costPlane.column === undefined ? undefined : { set, array, plane: costPlane },
    `${array} series cost`,
  );
  const cost = answer.stale ? undefined : answer.data;
  const [allowed, setAllowed] = useState<Plane>();
  const mayRead = cost !== undefined && (allowed === costPlane || isFree(cost));
  const asked = useMemo(
    () => planeRequest({ set, array, shape, chunkShape, plane: along, scaled }, grid),
    [set, array, shape, chunkShape, grid, along, scaled],
  );
  const failures = useMemo(
    (): KnownFailures => ({ of: [costPlane, revision], found: new Map() }),
    [costPlane, revision],
  );
  const [stopped, setStopped] = useState<Plane>();
  const isStopped = stopped === costPlane;
  const { shown, isOld } = usePlaneValues(
    "series",
    asked,
    { every: 1, on: mayRead && !isStopped },
    () => true,
    failures,
  );
  if (cost !== undefined && !mayRead) return { kind: "costly", cost, read: () => setAllowed(costPlane) };
  const wanted = asked.chunks.columns;
  const done = shown === undefined || isOld ? 0 : wanted - countLooks(shown.looks, "unread");
  const toggle = () => setStopped(isStopped ? undefined : costPlane);
  const reading = mayRead && done < wanted ? { reading: { done, wanted, isStopped, toggle } } : {};
  return shown === undefined || along.column === undefined
    ? { kind: "waiting", ...reading }
    : { kind: "line", values: shown, isOld, ...reading };
}

/** The same object while it is the same plane. */
function useKept(plane: Plane): Plane {
  const [kept, setKept] = useState(plane);
  if (isSamePlane(kept, plane)) return kept;
  setKept(plane);
  return plane;
}

function alongOf(at: readonly number[], dimension: number | undefined): Plane {
  if (dimension === undefined) return NONE;
  return { row: undefined, column: dimension, at: at.map((one, each) => (each === dimension ? 0 : one)) };
}
