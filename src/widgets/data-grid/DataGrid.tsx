/**
 * A grid of any number of rows: a head that sorts and sizes, the rows in sight, a cursor. Focus stays on the grid; what
 * the cursor is at is its descendant.
 */
import { constructRow, FlexRender, type Header, type RowData } from "@tanstack/react-table";
import { memo, useCallback, useId, useRef, useState } from "react";
import type { ComponentProps, CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { type RowRange, ScaledRows, type ScaledRowsHandle } from "../values/ScaledRows.tsx";
import { type FEATURES, gridTemplate, moveColumn, nameOf, type TableColumn, textOf } from "./columns.ts";
import styles from "./DataGrid.module.css";
import type { Grid } from "./GridTable.tsx";
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
  readonly "aria-current"?: boolean | undefined;
  readonly [data: `data-${string}`]: string | boolean | undefined;
}

export interface DataGridProps<R extends RowData> {
  readonly label: string;
  readonly grid: Grid<R>;
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
  /** Called by Enter, Space or a click; where a click only moves the cursor (`picks`), by a double click. */
  readonly onOpen: (row: R) => void;
  readonly picks?: boolean;
  /** Height of a row in CSS pixels. */
  readonly rowHeight?: number;
  /** The head is for screen readers alone. */
  readonly headless?: boolean;
  /** Keys that the grid has no use for; whether it was one of them. */
  readonly onKey?: (press: GridPress) => boolean;
  readonly look?: (row: R | undefined, index: number) => RowLook;
  /** True if the rows are shown as out of date; default: while newer ones are under way. */
  readonly dimmed?: boolean;
  /** The row under the pointer. */
  readonly onPoint?: (row: R | undefined) => void;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
}

export function DataGrid<R extends RowData>(props: DataGridProps<R>) {
  const { label, grid, rows, cells = false, className = "", rowHeight = ROW_HEIGHT, headless = false } = props;
  const id = useId();
  const columns = grid.table.getVisibleLeafColumns();
  const cursor = clampCursor(props.cursor.at, gridSize(props));
  const activeId = cells ? columns[cursor.column]?.id : undefined;
  const [said, setSaid] = useState("");
  const keys = useKeys(props, cursor, setSaid);
  const template = { "--columns": gridTemplate(grid.table), "--row-height": `${rowHeight}px` } as CSSProperties;
  const data = { "data-cells": cells, "data-dimmed": props.dimmed ?? rows.stale };
  return (
    <>
      <ScaledRows
        handle={props.cursor.list}
        rows={rows.total}
        rowHeight={rowHeight}
        headHeight={headless ? 0 : HEAD_HEIGHT}
        width={grid.table.getTotalSize()}
        inSight={cursor.row < 0 ? undefined : cursor.row}
        onSeen={rows.want}
        onRoom={grid.onRoom}
        renderRow={useRenderRow(props, cursor, id)}
        head={
          headless ? (
            <UnseenHead columns={columns} />
          ) : (
            <HeadRow
              {...{ grid, id, cells }}
              sort={keys.sort}
              move={keys.move}
              active={cursor.row === HEADER_ROW ? activeId : undefined}
            />
          )
        }
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
          onDoubleClick: keys.onDoubleClick,
          ...data,
        }}
      />
      <span className="unseen" aria-live="polite">
        {said}
      </span>
    </>
  );
}

const gridSize = <R extends RowData>({ rows, grid, cells, cursor }: DataGridProps<R>) => ({
  rows: rows.total,
  columns: cells === true ? grid.table.getVisibleLeafColumns().length : 0,
  rowsPerPage: cursor.list.current?.rowsPerPage() ?? 1,
});

