import { useId } from "react";
import { dimensionName } from "./dimension-name.ts";
import { withDimension, type GridPlane } from "./grid-plane.ts";
import { formatCount } from "./number-format.ts";

export interface SideSelectProps {
  readonly side: "row" | "column";
  readonly names: readonly (string | undefined)[] | undefined;
  readonly grid: readonly number[];
  readonly plane: GridPlane;
  readonly onPlane: (plane: GridPlane) => void;
  readonly className: string | undefined;
}

/** Which dimension of a grid goes down its rows, or along its columns. */
export function SideSelect({ side, names, grid, plane, onPlane, className }: SideSelectProps) {
  const id = useId();
  return (
    <span className={className}>
      <label htmlFor={id}>{side === "row" ? "Rows" : "Columns"}</label>
      <select
        id={id}
        value={plane[side]}
        onChange={(event) => {
          onPlane(withDimension(plane, side, Number(event.target.value)));
        }}
      >
        {grid.map((count, dimension) => (
          <option key={dimension} value={dimension}>
            {dimensionName(names, dimension)} ({formatCount(count)})
          </option>
        ))}
      </select>
    </span>
  );
}
