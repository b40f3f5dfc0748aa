/** What stands along each dimension of the array. */
import type { Axis } from "../../core/cf/axis.ts";
import type { Plane } from "../../core/plane/plane.ts";
import { useEngine } from "../../store/react.tsx";

/** By dimension; `undefined` where nothing stands there, or is not known yet. */
export type Axes = (dimension: number) => Axis | undefined;

/** The two that are shown, and the one of the others that has the scale. */
export function useAxes(set: number, array: string, plane: Plane, other: number | undefined): Axes {
  const down = useAxis(set, array, plane.row);
  const across = useAxis(set, array, plane.column);
  const through = useAxis(set, array, other);
  return (dimension) => {
    if (dimension === plane.row) return down;
    if (dimension === plane.column) return across;
    return dimension === other ? through : undefined;
  };
}

export function useAxis(set: number, array: string, dimension: number | undefined): Axis | undefined {
  const request = dimension === undefined ? undefined : { set, array, dimension };
  return useEngine("plane.axis", request, `${array} ${dimension} axis`).data;
}
