/** The columns of a grid, as a table. */
import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

/** How a column looks beside what TanStack Table knows of it. */
export interface ColumnLook {
  /** Title of the header. */
  readonly title?: string;
  readonly numeric?: boolean;
  /** Rows are known by it: its cells are row headers. */
  readonly names?: boolean;
  /** If there is no room for all, columns of the highest rank are left out first; those without a rank never. */
  readonly rank?: number;
  /** Its part of the width that is left. */
  readonly grow?: number;
  /** The text of a cell is also its accessible name, since not all of it is seen. */
  readonly labelled?: boolean;
  /** A button under the pointer copies the text of a cell. */
  readonly copied?: boolean;
}

/** What tables ask of TanStack Table. Tables that sort their own rows add `sortedRowModel` and `sortFns`. */
export const FEATURES = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

export interface GridColumn<R> {
  readonly id: string;
  readonly header: string;
  /** What the header's title says. */
  readonly title?: string;
  /** Least width in CSS pixels. */
  readonly width: number;
  /** Where there is no room for all, columns of the highest rank are given up first; without one never. */
  readonly rank?: number;
  /** Its part of the width that is left. */
  readonly grow?: number;
  readonly numeric?: boolean;
  /** Rows are known by it. */
  readonly names?: boolean;
  /** Its head sorts. */
  readonly sorts?: boolean;
  readonly cell: (row: R) => ReactNode;
  /** Name of the cell, where its text is not all of it. */
  readonly label?: (row: R) => string;
  /** What a button under the pointer copies; "" for none. */
  readonly copy?: (row: R) => string;
}

export interface GridOrder {
  /** Of a column. */
  readonly id: string;
  readonly descending: boolean;
}

/** As many as there is room for side by side. */
export function fittingColumns<C extends Pick<GridColumn<never>, "width" | "rank">>(
  columns: readonly C[],
  room: number,
): readonly C[] {
  const worst = columns.reduce((most, { rank = 0 }) => Math.max(most, rank), 0);
  if (worst === 0 || columns.reduce((sum, { width }) => sum + width, 0) <= room) return columns;
  return fittingColumns(
    columns.filter(({ rank }) => rank !== worst),
    room,
  );
}

/** The columns as a CSS grid. Where none grows, an empty last track does. */
export function gridTemplate(columns: readonly Pick<GridColumn<never>, "width" | "grow">[]): string {
  const tracks = columns.map(({ width, grow }) =>
    grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`,
  );
  return [...tracks, ...(columns.some(({ grow }) => grow !== undefined) ? [] : ["minmax(0, 1fr)"])].join(" ");
}

/** Where a column lies in a row too wide for the screen, in CSS pixels; the first column sticks. */
export function columnSpan(columns: readonly Pick<GridColumn<never>, "width">[], at: number) {
  const left = columns.slice(0, at).reduce((sum, { width }) => sum + width, 0);
  const sticking = columns[0]?.width ?? 0;
  return { left: at === 0 ? sticking : left, right: left + (columns[at]?.width ?? 0), sticking };
}
