/** Moving by keyboard among the cells of a grid (WAI-ARIA Authoring Practices, "Data Grids"). Row -1 is the header. */
export interface CellCursor {
  readonly row: number;
  readonly column: number;
  /** The other end of the selected rows; `row` where only one is. */
  readonly anchor: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly rowsPerPage: number;
}

export interface KeyPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
}

export const HEADER_ROW = -1;

/** The cursor within a grid that may have become smaller. */
export function clampCursor(cursor: CellCursor, size: GridSize): CellCursor {
  const row = Math.max(HEADER_ROW, Math.min(cursor.row, size.rows - 1));
  return {
    row,
    column: Math.max(0, Math.min(cursor.column, size.columns - 1)),
    anchor: Math.max(HEADER_ROW, Math.min(cursor.anchor, size.rows - 1)),
  };
}

/** Where the key leads, or `undefined` where it does not move. Shift keeps the anchor: rows between are selected. */
export function movedCursor(cursor: CellCursor, press: KeyPress, size: GridSize): CellCursor | undefined {
  const moved = step(cursor, press, size);
  if (moved === undefined) return undefined;
  const { row, column } = clampCursor({ ...cursor, ...moved }, size);
  const extend = press.shift && row >= 0 && cursor.anchor >= 0 && row !== cursor.row;
  return { row, column, anchor: extend ? cursor.anchor : row };
}

function step(
  { row, column }: CellCursor,
  { key, ctrl }: KeyPress,
  { rows, columns, rowsPerPage }: GridSize,
): Partial<CellCursor> | undefined {
  switch (key) {
    case "ArrowUp":
      return { row: ctrl ? 0 : row - 1 };
    case "ArrowDown":
      return { row: ctrl ? rows - 1 : row + 1 };
    case "ArrowLeft":
      return { column: ctrl ? 0 : column - 1 };
    case "ArrowRight":
      return { column: ctrl ? columns - 1 : column + 1 };
    case "PageUp":
      return { row: Math.max(row < 0 ? HEADER_ROW : 0, row - rowsPerPage) };
    case "PageDown":
      return { row: Math.max(0, row) + rowsPerPage };
    case "Home":
      return { column: 0, ...(ctrl ? { row: 0 } : {}) };
    case "End":
      return { column: columns - 1, ...(ctrl ? { row: rows - 1 } : {}) };
    default:
      return undefined;
  }
}

/** The selected rows, both ends included; `undefined` while the cursor is in the header. */
export function selectedRows({ row, anchor }: CellCursor): { readonly from: number; readonly to: number } | undefined {
  if (row < 0) return undefined;
  return { from: Math.min(row, anchor), to: Math.max(row, anchor) };
}
