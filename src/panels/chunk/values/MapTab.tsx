import { Fragment, useId, useMemo, useState } from "react";
import type { Slice } from "../../../core/open-set.ts";
import type { Statistics } from "../../../core/reading.ts";
import { useEngine } from "../../../store/react.tsx";
import { Choice } from "../../../widgets/controls/Choice.tsx";
import { CellMap } from "../../../widgets/cell-map/CellMap.tsx";
import { Ramp, Swatch } from "../../../widgets/cell-map/Legend.tsx";
import { type CellPlace, type CellScale, cellSize, FIT, type GridExtent } from "../../../widgets/cell-map/camera.ts";
import type { CellPicture, Mark } from "../../../widgets/cell-map/draw-map.ts";
import {
  type Painting,
  paintValues,
  thinned,
  type Thinned,
  type ValueRange,
} from "../../../widgets/cell-map/paint-values.ts";
import { withIndex } from "../../../widgets/cell-map/plane.ts";
import { useCellMap } from "../../../widgets/cell-map/use-cell-map.ts";
import {
  type Colormap,
  colormapGradient,
  COLORMAPS,
  colormapTable,
  isColormap,
} from "../../../widgets/values/colormap.ts";
import { useElementWidth } from "../../../widgets/element-width.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import { TextField } from "../../../widgets/controls/TextField.tsx";
import styles from "../ChunkPanel.module.css";
import { DimensionChoice, DimensionSliders } from "./DimensionChoice.tsx";
import { ElementReadout } from "./ElementReadout.tsx";
import mapLegendStyles from "../MapLegend.module.css";
import { SliceNotice } from "../SliceNotice.tsx";
import { mapSpec } from "../shown-dimensions.ts";
import type { ValueView } from "./use-value-view.ts";
import { RANGE_MODES, RANGE_WORDS, rangeFor, rangeProblem } from "../value-range.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import { clippedWords, shownUnits, valueLabel } from "./value-words.ts";

/** Two dimensions of the chunk as a heat map. */
export function MapTab(props: ValueTabProps) {
  const { set, array, reading, view } = props;
  const answer = useEngine("chunk.slice", { set, spec: mapSpec(reading.id, view.shown, view.scaled) });
  return (
    <div className={styles.stack}>
      <SliceNotice answer={answer}>{(slice) => <SliceMap {...props} slice={slice} />}</SliceNotice>
      <div className={styles.controls}>
        <DimensionChoice array={array} view={view} />
        <RangeFields view={view} />
      </div>
      <DimensionSliders {...props} moving={[view.shown.row, view.shown.column]} />
    </div>
  );
}