function useKeys<R extends RowData>(props: DataGridProps<R>, at: CellCursor, onSay: (text: string) => void) {
  const { grid, rows, cursor, cells = false, picks = false, onOpen, onKey } = props;
  const columns = grid.table.getVisibleLeafColumns();
  const sort = (column: TableColumn<R>) => {
    column.toggleSorting();
    if (cells) cursor.list.current?.focus();
  };
  const move = (column: TableColumn<R>, to: TableColumn<R> | undefined) => {
    if (to === undefined || to === column) return;
    const place = columns.indexOf(to);
    moveColumn(grid.table, column.id, to.id);
    if (at.row === HEADER_ROW) cursor.move({ ...at, column: place });
    onSay(`${nameOf(column)}: column ${place + 1} of ${columns.length}`);
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
    if (!marks && !picks) open(clicked.row);
  };
  const onDoubleClick = ({ target }: MouseEvent<HTMLDivElement>) => {
    const clicked = clickedCell(target as Element, columns);
    if (picks && clicked !== undefined) open(clicked.row);
  };
  const onHeadKey = (head: TableColumn<R>, element: Element, { key, altKey }: KeyboardEvent) => {
    const step = key === "ArrowLeft" ? -1 : 1;
    if (altKey) move(head, columns[columns.indexOf(head) + step]);
    else sizeAsSeen(head, element, step * KEY_RESIZE);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { target, currentTarget } = event;
    const element =
      target === currentTarget
        ? currentTarget.querySelector(`[role=columnheader][data-active=true]`)
        : (target as Element).closest("[role=columnheader]");
    const head = columns.find((column) => column.id === element?.getAttribute("data-head"));
    const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey };
    if (head !== undefined && element !== null && shapesColumn(event)) onHeadKey(head, element, event);
    else if (target !== currentTarget || event.altKey) return; // a button inside answers itself
    else if (press.key === "Enter" || press.key === " ") {
      if (head?.getCanSort() === true) sort(head);
      else open(at.row);
    } else if (onKey?.(press) !== true) {
      const moved = movedCursor(at, press, gridSize(props));
      if (moved === undefined) return;
      cursor.move(moved);
      if (moved.row >= 0) cursor.list.current?.show(moved.row, "nearest");
      if (cells) showColumn(cursor, columns, moved.column);
    }
    event.preventDefault();
  };
  return { sort, move, onClick, onDoubleClick, onKeyDown };
}

/** Alt moves a column, Shift sizes it. */
const shapesColumn = ({ key, altKey, shiftKey }: KeyboardEvent) =>
  altKey !== shiftKey && (key === "ArrowLeft" || key === "ArrowRight");

/** The first column sticks, so that it is always in sight. */
function showColumn<R extends RowData>({ list }: GridCursor, columns: readonly TableColumn<R>[], place: number): void {
  const [sticking, column] = [columns[0]?.getSize() ?? 0, columns[place]];
  const left = column?.getStart() ?? 0;
  list.current?.showAcross(place === 0 ? sticking : left, left + (column?.getSize() ?? 0), sticking);
}

/** A column that was stretched is sized from the width that is seen, not from the one that is kept. */
const sizeAsSeen = <R extends RowData>({ id, table }: TableColumn<R>, head: Element, by = 0) => {
  const width = Math.round(head.getBoundingClientRect().width) + by;
  table.setColumnSizing((sizing) => ({ ...sizing, [id]: width }));
};

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

function useRenderRow<R extends RowData>(props: DataGridProps<R>, cursor: CellCursor, id: string) {
  const { grid, rows, cells = false, look, onPoint } = props;
  const columns = grid.table.getVisibleLeafColumns();
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
          columns={columns}
          row={row}
          active={active && cells ? columns[cursor.column]?.id : undefined}
          hovered={hovered === index}
        />
      </div>
    );
  };
}

interface CellsProps<R extends RowData> {
  /** Id of the row. */
  readonly id: string;
  readonly columns: readonly TableColumn<R>[];
  readonly row: R | undefined;
  /** The column of the active cell, where it is in this row. */
  readonly active: string | undefined;
  /** The pointer is over the row. */
  readonly hovered: boolean;
}

/** While the row is on the way they are there and empty, so that nothing moves. Scrolling does not draw them again. */
const Cells = memo(function Cells<R extends RowData>({ id, columns, row, active, hovered }: CellsProps<R>) {
  const [first] = columns;
  const known = row === undefined || first === undefined ? undefined : constructRow(first.table, id, row, 0, 0);
  const cells = known?.getVisibleCells();
  return columns.map((column, place) => {
    const { names, numeric, labelled, copied } = column.columnDef.meta ?? {};
    const cell = cells?.[place];
    return (
      <div
        key={column.id}
        id={`${id}-${column.id}`}
        role={names === true ? "rowheader" : "gridcell"}
        aria-label={labelled === true && row !== undefined ? textOf(column, row) : undefined}
        aria-colindex={place + 1}
        className={styles.cell}
        data-column={column.id}
        data-numeric={numeric}
        data-active={active === column.id}
      >
        {cell === undefined ? <span className={styles.coming} aria-hidden="true" /> : <FlexRender cell={cell} />}
        {copied === true && row !== undefined && hovered ? (
          <CellCopy text={textOf(column, row)} what={nameOf(column)} />
        ) : null}
      </div>
    );
  });
}) as <R extends RowData>(props: CellsProps<R>) => ReactNode;

const CellCopy = ({ text, what }: { readonly text: string; readonly what: string }) =>
  text === "" ? null : (
    <span className={styles.copy}>
      <CopyButton text={text} what={what.toLowerCase()} />
    </span>
  );

const UnseenHead = <R extends RowData>({ columns }: { readonly columns: readonly TableColumn<R>[] }) => (
  <div role="row" aria-rowindex={1} className="unseen">
    {columns.map((column, index) => (
      <span key={column.id} role="columnheader" aria-colindex={index + 1}>
        {nameOf(column)}
      </span>
    ))}
  </div>
);

