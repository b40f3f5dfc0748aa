/** Which two dimensions of the inner grid are shown, and where the others stand. Nothing for up to two. */
import { useId } from "react";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { SideSelect } from "../../widgets/SideSelect.tsx";
import { slidDimensions, type GridPlane } from "../../widgets/grid-plane.ts";
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
        <SideSelect
          key={side}
          side={side}
          names={array.dimensionNames}
          grid={grid}
          plane={plane}
          onPlane={onPlane}
          className={styles.dimension}
        />
      ))}
      {slidDimensions(grid, plane).map((dimension) => (
        <DimensionSlider
          key={dimension}
          name={dimensionName(array.dimensionNames, dimension)}
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
