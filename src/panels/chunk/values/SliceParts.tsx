import type { ReactNode } from "react";
import { type Answer, useAppState } from "#store/react.tsx";
import { DimensionSlider, SideSelects } from "#widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex } from "#widgets/cell-map/plane.ts";
import { firstIndex } from "../chunk-words.ts";
import type { ValueTabProps } from "./use-value-view.ts";
import styles from "../ChunkPanel.module.css";
import type { Slice } from "#core/open-set.ts";
import { ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import { strideWords } from "./value-words.ts";

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

interface SliceNoticeProps {
  readonly answer: Answer<Slice>;
  /** How the slice is drawn. */
  readonly children: (slice: Slice) => ReactNode;
}

/**
 * A slice as it is drawn, below what is to be said of it: why it is not there yet, or that not every value is in it.
 */
export function SliceNotice({ answer, children }: SliceNoticeProps) {
  const { data, error } = answer;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={answer.retry} />;
  if (data === undefined) return <Loading label="Preparing the values" />;
  const words = strideWords(data);
  return (
    <>
      {words === undefined ? null : <p className="quiet fine">{words}</p>}
      <div className={styles.stack} data-stale={answer.stale}>
        {children(data)}
      </div>
    </>
  );
}
