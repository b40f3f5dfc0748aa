/**
 * A grid of any number of rows: a head that sorts and sizes, the rows in sight, a cursor. Focus stays on the grid; what
 * the cursor is at is its descendant.
 */
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useId,
  useRef,
  useState,
} from "react";
import { type RowRange, ScaledRows, type ScaledRowsHandle } from "../values/ScaledRows.tsx";
import { columnSpan, type GridColumn, type GridOrder, gridTemplate } from "./columns.ts";
import styles from "./DataGrid.module.css";
import { Button, CopyButton } from "../controls/Button.tsx";

export const ROW_HEIGHT = 26;
export const HEAD_HEIGHT = 29;
const KEY_RESIZE = 16;

/** How a row is shown beside its cells. */
export interface RowLook {
  /** It is what is looked at. */
  readonly selected?: boolean;
  /** It is shown as if selected. */
  readonly marked?: boolean;
  readonly title?: string | undefined;
  readonly [data: `data-${string}`]: string | boolean | undefined;
}

export interface DataGridProps<R> {
  readonly label: string;
  /** New ones draw all cells again. */
  readonly columns: readonly GridColumn<R>[];
  readonly rows: {
    readonly total: number;
    readonly stale: boolean;
    /** `undefined` while it is on the way. */
    readonly at: (index: number) => R | undefined;
    readonly want: (seen: RowRange) => void;
  };
  readonly cursor: GridCursor;
  /** Keys move among cells and into the head; several rows can be marked. */
  readonly cells?: boolean;
  /** By Enter, Space or a click. */
  readonly onOpen: (row: R) => void;
  /** Keys that the grid has no use for; whether it was one of them. */
  readonly onKey?: (press: GridPress) => boolean;
  readonly look?: (row: R | undefined, index: number) => RowLook;
  readonly order?: GridOrder | undefined;
  readonly onSort?: (column: string) => void;
  /** Without a width: back to the usual one. */
  readonly onResize?: (column: string, width?: number) => void;
  /** Whether the rows are shown as out of date; default: while newer ones are under way. */
  readonly dimmed?: boolean;
  /** Width that there is for a row, as of `useFittedColumns`. */
  readonly onRoom?: (width: number) => void;
  /** The row under the pointer. */
  readonly onPoint?: (row: R | undefined) => void;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
}

export function DataGrid<R>(props: DataGridProps<R>) {
  const { label, columns, rows, cells = false, className = "" } = props;
  const id = useId();
  const cursor = clampCursor(props.cursor.at, sizeOf(props));
  const activeId = cells ? columns[cursor.column]?.id : undefined;
  const keys = useKeys(props, cursor);
  const template = { "--columns": gridTemplate(columns) } as CSSProperties;
  const data = { "data-cells": cells, "data-dimmed": props.dimmed ?? rows.stale };
  return (
    <ScaledRows
      handle={props.cursor.list}
      rows={rows.total}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      width={columns.reduce((sum, { width }) => sum + width, 0)}
      inSight={cursor.row < 0 ? undefined : cursor.row}
      onSeen={rows.want}
      onRoom={props.onRoom}
      renderRow={useRenderRow(props, cursor, id)}
      head={<HeadRow {...props} id={id} active={cursor.row === HEADER_ROW ? activeId : undefined} onSort={keys.sort} />}
      attributes={{
        role: "grid",
        "aria-label": label,
        "aria-rowcount": rows.total + 1,
        "aria-colcount": columns.length,
        "aria-busy": rows.stale,
        ...(cells ? { "aria-multiselectable": true } : {}),
        "aria-activedescendant": cells ? `${id}-${cursor.row}-${activeId}` : `${id}-${cursor.row}`,
        tabIndex: 0,
        className: `${styles.grid} ${className}`,
        style: { ...template, ...props.style },
        onKeyDown: keys.onKeyDown,
        onClick: keys.onClick,
        ...data,
      }}
    />
  );
}

const sizeOf = <R,>({ rows, columns, cells, cursor }: DataGridProps<R>) => ({
  rows: rows.total,
  columns: cells === true ? columns.length : 0,
  rowsPerPage: cursor.list.current?.rowsPerPage() ?? 1,
});

function useKeys<R>(props: DataGridProps<R>, at: CellCursor) {
  const { columns, rows, cursor, cells = false, onOpen, onKey, onSort, onResize } = props;
  const sort = (column: string) => {
    onSort?.(column);
    if (cells) cursor.list.current?.focus();
  };
  const open = (index: number) => {
    const row = rows.at(index);
    if (row !== undefined) onOpen(row);
  };
  const onClick = ({ target, shiftKey }: MouseEvent<HTMLDivElement>) => {
    const clicked = clickedCell(target as Element, columns);
    if (clicked === undefined) return;
    const marks = cells && shiftKey;
    cursor.move({ ...clicked, anchor: marks ? Math.max(0, at.anchor) : clicked.row });
    if (!marks) open(clicked.row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return; // a button inside answers itself
    const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey };
    const head = at.row === HEADER_ROW ? columns[at.column] : undefined;
    if (press.key === "Enter" || press.key === " ") {
      if (head?.sorts === true) sort(head.id);
      else open(at.row);
    } else if (head !== undefined && press.shift && (press.key === "ArrowLeft" || press.key === "ArrowRight")) {
      onResize?.(head.id, head.width + (press.key === "ArrowLeft" ? -KEY_RESIZE : KEY_RESIZE));
    } else if (onKey?.(press) !== true) {
      const moved = movedCursor(at, press, sizeOf(props));
      if (moved === undefined) return;
      cursor.move(moved);
      if (moved.row >= 0) cursor.list.current?.show(moved.row, "nearest");
      const { left, right, sticking } = columnSpan(columns, moved.column);
      if (cells) cursor.list.current?.showAcross(left, right, sticking);
    }
    event.preventDefault();
  };
  return { sort, onClick, onKeyDown };
}

