import { useMemo, useState } from "react";
import { CellMap } from "../../widgets/cell-map/CellMap.tsx";
import { FIT, cellSize, type CellPlace, type CellScale, type GridExtent } from "../../widgets/cell-map/camera.ts";
import type { CellPicture, Mark } from "../../widgets/cell-map/draw-map.ts";
import { thinned, type Thinned } from "../../widgets/cell-map/paint-values.ts";
import { useCellMap } from "../../widgets/cell-map/use-cell-map.ts";
import { useElementWidth } from "../../widgets/element-width.ts";
import styles from "./ChunkPanel.module.css";

export interface SlicePictureProps {
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
export function SlicePicture({ label, describedBy, size, pixels, cursor, onCursor, onHover }: SlicePictureProps) {
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
    ...(square ? [] : ["Not to scale: cells are stretched so that they can be seen."]),
    ...(stepDown > 1 ? [`Of them, one row in ${stepDown} is drawn.`] : []),
    ...(stepAlong > 1 ? [`Of them, one column in ${stepAlong} is drawn.`] : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}
