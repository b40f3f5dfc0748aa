/** The row model of the page's small tables: columns with values to sort by, and all of it as text. */
import { createSortedRowModel, metaHelper, tableFeatures } from "@tanstack/react-table";
import type { Column, ColumnDef, Row, RowData, Table } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { delimitedLine } from "#core/delimited.ts";
import { type ColumnLook, FEATURES } from "../data-grid/columns.ts";
import { formatCount } from "../number-format.ts";

type Value = string | number | undefined;

interface SmallColumnLook extends Omit<ColumnLook, "grow" | "labelled" | "copied"> {
  /** `rest`: takes the room that is left, and cuts its text; `wrap`: breaks its text into lines. */
  readonly room?: "rest" | "wrap";
  /** Width in CSS; default: as wide as the content. */
  readonly width?: string;
  /** The header is only for screen readers. */
  readonly unseen?: boolean;
}

export interface SmallColumn<R> extends SmallColumnLook {
  readonly id: string;
  readonly header: string;
  /** Value by which rows are sorted, and which is copied; a column without it only shows something or acts. */
  readonly value?: (row: R) => Value;
  readonly sorts?: boolean;
  /** Contents of the cell; default: the value. */
  readonly cell?: (row: R) => ReactNode;
}

export const SORTED_FEATURES = tableFeatures({
  ...FEATURES,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<SmallColumnLook>(),
});

export type SmallModel<R extends RowData> = Table<typeof SORTED_FEATURES, R>;
export type ModelColumn<R extends RowData> = Column<typeof SORTED_FEATURES, R>;
export type ModelRow<R extends RowData> = Row<typeof SORTED_FEATURES, R>;

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Numbers by size, all else as text in which numbers count as such. */
const compared = (one: Value, other: Value): number =>
  typeof one === "number" && typeof other === "number" ? one - other : COLLATOR.compare(String(one), String(other));

/** A value that is not known or empty is last, whichever way the column is sorted. */
const known = (value: Value): Value => (value === "" || Number.isNaN(value) ? undefined : value);

export function columnDef<R extends RowData>(column: SmallColumn<R>): ColumnDef<typeof SORTED_FEATURES, R> {
  const { id, header, value, cell, sorts = true, ...meta } = column;
  return {
    id,
    header,
    meta,
    ...(value === undefined ? {} : { accessorFn: (row: R) => known(value(row)) }),
    enableSorting: sorts,
    enableHiding: value !== undefined && meta.names !== true,
    sortDescFirst: meta.numeric === true,
    sortUndefined: "last",
    sortFn: (one, other, by) => compared(one.getValue(by), other.getValue(by)),
    cell: ({ row }) => (cell === undefined ? shown(value?.(row.original)) : cell(row.original)),
  };
}

const shown = (value: Value): ReactNode => (typeof value === "number" ? formatCount(value) : (value ?? "–"));

/** The columns in sight with all rows in their order, as tab-separated text. */
export function tableText<R extends RowData>(table: SmallModel<R>): string {
  const columns = table.getVisibleLeafColumns().filter(({ accessorFn }) => accessorFn !== undefined);
  const lines = [
    columns.map(({ columnDef: { header } }) => String(header)),
    ...table.getRowModel().rows.map((row) => columns.map(({ id }) => String(row.getValue<Value>(id) ?? ""))),
  ];
  return lines.map((line) => `${delimitedLine(line, "\t")}\n`).join("");
}
