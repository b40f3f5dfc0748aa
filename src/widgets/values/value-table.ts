/** Value tables: which cells are seen, and how a cell cursor moves. Rows are placed by `scaled-rows.ts`. */
import type { CellPlace } from "../cell-map/camera.ts";
import type { RowRange } from "./ScaledRows.tsx";

/** An element can only be so wide (Chromium about 16.7 million px). */
const WIDEST = 8_000_000;

/** Columns that one table can show. */
export const maxColumns = (cellWidth: number): number => Math.floor(WIDEST / cellWidth);

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
