/** The grid "Manifest": a head, and the rows in sight. Focus stays on the grid; the active cell is its descendant. */
import { loadCatalogue } from "../../../widgets/use-explain.ts";
import { notAChunk } from "./not-a-chunk.ts";
import { useCallback, useId, type KeyboardEvent, type MouseEvent, type RefObject } from "react";
import type { ViewRow } from "../../../core/open-set.ts";
import { useActions, useApp, useAppState, useEngine } from "../../../store/react.tsx";
import { ScaledRows, type ScaledRowsHandle } from "../../../widgets/ScaledRows.tsx";
import { copyText } from "../../../widgets/copy-text.ts";
import type { RowRange } from "../../../widgets/scaled-rows.ts";
import type { PointedChunk } from "../pointed-chunk.ts";
import { HEADER_ROW, clampCursor, movedCursor, selectedRows, type CellCursor } from "./cell-cursor.ts";
import { cellText } from "./columns.ts";
import { copyRows } from "./copy-rows.ts";
import { HeadRow } from "./HeadRow.tsx";
import { ManifestRow } from "./ManifestRow.tsx";
import { rowAt } from "./row-source.ts";
import { nextSorting } from "./sorting.ts";
import type { Manifest } from "./use-manifest.ts";
import type { ManifestTable } from "./use-manifest-table.ts";
import styles from "./TablePart.module.css";

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

const NOT_ALLOWED = "The browser did not allow copying.";

/** Copies a range of rows, or says why it did not. */
export function useCopyRows({ manifest, table, onSay }: Pick<ManifestGridProps, "manifest" | "table" | "onSay">) {
  const { engine } = useApp();
  const copyRowsOf = async (range: { readonly from: number; readonly to: number }) => {
    const { shown } = manifest.rows;
    if (shown !== undefined) onSay(await copyRows(engine, { shown, range, columns: table.columns }));
  };
  return { copyRowsOf };
}