// The head: names, sorting, places and widths of the columns.

interface HeadProps<R extends RowData> extends Pick<ReturnType<typeof useKeys<R>>, "sort"> {
  readonly id: string;
  readonly cells: boolean;
  /** The column under the cursor, while the cursor is in the head. */
  readonly active: string | undefined;
}

interface HeadRowProps<R extends RowData> extends HeadProps<R>, Pick<ReturnType<typeof useKeys<R>>, "move"> {
  readonly grid: Grid<R>;
}

/** A header is dragged to the place of another. */
function HeadRow<R extends RowData>({ grid, move, ...props }: HeadRowProps<R>) {
  const [dragged, setDragged] = useState<TableColumn<R>>();
  const [over, setOver] = useState<TableColumn<R>>();
  const drag = (from?: TableColumn<R>) => {
    setDragged(from);
    setOver(from);
  };
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow} onPointerLeave={() => drag()}>
      {grid.table.getFlatHeaders().map((header) => (
        <HeadCell
          key={header.id}
          {...props}
          header={header}
          target={dragged !== undefined && dragged !== over && over === header.column}
          onPointerDown={({ button, pointerType }) => {
            if (button === 0 && pointerType === "mouse") drag(header.column);
          }}
          onPointerEnter={({ buttons }) => (buttons === 0 ? drag() : setOver(header.column))}
          onPointerUp={() => {
            if (dragged !== undefined) move(dragged, header.column);
            drag();
          }}
        />
      ))}
    </div>
  );
}

interface HeadCellProps<R extends RowData>
  extends HeadProps<R>, Pick<ComponentProps<"div">, "onPointerDown" | "onPointerEnter" | "onPointerUp"> {
  readonly header: Header<typeof FEATURES, R>;
  /** True if a dragged column would be dropped here. */
  readonly target: boolean;
}

const ARROW = { asc: " ↑", desc: " ↓" } as const;
const SORTED = { asc: "ascending", desc: "descending" } as const;
const KEYS = "Shift + ← or → on this header changes the width, Alt + ← or → the place";

function HeadCell<R extends RowData>({ header, id, cells, active, target, sort, ...drag }: HeadCellProps<R>) {
  const { column, index } = header;
  const { title = nameOf(column), numeric } = column.columnDef.meta ?? {};
  const sorts = column.getCanSort();
  const sorted = column.getIsSorted();
  // If the arrow keys of the grid lead to the head, they work there.
  const tabIndex = cells ? -1 : 0;
  return (
    <div
      id={`${id}-${HEADER_ROW}-${column.id}`}
      role="columnheader"
      aria-colindex={index + 1}
      aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Shift+ArrowLeft Shift+ArrowRight"
      {...(sorts ? { "aria-sort": sorted === false ? "none" : SORTED[sorted] } : { tabIndex })}
      className={styles.headCell}
      data-head={column.id}
      data-numeric={numeric}
      data-active={active === column.id}
      data-target={target}
      {...drag}
    >
      {sorts ? (
        <Button
          tabIndex={tabIndex}
          className={styles.headName}
          title={`${title}. Press to sort; ${KEYS}.`}
          onClick={() => sort(column)}
        >
          <FlexRender header={header} />
          {sorted === false ? null : <span aria-hidden="true">{ARROW[sorted]}</span>}
        </Button>
      ) : (
        <span className={styles.headName} title={`${title}. ${KEYS}.`}>
          <FlexRender header={header} />
        </span>
      )}
      <SizeHandle header={header} />
    </div>
  );
}

/** Drags the column's right edge; a double click gives the usual width back. */
const SizeHandle = <R extends RowData>({ header }: Pick<HeadCellProps<R>, "header">) => (
  <span
    className={styles.handle}
    aria-hidden="true"
    title={`Drag to size ${nameOf(header.column)}; double-click for its usual width`}
    onPointerDown={(event) => {
      event.stopPropagation();
      const head = event.currentTarget.parentElement;
      if (event.button === 0 && head !== null) sizeAsSeen(header.column, head);
    }}
    onMouseDown={header.getResizeHandler()}
    onTouchStart={header.getResizeHandler()}
    onDoubleClick={() => header.column.resetSize()}
  />
);

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

const HEADER_ROW = -1;

/** The cursor within a grid that may have become smaller. */
export function clampCursor(cursor: CellCursor, size: GridSize): CellCursor {
  const first = size.columns === 0 ? 0 : HEADER_ROW;
  return {
    row: Math.max(first, Math.min(cursor.row, size.rows - 1)),
    column: Math.max(0, Math.min(cursor.column, size.columns - 1)),
    anchor: Math.max(first, Math.min(cursor.anchor, size.rows - 1)),
  };
}

/** Cursor after a key, or `undefined` if it does not move. Shift keeps the anchor: rows between are selected. */
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
