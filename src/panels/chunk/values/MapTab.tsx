import { useMemo, useState } from "react";
import type { Slice } from "#core/open-set.ts";
import { useEngine } from "#store/react.tsx";
import { CellMap } from "#widgets/cell-map/CellMap.tsx";
import { Ramp, Swatch } from "#widgets/cell-map/Legend.tsx";
import { type CellPlace, type CellScale, cellSize, FIT, type GridExtent } from "#widgets/cell-map/camera.ts";
import type { CellPicture, Mark } from "#widgets/cell-map/draw-map.ts";
import { paintValues, thinned } from "#widgets/cell-map/paint-values.ts";
import type { Painting as PaintedValues, Thinned, ValueRange } from "#widgets/cell-map/paint-values.ts";
import { withIndex } from "#widgets/cell-map/plane.ts";
import { useCellMap } from "#widgets/cell-map/use-cell-map.ts";
import { type Colormap, colormapGradient, colormapTable } from "#widgets/values/colormap.ts";
import { useElementWidth } from "#widgets/measuring.ts";
import { formatCount } from "#widgets/number-format.ts";
import shared from "../ChunkPanel.module.css";
import { PlaneControls, SliceNotice } from "./SliceParts.tsx";
import { mapSpec } from "../shown-dimensions.ts";
import { type Painting, usePainting } from "./painting.ts";
import type { ValueTabProps } from "./use-value-view.ts";
import { clippedWords, shownUnits, valueLabel } from "./value-words.ts";

/** Two dimensions of the chunk as a heat map. */
export function MapTab(props: ValueTabProps) {
  const { set, reading, view } = props;
  const answer = useEngine("chunk.slice", { set, spec: mapSpec(reading.id, view.shown, view.scaled) });
  return (
    <div className={shared.stack}>
      <SliceNotice answer={answer}>{(slice) => <SliceMap {...props} slice={slice} />}</SliceNotice>
      <PlaneControls {...props} moving={[view.shown.row, view.shown.column]} />
    </div>
  );
}

function SliceMap({ slice, ...props }: ValueTabProps & { readonly slice: Slice }) {
  const { array, reading, values, view } = props;
  const { shown, scaled } = view;
  const look = usePainting(props);
  const { colormap, range, isTurned } = look;
  const painting = useMemo(() => paintSlice(slice, { colormap, range, isTurned }), [slice, colormap, range, isTurned]);
  const size = { rows: slice.rows, columns: slice.columns };
  const turned = (row: number) => (isTurned ? slice.rows - 1 - row : row);
  const at = (dimension: number | undefined, stride: number) =>
    dimension === undefined ? 0 : Math.floor((shown.at[dimension] ?? 0) / stride);
  const cursor = { row: turned(at(shown.row, slice.strideDown)), column: at(shown.column, slice.strideAlong) };
  const elementAt = ({ row, column }: CellPlace) =>
    withIndex(withIndex(shown, shown.row, turned(row) * slice.strideDown), shown.column, column * slice.strideAlong);
  const names = [shown.row, shown.column].map((dimension) => array.dimensions[dimension ?? -1] ?? "");
  return (
    <>
      <SlicePicture
        label={`Values of ${reading.key}, ${names.join(" by ")}; the arrow keys move the cursor`}
        describedBy={props.readout}
        size={size}
        pixels={painting.pixels}
        cursor={cursor}
        onCursor={(cell) => view.change({ shown: elementAt(cell) })}
        onHover={(cell) => props.onHover(cell === undefined ? undefined : elementAt(cell).at)}
      />
      <MapLegend
        {...{ colormap, range, painting }}
        scaling={scaled ? values.scaling : undefined}
        fillMasked={masksFill(values, scaled)}
      />
    </>
  );
}

/** Colours by their share of the range, or by that of the logarithm. */
function paintSlice({ values, rows, columns }: Slice, { colormap, range, isTurned }: Painting): PaintedValues {
  const isLogarithmic = range?.logarithmic === true;
  const on = (value: number) => (isLogarithmic ? Math.log(value) : value);
  const ends = { minimum: on(range?.minimum ?? 0), maximum: on(range?.maximum ?? 0) };
  const shown = isTurned
    ? values.map((_, at) => on(values[(rows - 1 - Math.floor(at / columns)) * columns + (at % columns)] ?? NaN))
    : isLogarithmic
      ? values.map(on)
      : values;
  return paintValues(shown, ends, colormapTable(colormap));
}

function masksFill({ scaling }: ValueTabProps["values"], scaled: boolean): boolean {
  return !scaled && scaling !== undefined && scaling.fillValues.length > 0 && scaling.zeroIsImplied !== true;
}

interface MapLegendProps {
  readonly colormap: Colormap;
  /** `undefined` where no value is left. */
  readonly range: ValueRange | undefined;
  readonly scaling: ValueTabProps["values"]["scaling"];
  /** Raw values are shown, and those equal to a fill value are left out of the picture. */
  readonly fillMasked: boolean;
  readonly painting: PaintedValues;
}

/** Which colour is which value, and what has no colour. */
function MapLegend({ colormap, range, scaling, painting, fillMasked }: MapLegendProps) {
  const units = shownUnits(scaling);
  const clipped = clippedWords(painting);
  return (
    <div className={shared.legend}>
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
      <span className={shared.missing} title="In this picture only; the statistics above cover the whole chunk">
        <Swatch look="missing" />
        {fillMasked ? "no data or fill value" : "no data"} {formatCount(painting.missing)}
      </span>
      {clipped === undefined ? null : <span className={shared.clipped}>{clipped}</span>}
    </div>
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
        className={shared.picture}
        width={Math.ceil(cell.width * columns)}
        height={Math.ceil(cell.height * rows)}
        picture={useMemo(() => pictureOf(drawn, { rows, columns }), [drawn, rows, columns])}
        marks={useMemo<readonly Mark[]>(() => [{ place, token: "--ink", thin: !focused }], [place, focused])}
        cursor={place}
        page={Math.round(rows / 10)}
        onClick={onCursor}
        onFocus={setFocused}
      />
      {words === undefined ? null : <p className="quiet fine">{words}</p>}
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

/** Words for what the picture does not show; `undefined` if it shows everything. */
function pictureWords(square: boolean, { stepDown, stepAlong }: Thinned): string | undefined {
  const words = [
    ...(square ? [] : ["Not to scale: cells are stretched to be visible."]),
    ...(stepDown > 1 ? [`Of them, one row in ${stepDown} is drawn.`] : []),
    ...(stepAlong > 1 ? [`Of them, one column in ${stepAlong} is drawn.`] : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}
