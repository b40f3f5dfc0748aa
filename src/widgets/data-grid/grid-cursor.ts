/** Moving by keyboard in a grid, among its rows or cells (WAI-ARIA Authoring Practices, "Data Grids"). */
import { useCallback, useRef, useState } from "react";
import type { ScaledRowsHandle } from "../values/ScaledRows.tsx";

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
