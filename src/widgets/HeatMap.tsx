import { useLayoutEffect, useMemo, useRef, type CSSProperties, type KeyboardEvent, type PointerEvent } from "react";
import { useElementWidth } from "./element-width.ts";
import { canvasOf, cellAt, movedCell, pictureSize, type Canvas, type Cell, type GridSize } from "./heat-map.ts";
import styles from "./HeatMap.module.css";

export interface HeatMapProps {
  /** What is shown, for those who do not see it. */
  readonly label: string;
  /** Id of the element that tells of the cell under the cursor. */
  readonly describedBy: string;
  readonly size: GridSize;
  /** RGBA, one pixel a cell (see `paintValues`). */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly cursor: Cell;
  readonly onCursor: (cell: Cell) => void;
  /** `undefined` when the pointer leaves. */
  readonly onHover: (cell: Cell | undefined) => void;
}

/** A picture of a rectangle of values, with a cell cursor for pointer and keyboard. Transparent pixels show a hatch. */
export function HeatMap({ label, describedBy, size, pixels, cursor, onCursor, onHover }: HeatMapProps) {
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const { rows, columns } = size;
  const drawn = useMemo(() => canvasOf(pixels, { rows, columns }), [pixels, rows, columns]);
  const canvas = useCanvas(drawn);
  const picture = pictureSize(size, space);
  const words = pictureWords(picture.square, drawn);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const moved = movedCell(event.key, event.ctrlKey, cursor, size);
    if (moved === undefined) return;
    event.preventDefault();
    onHover(undefined);
    onCursor(moved);
  };
  return (
    <div ref={frame} className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys and pointer itself */}
      <div
        className={styles.picture}
        role="application"
        aria-roledescription="heat map"
        aria-label={label}
        aria-describedby={describedBy}
        tabIndex={0}
        style={{ width: picture.width, height: picture.height }}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          onHover(pointedCell(event, size));
        }}
        onPointerLeave={() => {
          onHover(undefined);
        }}
        onPointerDown={(event) => {
          onCursor(pointedCell(event, size));
        }}
      >
        <canvas ref={canvas} className={styles.canvas} data-shrunk={picture.width < columns} />
        <span className={styles.cursor} style={cursorBox(cursor, size)} />
      </div>
      {words === undefined ? null : <p className={styles.note}>{words}</p>}
    </div>
  );
}

function useCanvas({ rows, columns, pixels }: Canvas) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined || rows * columns === 0) return;
    element.width = columns;
    element.height = rows;
    context.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  }, [rows, columns, pixels]);
  return canvas;
}

/** What the picture does not show as it is; `undefined` where it shows all. */
function pictureWords(square: boolean, { stepDown, stepAlong }: Canvas): string | undefined {
  const words = [
    ...(square ? [] : ["Not to scale: cells are stretched so that they can be seen."]),
    ...(stepDown > 1 ? [`Of them, one row in ${stepDown} is drawn.`] : []),
    ...(stepAlong > 1 ? [`Of them, one column in ${stepAlong} is drawn.`] : []),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}

function pointedCell(event: PointerEvent<HTMLElement>, size: GridSize): Cell {
  const box = event.currentTarget.getBoundingClientRect();
  return cellAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, size);
}

function cursorBox({ row, column }: Cell, { rows, columns }: GridSize): CSSProperties {
  return {
    left: `${((column + 0.5) / columns) * 100}%`,
    top: `${((row + 0.5) / rows) * 100}%`,
    width: `${100 / columns}%`,
    height: `${100 / rows}%`,
  };
}
