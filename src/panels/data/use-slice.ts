/** The slice of the selected array: the store's, else the one through the selected chunk. And how to go on from it. */
import { useMemo } from "react";
import { type ChunkEdges, chunkOf, chunkStart } from "#core/metadata/chunk-grid.ts";
import { type Plane, planeAlone, type SeenSpans, type ShownSlice } from "#core/plane/plane.ts";
import { useActions, useAppState } from "#store/react.tsx";
import { coordinatesAt, firstPlane, sidesOf } from "#widgets/cell-map/plane.ts";

const ALL: SeenSpans = new Map();

export function useSlice(array: string, shape: readonly number[], chunkShape: readonly ChunkEdges[]) {
  const actions = useActions();
  const slice = useAppState((state) => state.slice);
  const point = useAppState((state) => state.point);
  const chunk = useAppState((state) => state.chunk);
  const isPointed = isInside(point, shape);
  const at = useMemo(() => {
    if (isInside(point, shape)) return point;
    const start = chunkStart(chunk ?? shape.map(() => 0), chunkShape);
    return shape.map((length, dimension) => Math.min(length - 1, start[dimension] ?? 0));
  }, [point, chunk, shape, chunkShape]);
  const shown = useMemo((): ShownSlice => {
    if (slice !== undefined && isFit(slice, shape)) return slice;
    return { plane: planeAlone(firstPlane(shape, at)), seen: ALL, given: ALL };
  }, [slice, shape, at]);
  const { plane, seen, given } = shown;
  const cursor = useMemo(() => ({ ...plane, at: coordinatesAt(plane, sidesOf(plane, at)) }), [plane, at]);
  const go = (part: Partial<ShownSlice>, to = point) => actions.showPlace({ slice: { ...shown, ...part }, point: to });
  return {
    plane,
    /** The same, with the element that is looked at. */
    cursor,
    /** True if the cursor was placed: nothing marks it before. */
    isPointed,
    /** The part that is to be shown. */
    given,
    /** To another plane; a cursor that was moved goes along. */
    turn: (next: Plane) => {
      const isOther = next.row !== plane.row || next.column !== plane.column;
      const whole = isOther ? { seen: ALL, given: new Map() } : {};
      go({ plane: planeAlone(next), ...whole }, point === undefined ? undefined : next.at);
    },
    /** The part that is seen now. */
    see: (part: SeenSpans) => go({ seen: part }),
    /** All of the slice again, where a link shows a part of it. */
    showWhole: () => go({ seen: ALL, given: new Map() }),
    /** The same part, the other way round or in another shape. */
    showAgain: () => {
      if (slice !== undefined) go({ given: new Map(seen) });
    },
    /** The cursor, moved to an element. */
    point: (element: readonly number[]) => go({}, element),
    /** An element that was clicked, with its chunk. */
    select: (element: readonly number[]) =>
      actions.selectElement(array, chunkOf(element, chunkShape), { slice: shown, point: element }),
  };
}

const isInside = (point: readonly number[] | undefined, shape: readonly number[]): point is readonly number[] =>
  point?.length === shape.length && point.every((at, dimension) => at < (shape[dimension] ?? 0));

/** The array may be another one since: its document is edited, or another snapshot is shown. */
const isFit = ({ plane, seen }: ShownSlice, shape: readonly number[]): boolean =>
  isInside(plane.at, shape) && [...seen].every(([dimension, { to }]) => to <= (shape[dimension] ?? 0));
