/** The grid "Manifest": a head, and the rows in sight. Focus stays on the grid; the active cell is its descendant. */
import type { SortingState } from "@tanstack/react-table";
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useId,
  useState,
} from "react";
import { findingOfError } from "../../../core/findings/failure.ts";
import type { ViewRow } from "../../../core/open-set.ts";
import type { App } from "../../../store/app-store.ts";
import { useActions, useApp, useAppState, useEngine } from "../../../store/react.tsx";
import { CopyButton } from "../../../widgets/controls/CopyButton.tsx";
import { ScaledRows, type ScaledRowsHandle } from "../../../widgets/values/ScaledRows.tsx";
import { copyText } from "../../../widgets/controls/copy-text.ts";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import type { RowRange } from "../../../widgets/values/scaled-rows.ts";
import { loadCatalogue, messageOf } from "../../../widgets/notes/use-explain.ts";
import { point, type PointedChunk, useIsPointed } from "../pointed-chunk.ts";
import { ManifestCell } from "./ManifestCell.tsx";
import styles from "./TablePart.module.css";
import { type CellCursor, clampCursor, HEADER_ROW, movedCursor, selectedRows } from "./cell-cursor.ts";
import { cellText, type ColumnId, type ColumnSpec, rowsAsText } from "./columns.ts";
import { notAChunk } from "./not-a-chunk.ts";
import { rowAt, type Shown } from "./row-source.ts";
import { ariaSort, nextSorting } from "./sorting.ts";
import type { ManifestTable, ShownColumn } from "./use-manifest-table.ts";
import type { Manifest } from "./use-manifest.ts";

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const KEY_RESIZE = 16;

export interface ManifestGridProps {
  readonly manifest: Manifest;
  readonly table: ManifestTable;
  readonly cursor: CellCursor;
  readonly setCursor: (cursor: CellCursor) => void;
  readonly list: RefObject<ScaledRowsHandle | null>;
  /** Says what happened in the line below, and to screen readers. */
  readonly onSay: (text: string) => void;
  /** Shared with the map. */
  readonly pointed: PointedChunk;
}

export function ManifestGrid(props: ManifestGridProps) {
  const { manifest, table, list } = props;
  const { rows, source, sorting } = manifest;
  const id = useId();
  const keys = useGridKeys(props);
  const count = rows.shown?.info.rows ?? 0;
  const cursor = clampCursor(props.cursor, { rows: count, columns: table.columns.length, rowsPerPage: 1 });
  const activeColumn = table.columns[cursor.column]?.id;
  const renderRow = useRenderRow(props, cursor, id);
  const onSeen = useCallback(
    ({ from, to }: RowRange) => {
      source.want(from, to);
    },
    [source],
  );
  const head = (
    <HeadRow
      id={`${id}-head`}
      table={table}
      sorting={sorting}
      isArray={manifest.isArray}
      active={cursor.row === HEADER_ROW ? activeColumn : undefined}
      onSort={keys.sort}
    />
  );
  return (
    <ScaledRows
      handle={list}
      rows={count}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      width={table.width}
      onSeen={onSeen}
      renderRow={renderRow}
      head={head}
      attributes={{
        role: "grid",
        "aria-label": "Manifest",
        "aria-rowcount": count + 1,
        "aria-colcount": table.columns.length,
        "aria-multiselectable": true,
        "aria-activedescendant": `${id}-${cursor.row === HEADER_ROW ? "head" : cursor.row}-${activeColumn ?? ""}`,
        tabIndex: 0,
        className: styles.grid,
        onKeyDown: keys.onKeyDown,
        onClick: keys.onClick,
      }}
    />
  );
}

function useRenderRow({ manifest, table, pointed }: ManifestGridProps, cursor: CellCursor, id: string) {
  const chunk = useAppState((state) => state.chunk);
  const overview = useEngine("set.overview", { set: manifest.set.id, path: manifest.node.path }).data;
  const longest = overview?.path === manifest.node.path ? (overview.lengths?.maximum ?? 0) : 0;
  const selected = selectedRows(cursor);
  const several = selected !== undefined && selected.from !== selected.to;
  return (index: number, top: number) => {
    const row = rowAt(manifest.rows, index);
    return (
      <ManifestRow
        key={index}
        id={`${id}-${index}`}
        index={index}
        row={row}
        top={top}
        columns={table.columns}
        template={table.template}
        fill={manifest.array?.fillValue}
        within={manifest.isArray ? manifest.node.path : undefined}
        longest={longest}
        pointed={pointed}
        selected={row !== undefined && isSelected(row, manifest.node.path, chunk)}
        marked={several ? index >= selected.from && index <= selected.to : isStray(row) && cursor.row === index}
        active={cursor.row === index ? table.columns[cursor.column]?.id : undefined}
      />
    );
  };
}

