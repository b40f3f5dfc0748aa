/** The slice of an array in both sets: read as it is looked at, and subtracted. */
import { useMemo } from "react";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import { cutPlane, laidLook, laidPlane, planeDifference } from "#core/plane/plane-difference.ts";
import { isFree, MOST_PLANE_CHUNKS } from "#core/plane/plane-budget.ts";
import { type Plane, planeAlone, planeOfChunks } from "#core/plane/plane.ts";
import type { ArrayPair } from "#core/set-differences.ts";
import { planeRequest, usePlaneValues } from "#store/hooks/use-plane-values.ts";
import { useEngine } from "#store/react.tsx";

export interface SharedArray {
  readonly set: SetSummary;
  readonly other: SetSummary;
  readonly a: ShownNode;
  readonly b: ShownNode;
  readonly pair: ArrayPair;
  readonly scaled: boolean;
}

type ShownNode = NodeSummary & Required<Pick<NodeSummary, "shape" | "chunks" | "grid">>;

export function shownNode({ nodes }: SetSummary, path: string): ShownNode | undefined {
  const node = nodes.find((one) => one.path === path);
  const { shape, chunks, grid } = node ?? {};
  if (node === undefined || shape === undefined || chunks === undefined || grid === undefined) return undefined;
  return grid.includes(0) ? undefined : { ...node, shape, chunks, grid };
}

/** Nothing of a plane is asked for. */
const NONE: Plane = { row: undefined, column: undefined, at: [] };

/** `region`: of each one is read at a time. `allowed`: it may cost more than is read unasked. */
export function useComparedPlanes(array: SharedArray, plane: Plane | undefined, region: string, allowed: boolean) {
  const { set, other, a, b, pair, scaled } = array;
  const at = JSON.stringify(plane && planeAlone(plane));
  const { own, laid } = useMemo(() => {
    const own = at === undefined ? undefined : (JSON.parse(at) as Plane);
    return { own, laid: own && laidPlane(own, pair, b.shape) };
  }, [at, pair, b.shape]);
  const one = useSide(set.id, a, own, `${region} A`, scaled, allowed);
  const two = useSide(other.id, b, laid?.plane, `${region} B`, scaled, allowed);
  const both = useMemo(
    () => laid && planeDifference(cutPlane(one.shown, one.request), cutPlane(two.shown, two.request), laid.laid),
    [laid, one.shown, one.request, two.shown, two.request],
  );
  const isLaid = one.shown !== undefined && two.shown !== undefined && !one.isOld && !two.isOld;
  return {
    request: one.request,
    a: one.shown,
    b: isLaid ? both?.b : undefined,
    difference: isLaid ? both?.difference : undefined,
    lookOfB: (row: number, column: number) =>
      laid && laidLook(cutPlane(two.shown, two.request), laid.laid, [row, row], [column, column]),
    /** B does not reach there, or the two cannot be subtracted. */
    isApart: own !== undefined && (laid === undefined || (isLaid && both === undefined)),
    /** Bytes that reading them takes, where that needs leave. */
    cost: one.cost === undefined && two.cost === undefined ? undefined : (one.cost ?? 0) + (two.cost ?? 0),
  };
}

function useSide(
  set: number,
  node: ShownNode,
  plane: Plane | undefined,
  region: string,
  scaled: boolean,
  allowed: boolean,
) {
  const { path: array, shape, chunks: chunkShape, grid } = node;
  const request = useMemo(
    () => planeRequest({ set, array, shape, chunkShape, plane: plane ?? NONE, scaled }, grid),
    [set, array, shape, chunkShape, grid, plane, scaled],
  );
  const isFew = request.chunks.rows * request.chunks.columns <= MOST_PLANE_CHUNKS;
  const priced = plane && isFew ? { set, array, plane: planeOfChunks(plane, chunkShape) } : undefined;
  const answer = useEngine("plane.cost", priced, `${region} ${array} cost`);
  const cost = answer.stale ? undefined : answer.data;
  const on = cost !== undefined && (allowed || isFree(cost));
  const reading = usePlaneValues(region, request, { every: 1, on }, () => true);
  return { ...reading, request, cost: cost === undefined || on ? undefined : cost.bytes };
}