function SliceMap({ slice, ...props }: ValueTabProps & { readonly slice: Slice }) {
  const { array, reading, values, view } = props;
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
  return (
    <>
      <ElementReadout id={readoutId} element={hovered === undefined ? shown.at : elementAt(hovered).at} {...props} />
      <SlicePicture
        label={`Values of ${reading.key}, ${names.join(" by ")}; the arrow keys move the cursor`}
        describedBy={readoutId}
        size={size}
        pixels={painting.pixels}
        cursor={cursor}
        onCursor={(cell) => view.change({ shown: elementAt(cell) })}
        onHover={setHovered}
      />
      <MapLegend colormap={view.colormap} fillMasked={masksFill(values, scaled)} {...{ range, scaling, painting }} />
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

interface MapLegendProps {
  readonly colormap: Colormap;
  /** `undefined` where no value is left. */
  readonly range: ValueRange | undefined;
  readonly scaling: ValueTabProps["values"]["scaling"];
  /** Raw values are shown, and those equal to a fill value are left out of the picture. */
  readonly fillMasked: boolean;
  readonly painting: Painting;
}

/** Which colour is which value, and what has no colour. */
function MapLegend({ colormap, range, scaling, painting, fillMasked }: MapLegendProps) {
  const units = shownUnits(scaling);
  const clipped = clippedWords(painting);
  return (
    <div className={mapLegendStyles.legend}>
      {range === undefined ? (
        <span>No value in this slice.</span>
      ) : (
        <Ramp
          gradient={colormapGradient(colormap)}
          low={<span title={String(range.minimum)}>{valueLabel(range.minimum, scaling)}</span>}
          high={
            <span title={String(range.maximum)}>
              {valueLabel(range.maximum, scaling)}
              {units === undefined ? "" : ` ${units}`}
            </span>
          }
        />
      )}
      <span
        className={mapLegendStyles.missing}
        title="In this picture only; the statistics above cover the whole chunk"
      >
        <Swatch look="missing" />
        {fillMasked ? "missing or fill value here" : "missing here"} {formatCount(painting.missing)}
      </span>
      {clipped === undefined ? null : <span className={mapLegendStyles.clipped}>{clipped}</span>}
    </div>
  );
}

/** Which colours, and from which value to which. */
function RangeFields({ view }: { readonly view: ValueView }) {
  const { range, colormap, change } = view;
  const problem = rangeProblem(range);
  return (
    <>
      <Choice
        className={styles.field}
        label="Colours"
        value={colormap}
        options={COLORMAPS.map((name) => ({ value: name, text: name }))}
        onValue={(name) => {
          if (isColormap(name)) change({ colormap: name });
        }}
      />
      <Choice
        className={styles.field}
        label="Range"
        value={range.mode}
        options={RANGE_MODES.map((mode) => ({ value: mode, text: RANGE_WORDS[mode] }))}
        onValue={(chosen) => {
          const mode = RANGE_MODES.find((one) => one === chosen);
          if (mode !== undefined) change({ range: { ...range, mode } });
        }}
      />
      {range.mode === "typed" ? (
        <span className={styles.typed}>
          {(["from", "to"] as const).map((end) => (
            <Fragment key={end}>
              {end === "to" ? "to" : null}
              <TextField
                inputMode="decimal"
                aria-label={`Range ${end}`}
                value={range[end]}
                onChange={({ target }) => change({ range: { ...range, [end]: target.value } })}
              />
            </Fragment>
          ))}
          {problem === undefined ? null : <span className={styles.quiet}>{problem} Until then: this slice.</span>}
        </span>
      ) : null}
    </>
  );
}

interface SlicePictureProps {
  readonly label: string;
  /** Id of the element that describes the value under the cursor. */
  readonly describedBy: string;
  readonly size: GridExtent;
  /** RGBA, one pixel a value; transparent where it is missing. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly cursor: CellPlace;
  readonly onCursor: (place: CellPlace) => void;
  readonly onHover: (place: CellPlace | undefined) => void;
}

const SCALE: CellScale = { maxFitted: 28, max: 96, minSide: 28, aspect: 1 };
const MAX_HEIGHT = 360;

/** Values as colours, as large as fit; missing ones are holes through which a hatch is seen. */
function SlicePicture({ label, describedBy, size, pixels, cursor, onCursor, onHover }: SlicePictureProps) {
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const [focused, setFocused] = useState(false);
  const { rows, columns } = size;
  const drawn = useMemo(() => thinned(pixels, { rows, columns }), [pixels, rows, columns]);
  const { row, column } = cursor;
  const place = useMemo(() => ({ row, column }), [row, column]);
  const map = useCellMap({ extent: size, axes: undefined, scale: SCALE, cursor: place, subject: `${rows} ${columns}` });
  const cell = cellSize({ extent: size, area: { width: space, height: MAX_HEIGHT }, scale: SCALE, camera: FIT });
  const words = pictureWords(Math.abs(cell.width - cell.height) < 1e-6, drawn);
  return (
    <div ref={frame}>
      <CellMap
        {...{ map, label, describedBy, onCursor, onHover }}
        roleDescription="heat map"
        className={styles.picture}
        width={Math.ceil(cell.width * columns)}
        height={Math.ceil(cell.height * rows)}
        picture={useMemo(() => pictureOf(drawn, { rows, columns }), [drawn, rows, columns])}
        marks={useMemo<readonly Mark[]>(() => [{ place, token: "--ink", thin: !focused }], [place, focused])}
        cursor={place}
        page={Math.round(rows / 10)}
        onClick={onCursor}
        onFocus={setFocused}
      />
      {words === undefined ? null : <p className={styles.note}>{words}</p>}
    </div>
  );
}

function pictureOf({ pixels, stepDown, stepAlong, ...kept }: Thinned, { rows, columns }: GridExtent): CellPicture {
  const tile = {
    window: { rows: { from: 0, to: rows }, columns: { from: 0, to: columns } },
    width: kept.columns,
    height: kept.rows,
    cellsDown: stepDown,
    cellsAlong: stepAlong,
    averaged: true,
    pixels: () => pixels,
  };
  return { tiles: [tile], hatched: true };
}

/** What the picture does not show as it is; `undefined` where it shows all. */
function pictureWords(square: boolean, { stepDown, stepAlong }: Thinned): string | undefined {
  const words = [
    ...(square ? [] : ["Not to scale: cells are stretched to be visible."]),
    ...(stepDown > 1 ? [`Of them, one row in ${stepDown} is drawn.`] : []),
    ...(stepAlong > 1 ? [`Of them, one column in ${stepAlong} is drawn.`] : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}