/** No chunk can be selected for such a row, so that it is marked where the cursor is on it. */
const isStray = (row: ViewRow | undefined) => row !== undefined && row.coordinates === undefined;

function isSelected(row: ViewRow, path: string, chunk: readonly number[] | undefined): boolean {
  if (chunk === undefined || row.array !== path || row.coordinates?.length !== chunk.length) return false;
  return row.coordinates.every((at, dimension) => at === chunk[dimension]);
}

function useGridKeys({ manifest, table, cursor, setCursor, list, onSay }: ManifestGridProps) {
  const actions = useActions();
  const { rows, isArray, sorting, setSorting } = manifest;
  const count = rows.shown?.info.rows ?? 0;
  const column = table.columns[cursor.column];

  const sort = (id: string) => {
    setSorting(nextSorting(sorting, isArray, id));
    list.current?.focus();
  };
  const activate = (row: ViewRow | undefined) => {
    if (row === undefined) return;
    if (row.array !== undefined && row.coordinates !== undefined) actions.selectChunk(row.array, row.coordinates);
    else void loadCatalogue().then((explain) => onSay(notAChunk(row, explain)));
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const clicked = clickedCell(event.target);
    if (clicked === undefined) return;
    const column = Math.max(
      0,
      table.columns.findIndex(({ id }) => id === clicked.column),
    );
    const anchor = event.shiftKey ? Math.max(0, cursor.anchor) : clicked.row;
    setCursor({ row: clicked.row, column, anchor });
    if (!event.shiftKey) activate(rowAt(rows, clicked.row));
  };
  const copy = useCopyCursor({ manifest, table, cursor, onSay });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return; // a button inside answers itself
    const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey };
    if (press.ctrl && press.key.toLowerCase() === "c") {
      if (getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      void copy();
      return;
    }
    const inHead = cursor.row === HEADER_ROW && column !== undefined;
    if (press.key === "Enter" || press.key === " ") {
      if (inHead && column.sort !== undefined) sort(column.id);
      else activate(rowAt(rows, cursor.row));
    } else if (inHead && press.shift && (press.key === "ArrowLeft" || press.key === "ArrowRight")) {
      table.resize(column.id, column.width + (press.key === "ArrowLeft" ? -KEY_RESIZE : KEY_RESIZE));
    } else {
      const size = { rows: count, columns: table.columns.length, rowsPerPage: list.current?.rowsPerPage() ?? 1 };
      const moved = movedCursor(clampCursor(cursor, size), press, size);
      if (moved === undefined) return;
      setCursor(moved);
      if (moved.row >= 0) list.current?.show(moved.row, "nearest");
      const { left, right, sticking } = columnSpan(table.columns, moved.column);
      list.current?.showAcross(left, right, sticking);
    }
    event.preventDefault();
  };
  return { sort, onClick, onKeyDown };
}

/** Row and column under the pointer; in the head, and on a button of a row, there is none. */
function clickedCell(target: EventTarget): { readonly row: number; readonly column: string } | undefined {
  if (!(target instanceof Element) || target.closest("button") !== null) return undefined;
  const row = target.closest("[data-row]")?.getAttribute("data-row");
  if (row === null || row === undefined) return undefined;
  return { row: Number(row), column: target.closest("[data-column]")?.getAttribute("data-column") ?? "key" };
}

/** Copies the marked rows, or else the active cell. */
function useCopyCursor(props: Pick<ManifestGridProps, "manifest" | "table" | "cursor" | "onSay">) {
  const { manifest, table, cursor, onSay } = props;
  const { copyRowsOf } = useCopyRows(props);
  return async () => {
    const selected = selectedRows(cursor);
    const column = table.columns[cursor.column];
    if (selected === undefined || column === undefined) return;
    if (selected.from !== selected.to) return copyRowsOf(selected);
    const row = rowAt(manifest.rows, cursor.row);
    if (row === undefined) return;
    onSay((await copyText(cellText(row, column.id, row.result))) ? `Copied ${column.header}.` : NOT_ALLOWED);
  };
}

