import { DimensionSlider, SideSelects } from "../../widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex, type Plane } from "../../widgets/cell-map/plane.ts";
import { firstIndex, type ChunkArray } from "./chunk-words.ts";
import styles from "./ChunkPanel.module.css";

interface DimensionChoiceProps {
  readonly array: ChunkArray;
  readonly shown: Plane;
  readonly onShown: (shown: Plane) => void;
}

/** Which dimension runs down the rows, and which along the columns. */
export function DimensionChoice({ array, shown, onShown }: DimensionChoiceProps) {
  if (shown.row === undefined) return null;
  return <SideSelects names={array.dimensions} plane={shown} onPlane={onShown} className={styles.field} />;
}

interface DimensionSlidersProps extends DimensionChoiceProps {
  readonly coordinates: readonly number[];
  readonly inside: readonly number[];
  /** Dimensions that need no slider, since they are shown whole. */
  readonly moving: readonly (number | undefined)[];
}

/** Where the dimensions that are not shown stand, as indices of the array. */
export function DimensionSliders({ array, coordinates, inside, moving, shown, onShown }: DimensionSlidersProps) {
  const slid = slidDimensions(inside, moving);
  if (slid.length === 0) return null;
  return (
    <div className={styles.sliders}>
      {slid.map((dimension) => (
        <DimensionSlider
          key={dimension}
          name={array.dimensions[dimension] ?? ""}
          first={firstIndex(array, coordinates, dimension)}
          count={inside[dimension] ?? 1}
          at={shown.at[dimension] ?? 0}
          className={styles.slider}
          onAt={(index) => onShown(withIndex(shown, dimension, index))}
        />
      ))}
    </div>
  );
}