/** Row and column under the pointer; in the head, and on a button of a row, there is none. */
function clickedCell(target: Element, columns: readonly { readonly id: string }[]) {
  const row = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
  if (row === undefined || target.closest("button") !== null) return undefined;
  const id = target.closest<HTMLElement>("[data-column]")?.dataset["column"];
  return {
    row: Number(row),
    column: Math.max(
      0,
      columns.findIndex((column) => column.id === id),
    ),
  };
}

function useRenderRow<R>(props: DataGridProps<R>, cursor: CellCursor, id: string) {
  const { columns, rows, cells = false, look, onPoint } = props;
  const [hovered, setHovered] = useState<number>();
  const several = cells ? selectedRows(cursor) : undefined;
  return (index: number, top: number) => {
    const row = rows.at(index);
    const { selected = false, marked = false, ...more } = look?.(row, index) ?? {};
    const isMarked = several !== undefined && several.to > several.from && index >= several.from && index <= several.to;
    const active = index === cursor.row;
    return (
      <div
        key={index}
        id={`${id}-${index}`}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={selected || marked || isMarked}
        className={styles.row}
        data-row={index}
        data-open={selected}
        data-active={active}
        style={{ transform: `translateY(${top}px)` }}
        onPointerEnter={() => {
          setHovered(index);
          onPoint?.(row);
        }}
        onPointerLeave={() => {
          setHovered(undefined);
          onPoint?.(undefined);
        }}
        {...more}
      >
        <Cells
          id={`${id}-${index}`}
          columns={columns as readonly GridColumn<unknown>[]}
          row={row}
          active={active && cells ? columns[cursor.column]?.id : undefined}
          hovered={hovered === index}
        />
      </div>
    );
  };
}

interface CellsProps {
  /** Of the row. */
  readonly id: string;
  readonly columns: readonly GridColumn<unknown>[];
  readonly row: unknown;
  /** The column of the active cell, where it is in this row. */
  readonly active: string | undefined;
  /** The pointer is over the row. */
  readonly hovered: boolean;
}

/** While the row is on the way they are there and empty, so that nothing moves. Scrolling does not draw them again. */
const Cells = memo(function Cells({ id, columns, row, active, hovered }: CellsProps) {
  return columns.map((column, place) => (
    <div
      key={column.id}
      id={`${id}-${column.id}`}
      role={column.names === true ? "rowheader" : "gridcell"}
      aria-label={row === undefined ? undefined : column.label?.(row)}
      aria-colindex={place + 1}
      className={styles.cell}
      data-column={column.id}
      data-numeric={column.numeric}
      data-active={active === column.id}
    >
      {row === undefined ? <span className={styles.coming} aria-hidden="true" /> : column.cell(row)}
      {row !== undefined && hovered ? <CellCopy text={column.copy?.(row) ?? ""} what={column.header} /> : null}
    </div>
  ));
});

const CellCopy = ({ text, what }: { readonly text: string; readonly what: string }) =>
  text === "" ? null : (
    <span className={styles.copy}>
      <CopyButton text={text} what={what.toLowerCase()} />
    </span>
  );

// The head: names, sorting, and handles that size the columns.

interface HeadRowProps<R> extends Pick<DataGridProps<R>, "columns" | "cells" | "order" | "onResize"> {
  readonly id: string;
  /** The column under the cursor, while the cursor is in the head. */
  readonly active: string | undefined;
  readonly onSort: (column: string) => void;
}

const ARROW = { ascending: "↑", descending: "↓", none: "" } as const;

function HeadRow<R>({ columns, id, active, cells = false, order, onSort, onResize }: HeadRowProps<R>) {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {columns.map(({ id: column, header, title, numeric, sorts, width }, place) => {
        const sorted = order?.id !== column ? "none" : order.descending ? "descending" : "ascending";
        return (
          <div
            key={column}
            id={`${id}-${HEADER_ROW}-${column}`}
            role="columnheader"
            aria-colindex={place + 1}
            {...(sorts === true ? { "aria-sort": sorted } : {})}
            className={styles.headCell}
            data-numeric={numeric}
            data-active={active === column}
          >
            {sorts === true ? (
              <Button
                // Where the arrow keys of the grid lead to the head, Enter sorts there.
                tabIndex={cells ? -1 : 0}
                className={styles.headName}
                title={`${title ?? header}. Press to sort${onResize === undefined ? "" : "; Shift + ← or → on this header changes the width"}.`}
                onClick={() => onSort(column)}
              >
                {header}
                {ARROW[sorted] === "" ? null : <span aria-hidden="true"> {ARROW[sorted]}</span>}
              </Button>
            ) : (
              <span className={styles.headName} title={title}>
                {header}
              </span>
            )}
            {onResize === undefined ? null : <SizeHandle {...{ column, header, width, onResize }} />}
          </div>
        );
      })}
    </div>
  );
}