/** Where a column lies in a row too wide for the screen, in CSS pixels; the first column sticks. */
function columnSpan(columns: ManifestTable["columns"], at: number) {
  const left = columns.slice(0, at).reduce((sum, { width }) => sum + width, 0);
  const sticking = columns[0]?.width ?? 0;
  return at === 0
    ? { left: sticking, right: sticking, sticking }
    : { left, right: left + (columns[at]?.width ?? 0), sticking };
}

const NOT_ALLOWED = "The browser blocked copying.";

/** Copies a range of rows, or says why it did not. */
export function useCopyRows({ manifest, table, onSay }: Pick<ManifestGridProps, "manifest" | "table" | "onSay">) {
  const { engine } = useApp();
  const copyRowsOf = async (range: { readonly from: number; readonly to: number }) => {
    const { shown } = manifest.rows;
    if (shown !== undefined) onSay(await copyRows(engine, { shown, range, columns: table.columns }));
  };
  return { copyRowsOf };
}

// Rows on the clipboard as tab-separated text.

/** More would make a text that no clipboard and no spreadsheet takes. */
const MAX_COPIED = 100_000;
/** The engine gives no more rows at once. */
const ASKED_AT_ONCE = 2000;

interface RowsToCopy {
  readonly shown: Shown;
  /** Both ends included. */
  readonly range: { readonly from: number; readonly to: number };
  readonly columns: readonly ColumnSpec[];
}

/** Copies, and gives the sentence that says what was copied or why nothing was. Never throws. */
async function copyRows(engine: Pick<App["engine"], "call">, wish: RowsToCopy): Promise<string> {
  const { shown, range, columns } = wish;
  const all = Math.min(range.to + 1, shown.info.rows) - range.from;
  const count = Math.min(all, MAX_COPIED);
  if (count <= 0) return "There are no rows to copy.";
  try {
    const rows: ViewRow[] = [];
    const { set } = shown.question;
    for (let from = range.from; from < range.from + count; from += ASKED_AT_ONCE) {
      const to = Math.min(from + ASKED_AT_ONCE, range.from + count);
      rows.push(...(await engine.call("table.rows", { set, view: shown.info.view, from, to })).rows);
    }
    if (!(await copyText(rowsAsText(rows, columns)))) return "The browser blocked copying.";
    const cut = count < all ? `; at most ${formatCount(MAX_COPIED)} of the ${formatCount(all)} can be copied` : "";
    return `Copied ${countOf(count, "row")} with a header${cut}.`;
  } catch (error) {
    return `Nothing was copied. ${messageOf([findingOfError(error, "Copying rows")], await loadCatalogue())}`;
  }
}

// The head of the manifest: names, sorting, and handles that size the columns.

interface HeadRowProps {
  readonly id: string;
  readonly table: ManifestTable;
  readonly sorting: SortingState;
  readonly isArray: boolean;
  /** The column under the cursor, while the cursor is in the head. */
  readonly active: string | undefined;
  readonly onSort: (column: string) => void;
}

function HeadRow({ id, table, sorting, isArray, active, onSort }: HeadRowProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: table.template }}>
      {table.columns.map((column, place) => (
        <div
          key={column.id}
          id={`${id}-${column.id}`}
          role="columnheader"
          aria-colindex={place + 1}
          {...(column.sort === undefined ? {} : { "aria-sort": ariaSort(sorting, isArray, column.id) })}
          className={styles.headCell}
          data-numeric={column.numeric}
          data-active={active === column.id}
        >
          <HeadName column={column} onSort={onSort} order={ariaSort(sorting, isArray, column.id)} />
          <SizeHandle column={column} table={table} />
        </div>
      ))}
    </div>
  );
}

const ARROW = { ascending: "↑", descending: "↓", none: "" } as const;

interface HeadNameProps {
  readonly column: ShownColumn;
  readonly order: keyof typeof ARROW;
  readonly onSort: (column: string) => void;
}

function HeadName({ column, order, onSort }: HeadNameProps) {
  const { id, header, meaning, sort } = column;
  if (sort === undefined) {
    return (
      <span className={styles.headName} title={meaning}>
        {header}
      </span>
    );
  }
  // Not in the tab order: the arrow keys of the grid lead to the head, and Enter sorts there.
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.headName}
      title={`${meaning}. Press to sort; Shift + ← or → on this header changes the width.`}
      onClick={() => onSort(id)}
    >
      {header}
      {ARROW[order] === "" ? null : <span aria-hidden="true"> {ARROW[order]}</span>}
    </button>
  );
}

