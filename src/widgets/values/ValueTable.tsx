import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, MouseEvent, RefObject } from "react";
import { copyText } from "../controls/hand-out.ts";
import { useElementWidth } from "../measuring.ts";
import type { CellPlace, GridExtent } from "../cell-map/camera.ts";
import { movedPlace } from "../cell-map/plane.ts";
import { type RowRange, ScaledRows, type ScaledRowsHandle } from "./ScaledRows.tsx";
import styles from "./ValueTable.module.css";

export interface ValueTableProps {
  /** Name of the grid. */
  readonly label: string;
  readonly size: GridExtent;
  /** Least width of a column in CSS pixels: as many as have room share it. */
  readonly cellWidth: number;
  readonly rowHeader: (row: number) => string;
  readonly columnHeader: (column: number) => string;
  /** Shown in the corner, as far as there is room. */
  readonly corner: string;
  readonly window: CellWindow | undefined;
  /** Asks for texts; called when what is seen changes. Must not change between renders. */
  readonly onWindow: (rows: RowRange, columns: RowRange) => void;
  readonly cursor: CellPlace;
  readonly onCursor: (cell: CellPlace) => void;
  readonly alignment: "start" | "end";
  /** How a text is shown in its cell; its title and what is copied stay whole. */
  readonly shown?: (text: string) => string;
  /** A colour behind a text. */
  readonly tint?: (text: string) => string | undefined;
}

const ROW_HEIGHT = 20;
const MOST_ROWS = 19;
/** A few columns are not spread over all the room. */
const WIDEST = 1.5;
/** Widest of the column of row headers; a long corner is cut, its title has it whole. */
const WIDEST_HEAD = 130;
const CHARACTER = 7;
const NOTHING_SEEN: RowRange = { from: 0, to: 0 };

/** Values as a grid, virtualised both ways, with a cell cursor. Ctrl+C copies the cell. */
export function ValueTable(props: ValueTableProps) {
  const { label, size, rowHeader, columnHeader, corner, window, onWindow, cursor, onCursor } = props;
  const [frame, viewport] = useElementWidth<HTMLDivElement>();
  const [scrollLeft, setScrollLeft] = useState(0);
  const [rowsSeen, setRowsSeen] = useState(NOTHING_SEEN);
  const rows = useRef<ScaledRowsHandle>(null);
  const id = useId();
  const headWidth = headWidthFor([rowHeader(0), rowHeader(size.rows - 1)]);
  const cellWidth = fittedWidth(props.cellWidth, size.columns, viewport - headWidth);
  useColumnInSight(rows, cursor.column, { cellWidth, headWidth, viewport, scrollLeft });
  const columns = columnsSeen(scrollLeft, viewport - headWidth, cellWidth, size.columns);
  useWindow(rowsSeen, columns, size, onWindow);

  const onKeyDown = (event: KeyboardEvent) => {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.altKey) return;
    if (ctrl && event.key === "c") void copyText(cellText(window, cursor) ?? "");
    const moved = movedPlace(cursor, { key: event.key, ctrl }, size, rows.current?.rowsPerPage() ?? 1);
    if (moved === undefined) return;
    event.preventDefault();
    onCursor(moved);
    rows.current?.show(moved.row, "nearest");
    const left = headWidth + moved.column * cellWidth;
    rows.current?.showAcross(left, left + cellWidth, headWidth);
  };
  const shown = Array.from({ length: columns.to - columns.from }, (_, place) => columns.from + place);
  const shownRows = Math.min(MOST_ROWS, Math.max(1, size.rows));
  const write = props.shown ?? exactly;
  const line = { shown, cellWidth, headWidth, alignment: props.alignment, write, tint: props.tint };
  return (
    <div ref={frame} className="clip size-12 tabular" style={{ height: (shownRows + 1) * ROW_HEIGHT + 18 }}>
      <ScaledRows
        rows={size.rows}
        rowHeight={ROW_HEIGHT}
        headHeight={ROW_HEIGHT}
        width={headWidth + size.columns * cellWidth}
        handle={rows}
        inSight={cursor.row}
        onSeen={setRowsSeen}
        head={<HeadRow {...line} corner={corner} columnHeader={columnHeader} />}
        renderRow={(row, top) => (
          <ValueRow {...line} key={row} id={id} row={row} top={top} header={rowHeader(row)} {...{ window, cursor }} />
        )}
        attributes={{
          onKeyDown,
          role: "grid",
          tabIndex: 0,
          "aria-label": label,
          "aria-rowcount": size.rows + 1,
          "aria-colcount": size.columns + 1,
          "aria-activedescendant": `${id}-${cursor.row}-${cursor.column}`,
          onScroll: (event) => setScrollLeft(event.currentTarget.scrollLeft),
          onClick: (event) => {
            const cell = clickedCell(event);
            if (cell !== undefined) onCursor(cell);
          },
        }}
      />
    </div>
  );
}

