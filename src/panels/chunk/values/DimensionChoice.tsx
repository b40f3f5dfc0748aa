import type { ReactNode } from "react";
import { useAppState } from "#store/react.tsx";
import { DimensionSlider, SideSelects } from "#widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex } from "#widgets/cell-map/plane.ts";
import { firstIndex } from "../chunk-words.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import styles from "../ChunkPanel.module.css";

interface PlaneControlsProps extends ValueTabProps {
  /** Dimensions that need no slider, since they are shown whole. */
  readonly moving: readonly (number | undefined)[];
  /** Controls in place of the choice of rows and columns. */
  readonly children?: ReactNode;
}

/** Which dimensions are shown, and where the others stand. Data has the same beside its slice. */
export function PlaneControls({ children, ...props }: PlaneControlsProps) {
  const { array, view } = props;
  const inData = useAppState(({ view: now }) => now === "data");
  if (inData) return null;
  return (
    <>
      {view.shown.row === undefined ? null : (
        <div className={styles.controls}>
          {children ?? (
            <SideSelects
              names={array.dimensions}
              plane={view.shown}
              onPlane={(plane) => view.change({ shown: plane })}
              className={styles.field}
            />
          )}
        </div>
      )}
      <DimensionSliders {...props} />
    </>
  );
}

/** Sliders for the places of the dimensions that are not shown, as indices of the array. */
function DimensionSliders({ array, reading, values: { inside }, view, moving }: PlaneControlsProps) {
  const { shown, change } = view;
  const slid = slidDimensions(inside, moving);
  if (slid.length === 0) return null;
  return (
    <div className="grid gap-4">
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