/** Drags the column's right edge; a double click gives the default width back. */
function SizeHandle({ column, table }: { readonly column: ShownColumn; readonly table: ManifestTable }) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    // What is seen, not what is remembered: the target column may have been stretched.
    const width = handle.parentElement?.getBoundingClientRect().width ?? column.width;
    const start = event.clientX;
    const move = (moved: globalThis.PointerEvent) => table.resize(column.id, width + moved.clientX - start);
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  return (
    <span
      className={styles.handle}
      aria-hidden="true"
      title={`Drag to size ${column.header}; double-click for its usual width`}
      onPointerDown={onPointerDown}
      onDoubleClick={() => table.resetWidth(column.id)}
    />
  );
}

// One row in sight. While its reference is on the way, its cells are there and empty, so that nothing moves.

interface ManifestRowProps {
  readonly id: string;
  readonly index: number;
  readonly row: ViewRow | undefined;
  /** Distance from the upper edge of what is seen, in CSS pixels. */
  readonly top: number;
  readonly columns: readonly ShownColumn[];
  readonly template: string;
  /** The array's fill value, JSON text. */
  readonly fill: string | undefined;
  /** The selected array; absent for groups. */
  readonly within: string | undefined;
  /** Bytes of the longest chunk; 0 where that is not known. */
  readonly longest: number;
  /** Shared with the map. */
  readonly pointed: PointedChunk;
  /** It is the chunk shown in the Chunk region. */
  readonly selected: boolean;
  /** It is one of several rows selected for copying, or no chunk and under the cursor. */
  readonly marked: boolean;
  /** The column of the active cell, where it is in this row. */
  readonly active: string | undefined;
}

/**
 * Columns whose value one would paste elsewhere get a button under the pointer; not where a bar would be hidden by it, and
 * a click there meant the row. Ctrl + C copies any cell.
 */
const COPYABLE: ReadonlySet<ColumnId> = new Set(["key", "target", "offset", "end", "from"]);

function ManifestRow(props: ManifestRowProps) {
  const { id, index, row, top, columns, template, fill, within, longest, selected, marked, active } = props;
  const [hovered, setHovered] = useState(false);
  const at = row !== undefined && row.array === within ? row.coordinates : undefined;
  const pointed = useIsPointed(props.pointed, at);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected || marked}
      className={styles.row}
      data-row={index}
      data-chunk={selected}
      data-stray={row !== undefined && row.coordinates === undefined}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
      data-failed={row?.result === "failed"}
      data-pointed={pointed}
      onPointerEnter={() => {
        setHovered(true);
        point(props.pointed, at);
      }}
      onPointerLeave={() => {
        setHovered(false);
        point(props.pointed, undefined);
      }}
    >
      <RowCells {...{ id, row, columns, fill, within, longest, active, hovered }} />
    </div>
  );
}

interface RowCellsProps extends Pick<
  ManifestRowProps,
  "id" | "row" | "columns" | "fill" | "within" | "longest" | "active"
> {
  /** The pointer is over the row. */
  readonly hovered: boolean;
}

/** Apart from the row, so that scrolling, which only moves rows, does not redraw the cells. */
const RowCells = memo(function RowCells(props: RowCellsProps) {
  const { id, row, columns, fill, within, longest, active, hovered } = props;
  return columns.map((column, place) => (
    <div
      key={column.id}
      id={`${id}-${column.id}`}
      role={column.id === "key" ? "rowheader" : "gridcell"}
      // The whole key, of which a part may be seen.
      aria-label={column.id === "key" ? row?.key : undefined}
      aria-colindex={place + 1}
      className={styles.cell}
      data-column={column.id}
      data-numeric={column.numeric}
      data-active={active === column.id}
    >
      {row === undefined ? (
        <span className={styles.coming} aria-hidden="true" />
      ) : (
        <ManifestCell column={column.id} {...{ row, fill, within, longest }} />
      )}
      {row !== undefined && hovered ? <CellCopy row={row} column={column} /> : null}
    </div>
  ));
});

function CellCopy({ row, column }: { readonly row: ViewRow; readonly column: ShownColumn }) {
  const text = cellText(row, column.id, "not tried");
  if (!COPYABLE.has(column.id) || text === "") return null;
  return (
    <span className={styles.copy}>
      <CopyButton text={text} what={column.header.toLowerCase()} />
    </span>
  );
}
