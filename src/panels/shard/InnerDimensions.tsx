/** Which two dimensions of the inner grid are shown, and where the others stand. Nothing for up to two. */
import { useId } from "react";
import { slidDimensions, withDimension, type GridPlane } from "../../widgets/grid-plane.ts";
import { formatCount } from "../../widgets/number-format.ts";
import type { ShardArray } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface InnerDimensionsProps {
  readonly array: ShardArray;
  readonly grid: readonly number[];
  readonly plane: GridPlane;
  readonly onPlane: (plane: GridPlane) => void;
  /** Of the cursor in the inner grid. */
  readonly coordinates: readonly number[];
  readonly onMove: (coordinates: readonly number[]) => void;
}

export function InnerDimensions(props: InnerDimensionsProps) {
  const { array, grid, plane, onPlane, coordinates, onMove } = props;
  if (grid.length < 3) return null;
  return (
    <div className={styles.dimensions}>
      {(["row", "column"] as const).map((side) => (
        <SideSelect key={side} side={side} array={array} grid={grid} plane={plane} onPlane={onPlane} />
      ))}
      {slidDimensions(grid, plane).map((dimension) => (
        <DimensionSlider
          key={dimension}
          name={dimensionName(array, dimension)}
          count={grid[dimension] ?? 1}
          at={coordinates[dimension] ?? 0}
          onAt={(at) => {
            onMove(coordinates.map((now, place) => (place === dimension ? at : now)));
          }}
        />
      ))}
    </div>
  );
}

export function dimensionName({ dimensionNames }: ShardArray, dimension: number): string {
  return dimensionNames?.[dimension] ?? `dimension ${dimension}`;
}

interface SideSelectProps extends Pick<InnerDimensionsProps, "array" | "grid" | "plane" | "onPlane"> {
  readonly side: "row" | "column";
}

function SideSelect({ side, array, grid, plane, onPlane }: SideSelectProps) {
  const id = useId();
  return (
    <span className={styles.dimension}>
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
            {dimensionName(array, dimension)} ({formatCount(count)})
          </option>
        ))}
      </select>
    </span>
  );
}

interface DimensionSliderProps {
  readonly name: string;
  readonly count: number;
  readonly at: number;
  readonly onAt: (at: number) => void;
}

function DimensionSlider({ name, count, at, onAt }: DimensionSliderProps) {
  const id = useId();
  const set = (next: number) => {
    if (Number.isInteger(next) && next >= 0 && next < count) onAt(next);
  };
  return (
    <span className={styles.slider}>
      <label htmlFor={id} title={name}>
        {name}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => {
          set(event.target.valueAsNumber);
        }}
      />
      <input
        type="number"
        aria-label={`Inner chunk along ${name}`}
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => {
          set(event.target.valueAsNumber);
        }}
      />
      <span className={styles.faint}>of {formatCount(count)}</span>
    </span>
  );
}