const exactly = (text: string): string => text;

function headWidthFor(headers: readonly string[]): number {
  const characters = Math.max(4, ...headers.map(({ length }) => length));
  return Math.min(WIDEST_HEAD, Math.ceil(characters * CHARACTER) + 12);
}

function fittedWidth(least: number, columns: number, room: number): number {
  const fitting = Math.max(1, Math.min(columns, Math.floor(room / least)));
  return Math.max(least, Math.min(least * WIDEST, room / fitting));
}

interface AcrossView {
  readonly cellWidth: number;
  readonly headWidth: number;
  readonly viewport: number;
  readonly scrollLeft: number;
}

/** The cursor's column, where it was moved from elsewhere: in the middle, if it was out of sight. */
function useColumnInSight(handle: RefObject<ScaledRowsHandle | null>, column: number, view: AcrossView): void {
  const latest = useRef(view);
  useLayoutEffect(() => {
    latest.current = view;
  });
  const { cellWidth, viewport } = view;
  useEffect(() => {
    const { headWidth, scrollLeft } = latest.current;
    const left = headWidth + column * cellWidth;
    const isSeen = left >= scrollLeft + headWidth && left + cellWidth <= scrollLeft + viewport;
    const half = Math.max(0, Math.floor(((viewport - headWidth) / cellWidth - 1) / 2)) * cellWidth;
    if (!isSeen && viewport > 0) handle.current?.showAcross(left - half, left + cellWidth + half, headWidth);
  }, [handle, column, cellWidth, viewport]);
}

function useWindow(rows: RowRange, columns: RowRange, size: GridExtent, onWindow: ValueTableProps["onWindow"]): void {
  const wantedRows = windowAround(rows, size.rows);
  const wantedColumns = windowAround(columns, size.columns);
  const { from: rowFrom, to: rowTo } = wantedRows;
  const { from: columnFrom, to: columnTo } = wantedColumns;
  useEffect(() => {
    if (rowTo > rowFrom && columnTo > columnFrom) {
      onWindow({ from: rowFrom, to: rowTo }, { from: columnFrom, to: columnTo });
    }
  }, [rowFrom, rowTo, columnFrom, columnTo, onWindow]);
}

function clickedCell(event: MouseEvent): CellPlace | undefined {
  const element = (event.target as Element).closest("[data-column]");
  if (element === null) return undefined;
  return { row: Number(element.getAttribute("data-row")), column: Number(element.getAttribute("data-column")) };
}

interface LineProps {
  /** Columns in sight. */
  readonly shown: readonly number[];
  readonly cellWidth: number;
  readonly headWidth: number;
  readonly alignment: "start" | "end";
  /** How a text is shown. */
  readonly write: (text: string) => string;
  readonly tint: ValueTableProps["tint"];
}

interface HeadRowProps extends LineProps {
  readonly corner: string;
  readonly columnHeader: (column: number) => string;
}

