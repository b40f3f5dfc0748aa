/** What stands along the dimensions of the array, where it costs little to read: places in place of numbers. */
import { useCallback, useMemo } from "react";
import { hasCheapAxis } from "../../../core/cheap-axis.ts";
import type { Axis } from "../../../core/axis.ts";
import type { NodeSummary, SetSummary } from "../../../core/open-set.ts";
import { useAppState, useEngine } from "../../../store/react.tsx";
import { firstPlane, slidDimensions } from "../../../widgets/cell-map/plane.ts";
import type { AxisOf } from "./panel-slices.ts";

/** @param unselected no chunk is being read: its own bytes come first, in a request of their own */
export function useCheapAxes({ id, nodes }: SetSummary, { path, grid = [] }: NodeSummary, unselected: boolean): AxisOf {
  const wanted = useAppState(({ readings }) => readings > 0) || unselected;
  const [row, through] = useMemo(() => {
    const plane = firstPlane(grid);
    const [other] = slidDimensions(grid, [plane.row, plane.column]);
    return [plane.row, other];
  }, [grid]);
  const ask = (dimension: number | undefined) =>
    wanted && dimension !== undefined && hasCheapAxis(nodes, path, dimension)
      ? { set: id, array: path, dimension }
      : undefined;
  const down = useEngine("plane.axis", ask(row), `${path} ${row} down`).data;
  const across = useEngine("plane.axis", ask(through), `${path} ${through} through`).data;
  return useCallback(
    (dimension: number): Axis | undefined => (dimension === row ? down : dimension === through ? across : undefined),
    [row, through, down, across],
  );
}
