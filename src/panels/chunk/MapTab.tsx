import { useId, useMemo, useState } from "react";
import { useEngine } from "../../store/react.tsx";
import type { Slice } from "../../core/open-set.ts";
import type { Statistics } from "../../core/reading.ts";
import { colormapTable } from "../../widgets/colormap.ts";
import type { CellPlace } from "../../widgets/cell-map/camera.ts";
import { paintValues } from "../../widgets/cell-map/paint-values.ts";
import { withIndex } from "../../widgets/cell-map/plane.ts";
import { DimensionChoice, DimensionSliders } from "./DimensionChoice.tsx";
import { ElementReadout } from "./ElementReadout.tsx";
import { MapLegend } from "./MapLegend.tsx";
import { RangeFields } from "./RangeFields.tsx";
import { mapSpec } from "./shown-dimensions.ts";
import { SlicePicture } from "./SlicePicture.tsx";
import { SliceNotice } from "./SliceNotice.tsx";
import type { ValueTabProps } from "./value-tab-props.ts";
import { rangeFor } from "./value-range.ts";
import { shownUnits, valueLabel } from "./value-words.ts";
import styles from "./ChunkPanel.module.css";

/** Two dimensions of the chunk as a heat map. */
export function MapTab(props: ValueTabProps) {
  const { set, array, reading, view } = props;
  const answer = useEngine("chunk.slice", { set, spec: mapSpec(reading.id, view.shown, view.scaled) });
  const { data } = answer;
  return (
    <div className={styles.stack}>
      <SliceNotice answer={answer} />
      {data === undefined ? null : (
        <div className={styles.stack} data-stale={answer.stale}>
          <SliceMap {...props} slice={data} />
        </div>
      )}
      <div className={styles.controls}>
        <DimensionChoice array={array} view={view} />
        <RangeFields view={view} />
      </div>
      <DimensionSliders {...props} moving={[view.shown.row, view.shown.column]} />
    </div>
  );
}

function SliceMap({ set, array, reading, values, view, axes, slice }: ValueTabProps & { readonly slice: Slice }) {
  const readoutId = useId();
  const [hovered, setHovered] = useState<CellPlace>();
  const { shown, scaled } = view;
  const statistics = scaled ? inNumbers(values.scaled ?? values.raw) : values.raw;
  const scaling = scaled ? values.scaling : undefined;
  const range = useMemo(() => rangeFor(view.range, slice, statistics), [view.range, slice, statistics]);
  const painting = useMemo(
    () => paintValues(slice.values, range ?? { minimum: 0, maximum: 0 }, colormapTable(view.colormap)),
    [slice, range, view.colormap],
  );
  const size = { rows: slice.rows, columns: slice.columns };
  const at = (dimension: number | undefined, stride: number) =>
    dimension === undefined ? 0 : Math.floor((shown.at[dimension] ?? 0) / stride);
  const cursor = { row: at(shown.row, slice.strideDown), column: at(shown.column, slice.strideAlong) };
  const elementAt = ({ row, column }: CellPlace) =>
    withIndex(withIndex(shown, shown.row, row * slice.strideDown), shown.column, column * slice.strideAlong);
  const names = [shown.row, shown.column].map((dimension) => array.dimensions[dimension ?? -1] ?? "");
  const units = shownUnits(scaling);
  return (
    <>
      <ElementReadout
        id={readoutId}
        element={hovered === undefined ? shown.at : elementAt(hovered).at}
        {...{ set, reading, array, scaled, units, axes }}
      />
      <SlicePicture
        label={`Values of ${reading.key}, ${names.join(" by ")}; the arrow keys move the cursor`}
        describedBy={readoutId}
        size={size}
        pixels={painting.pixels}
        cursor={cursor}
        onCursor={(cell) => view.change({ shown: elementAt(cell) })}
        onHover={setHovered}
      />
      <MapLegend
        colormap={view.colormap}
        range={range}
        units={units}
        label={(value) => valueLabel(value, scaling)}
        painting={painting}
        fillMasked={masksFill(values, view.scaled)}
      />
    </>
  );
}

function masksFill({ scaling }: ValueTabProps["values"], scaled: boolean): boolean {
  return !scaled && scaling !== undefined && scaling.fillValues.length > 0 && scaling.zeroIsImplied !== true;
}

/** Dates as the counts that the picture is made of. */
function inNumbers(statistics: Statistics): Statistics {
  const { counts } = statistics;
  if (counts === undefined) return statistics;
  return { ...statistics, minimum: String(counts.minimum), maximum: String(counts.maximum) };
}