interface SizeHandleProps {
  readonly column: string;
  readonly header: string;
  readonly width: number;
  readonly onResize: (column: string, width?: number) => void;
}

/** Drags the column's right edge; a double click gives the usual width back. */
function SizeHandle({ column, header, width: usual, onResize }: SizeHandleProps) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    // What is seen, not what is remembered: the column may have been stretched.
    const width = handle.parentElement?.getBoundingClientRect().width ?? usual;
    const start = event.clientX;
    const released = new AbortController();
    const { signal } = released;
    const move = (moved: globalThis.PointerEvent) => onResize(column, width + moved.clientX - start);
    const end = () => released.abort();
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", move, { signal });
    handle.addEventListener("pointerup", end, { signal });
    handle.addEventListener("pointercancel", end, { signal });
  };
  return (
    <span
      className={styles.handle}
      aria-hidden="true"
      title={`Drag to size ${header}; double-click for its usual width`}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onResize(column)}
    />
  );
}

// Moving by keyboard in a grid, among its rows or cells (WAI-ARIA Authoring Practices, "Data Grids").

export interface CellCursor {
  /** -1 is the header. */
  readonly row: number;
  readonly column: number;
  /** The other end of the selected rows; `row` where only one is. */
  readonly anchor: number;
}

interface GridSize {
  readonly rows: number;
  /** 0 where keys move among rows alone, and stay below the header. */
  readonly columns: number;
  readonly rowsPerPage: number;
}

export interface GridPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
}

export const HEADER_ROW = -1;

/** The cursor within a grid that may have become smaller. */
export function clampCursor(cursor: CellCursor, size: GridSize): CellCursor {
  const first = size.columns === 0 ? 0 : HEADER_ROW;
  return {
    row: Math.max(first, Math.min(cursor.row, size.rows - 1)),
    column: Math.max(0, Math.min(cursor.column, size.columns - 1)),
    anchor: Math.max(first, Math.min(cursor.anchor, size.rows - 1)),
  };
}

/** Where the key leads, or `undefined` where it does not move. Shift keeps the anchor: rows between are selected. */
export function movedCursor(cursor: CellCursor, press: GridPress, size: GridSize): CellCursor | undefined {
  const moved = step(cursor, press, size);
  if (moved === undefined) return undefined;
  const { row, column } = clampCursor({ ...cursor, ...moved }, size);
  const extend = press.shift && row >= 0 && cursor.anchor >= 0 && row !== cursor.row;
  return { row, column, anchor: extend ? cursor.anchor : row };
}

function step(
  { row, column }: CellCursor,
  { key, ctrl }: GridPress,
  { rows, columns, rowsPerPage }: GridSize,
): Partial<CellCursor> | undefined {
  const toEnd = ctrl || columns === 0;
  if (key === "ArrowUp") return { row: ctrl ? 0 : row - 1 };
  if (key === "ArrowDown") return { row: ctrl ? rows - 1 : row + 1 };
  if (key === "PageUp") return { row: Math.max(row < 0 ? HEADER_ROW : 0, row - rowsPerPage) };
  if (key === "PageDown") return { row: Math.max(0, row) + rowsPerPage };
  if (key === "Home") return { column: 0, ...(toEnd ? { row: 0 } : {}) };
  if (key === "End") return { column: columns - 1, ...(toEnd ? { row: rows - 1 } : {}) };
  if (columns === 0) return undefined;
  if (key === "ArrowLeft") return { column: ctrl ? 0 : column - 1 };
  return key === "ArrowRight" ? { column: ctrl ? columns - 1 : column + 1 } : undefined;
}

/** The selected rows, both ends included; `undefined` while the cursor is in the header. */
export function selectedRows({ row, anchor }: CellCursor): { readonly from: number; readonly to: number } | undefined {
  if (row < 0) return undefined;
  return { from: Math.min(row, anchor), to: Math.max(row, anchor) };
}

export type GridCursor = ReturnType<typeof useGridCursor>;

export function useGridCursor() {
  const list = useRef<ScaledRowsHandle>(null);
  const [at, setAt] = useState<CellCursor>({ row: 0, column: 0, anchor: 0 });
  const move: (to: CellCursor) => void = setAt;
  /** Brings a row into sight, with the cursor. */
  const goTo = useCallback((row: number, align: "centre" | "start" = "centre") => {
    const show = () => list.current?.show(row, align);
    show();
    setAt(({ column }) => ({ row, column, anchor: row }));
    // The grid may have been laid out just now, or listed anew: a row in sight stays where it is.
    requestAnimationFrame(show);
  }, []);
  return { at, move, goTo, list };
}