function HeadRow({ shown, cellWidth, headWidth, alignment, corner, columnHeader }: HeadRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={`relative quiet surface ${styles.head}`}
      style={{ height: ROW_HEIGHT }}
    >
      <span role="columnheader" aria-colindex={1} className={styles.corner} style={{ width: headWidth }} title={corner}>
        {corner}
      </span>
      {shown.map((column) => (
        <span
          key={column}
          role="columnheader"
          aria-colindex={column + 2}
          className={styles.cell}
          data-alignment={alignment}
          style={{ left: headWidth + column * cellWidth, width: cellWidth }}
        >
          {columnHeader(column)}
        </span>
      ))}
    </div>
  );
}

interface ValueRowProps extends LineProps {
  readonly id: string;
  readonly row: number;
  readonly top: number;
  readonly header: string;
  readonly window: CellWindow | undefined;
  readonly cursor: CellPlace;
}

function ValueRow(props: ValueRowProps) {
  const { shown, cellWidth, headWidth, alignment, id, row, top, header, window, cursor, write, tint } = props;
  return (
    <div role="row" aria-rowindex={row + 2} className={styles.row} style={{ top, height: ROW_HEIGHT }}>
      <span role="rowheader" aria-colindex={1} className={styles.header} style={{ width: headWidth }}>
        {header}
      </span>
      {shown.map((column) => {
        const text = cellText(window, { row, column });
        return (
          <span
            key={column}
            id={`${id}-${row}-${column}`}
            role="gridcell"
            aria-colindex={column + 2}
            className={styles.cell}
            data-row={row}
            data-column={column}
            data-alignment={alignment}
            data-missing={text === null}
            data-cursor={cursor.row === row && cursor.column === column}
            title={text === null ? "missing" : cellTitle(window, { row, column })}
            style={{
              left: headWidth + column * cellWidth,
              width: cellWidth,
              backgroundColor: typeof text === "string" ? tint?.(text) : undefined,
            }}
          >
            {text === undefined ? "…" : text === null ? "–" : write(text)}
          </span>
        );
      })}
    </div>
  );
}

// Value tables: which cells are seen, and how a cell cursor moves. Rows are placed by `scaled-rows.ts`.

/** An element can only be so wide (Chromium about 16.7 million px). */
const MAX_WIDTH = 8_000_000;

/** Columns that one table can show. */
export const maxColumns = (cellWidth: number): number => Math.floor(MAX_WIDTH / cellWidth);

/** Columns that are seen, partly seen ones included, and a few more on either side. */
export function columnsSeen(scrollLeft: number, viewport: number, cellWidth: number, columns: number): RowRange {
  const from = Math.max(0, Math.floor(scrollLeft / cellWidth) - 2);
  const to = Math.min(columns, Math.ceil((scrollLeft + viewport) / cellWidth) + 2);
  return { from: Math.min(from, columns), to: Math.max(to, Math.min(from, columns)) };
}

/** Widens what is seen by half on either side and aligns it, so that small moves ask nothing. */
export function windowAround({ from, to }: RowRange, count: number, step = 16): RowRange {
  const margin = Math.ceil((to - from) / 2);
  return {
    from: Math.max(0, Math.floor((from - margin) / step) * step),
    to: Math.min(count, Math.ceil((to + margin) / step) * step),
  };
}

/** A rectangle of texts as known; `null` = missing. */
export interface CellWindow {
  readonly rowFrom: number;
  readonly columnFrom: number;
  readonly texts: readonly (readonly (string | null)[])[];
  /** Numbers that the texts represent, for dates: shown when pointed at. */
  readonly counts?: readonly (readonly (string | null)[])[];
}

/** Words for a cell that is pointed at: its whole text, with the integer behind a date. */
export function cellTitle(window: CellWindow | undefined, cell: CellPlace): string | undefined {
  const text = cellText(window, cell);
  if (window?.counts === undefined || typeof text !== "string") return text ?? undefined;
  const count = cellText({ ...window, texts: window.counts }, cell);
  return typeof count === "string" && count !== text ? `${text} (stored as ${count})` : text;
}

/** Text of a cell, `null` where it is missing, `undefined` where it is not yet known. */
export function cellText(window: CellWindow | undefined, { row, column }: CellPlace): string | null | undefined {
  return window?.texts[row - window.rowFrom]?.[column - window.columnFrom];
}
