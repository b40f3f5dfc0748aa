import { useId, useState } from "react";
import { useEngine } from "../../store/react.tsx";
import type { Slice } from "../../core/open-set.ts";
import { DimensionSelect } from "../../widgets/cell-map/Dimensions.tsx";
import { withDimension, withIndex } from "../../widgets/cell-map/plane.ts";
import { LinePlot } from "../../widgets/LinePlot.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { firstIndex } from "./chunk-words.ts";
import { DimensionSliders } from "./DimensionChoice.tsx";
import { ElementReadout } from "./ElementReadout.tsx";
import { lineSpec } from "./shown-dimensions.ts";
import { SliceNotice } from "./SliceNotice.tsx";
import type { ValueTabProps } from "./value-tab-props.ts";
import { shownUnits, valueLabel } from "./value-words.ts";
import styles from "./ChunkPanel.module.css";

/** The values along one dimension, through the cursor. */
export function LineTab(props: ValueTabProps) {
  const { set, array, reading, view } = props;
  const { shown } = view;
  const answer = useEngine("chunk.slice", { set, spec: lineSpec(reading.id, shown, view.scaled) });
  return (
    <div className={styles.stack}>
      <SliceNotice answer={answer} />
      {answer.data === undefined ? null : (
        <div className={styles.stack} data-stale={answer.stale}>
          <SliceLine {...props} slice={answer.data} />
        </div>
      )}
      {shown.row === undefined ? null : (
        <div className={styles.controls}>
          <DimensionSelect
            label="Along"
            names={array.dimensions}
            className={styles.field}
            value={shown.column}
            onValue={(dimension) => view.change({ shown: withDimension(shown, "column", dimension) })}
          />
        </div>
      )}
      <DimensionSliders {...props} moving={[shown.column]} />
    </div>
  );
}

function SliceLine({ set, array, reading, values, view, axes, slice }: ValueTabProps & { readonly slice: Slice }) {
  const readoutId = useId();
  const [hovered, setHovered] = useState<number>();
  const { shown, scaled } = view;
  const dimension = shown.column ?? 0;
  const stride = slice.strideAlong;
  const cursor = hovered ?? Math.floor((shown.at[dimension] ?? 0) / stride);
  const name = array.dimensions[dimension] ?? "";
  const first = firstIndex(array, reading.coordinates, dimension);
  const scaling = scaled ? values.scaling : undefined;
  const units = shownUnits(scaling);
  const missing = slice.values.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  return (
    <>
      <ElementReadout
        id={readoutId}
        element={withIndex(shown, dimension, cursor * stride).at}
        {...{ set, reading, array, scaled, units, axes }}
      />
      <p className={styles.axis}>
        <span title={String(slice.maximum)}>
          {slice.maximum === undefined
            ? "no value"
            : `${valueLabel(slice.maximum, scaling)}${units === undefined ? "" : ` ${units}`}`}
        </span>
        {missing === 0 ? null : (
          <span>{countOf(missing, "missing or fill value here", "missing or fill values here")}</span>
        )}
      </p>
      <LinePlot
        label={`Values of ${reading.key} along ${name}; the arrow keys move the cursor`}
        describedBy={readoutId}
        values={slice.values}
        cursor={Math.min(cursor, Math.max(0, slice.values.length - 1))}
        onCursor={(index) => view.change({ shown: withIndex(shown, dimension, index * stride) })}
        onHover={setHovered}
      />
      <p className={styles.axis}>
        <span title={String(slice.minimum)}>
          {slice.minimum === undefined ? "" : valueLabel(slice.minimum, scaling)}
        </span>
        <span>
          {name} {formatCount(first)} to {formatCount(first + Math.max(0, (values.inside[dimension] ?? 1) - 1))}
        </span>
      </p>
    </>
  );
}
