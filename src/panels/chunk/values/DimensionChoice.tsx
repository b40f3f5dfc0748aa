import { DimensionSlider, SideSelects } from "../../../widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex } from "../../../widgets/cell-map/plane.ts";
import { firstIndex } from "../chunk-words.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import styles from "../ChunkPanel.module.css";

/** Which dimension runs down the rows, and which along the columns. */
export function DimensionChoice({ array, view: { shown, change } }: Pick<ValueTabProps, "array" | "view">) {
  if (shown.row === undefined) return null;
  return (
    <SideSelects
      names={array.dimensions}
      plane={shown}
      onPlane={(plane) => change({ shown: plane })}
      className={styles.field}
    />
  );
}

interface DimensionSlidersProps extends ValueTabProps {
  /** Dimensions that need no slider, since they are shown whole. */
  readonly moving: readonly (number | undefined)[];
}

/** Where the dimensions that are not shown stand, as indices of the array. */
export function DimensionSliders({ array, reading, values: { inside }, view, moving }: DimensionSlidersProps) {
  const { shown, change } = view;
  const slid = slidDimensions(inside, moving);
  if (slid.length === 0) return null;
  return (
    <div className={styles.sliders}>
      {slid.map((dimension) => (
        <DimensionSlider
          key={dimension}
          name={array.dimensions[dimension] ?? ""}
          first={firstIndex(array, reading.coordinates, dimension)}
          count={inside[dimension] ?? 1}
          at={shown.at[dimension] ?? 0}
          className={styles.slider}
          onAt={(index) => change({ shown: withIndex(shown, dimension, index) })}
        />
      ))}
    </div>
  );
}
