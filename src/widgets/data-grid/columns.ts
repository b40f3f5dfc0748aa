/** The columns of a grid, as a table. */
import {
  type Column,
  type ColumnDef,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  metaHelper,
  type RowData,
  rowSortingFeature,
  type Table,
  tableFeatures,
} from "@tanstack/react-table";

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

/** Features of TanStack Table that tables use. Tables that sort their own rows add `sortedRowModel` and `sortFns`. */
export const FEATURES = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

type Features = typeof FEATURES;

/** A column of a grid. Text of its cells, for copying and as their name, is what the accessor gives. */
export type GridColumn<R extends RowData> = ColumnDef<Features, R> & { readonly id: string; readonly header: string };

/** The same in a table, which knows whether, where and how wide it is shown. */
export type TableColumn<R extends RowData> = Column<Features, R>;

export const nameOf = <R extends RowData>({ columnDef }: TableColumn<R>): string => String(columnDef.header);

/** Text of a cell, if its column has an accessor. */
export function textOf<R extends RowData>({ accessorFn }: TableColumn<R>, row: R): string {
  const value = accessorFn?.(row, 0);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export type GridTable<R extends RowData> = Pick<
  Table<Features, R>,
  "getAllLeafColumns" | "getVisibleLeafColumns" | "getFlatHeaders" | "getTotalSize" | "setColumnOrder" | "options"
>;

interface Fitting {
  /** CSS pixels. */
  readonly size: number;
  readonly rank?: number | undefined;
}

/** Columns that have room side by side. */
export function fittingColumns<C extends Fitting>(columns: readonly C[], room: number): readonly C[] {
  const worst = columns.reduce((most, { rank = 0 }) => Math.max(most, rank), 0);
  if (worst === 0 || columns.reduce((sum, { size }) => sum + size, 0) <= room) return columns;
  return fittingColumns(
    columns.filter(({ rank }) => rank !== worst),
    room,
  );
}

/**
 * The shown columns as a CSS grid. Some share the width that is left until the one that grows most is hidden or sized
 * by hand. If none grows, an empty last track does.
 */
export function gridTemplate<R extends RowData>(table: GridTable<R>): string {
  const growth = ({ columnDef }: TableColumn<R>) => columnDef.meta?.grow ?? 0;
  const sized = table.options.state?.columnSizing ?? {};
  const most = Math.max(...table.getAllLeafColumns().map(growth));
  const shown = table.getVisibleLeafColumns();
  const growing = shown.filter((column) => growth(column) > 0 && !Object.hasOwn(sized, column.id));
  const stretches = growing.some((column) => growth(column) === most);
  const tracks = shown.map((column) =>
    stretches && growing.includes(column)
      ? `minmax(${column.getSize()}px, ${growth(column)}fr)`
      : `${column.getSize()}px`,
  );
  return [...tracks, ...(stretches ? [] : ["minmax(0, 1fr)"])].join(" ");
}

interface OrderedColumns {
  readonly getAllLeafColumns: () => readonly { readonly id: string }[];
  readonly setColumnOrder: (ids: string[]) => void;
}

/** Puts a column where another is; those between make room, hidden ones keep their place. */
export function moveColumn(table: OrderedColumns, id: string, to: string): void {
  const order = table.getAllLeafColumns().map((column) => column.id);
  const place = order.indexOf(to);
  table.setColumnOrder(order.filter((one) => one !== id).toSpliced(place, 0, id));
}
