/** The columns as TanStack Table keeps them: order, width, visibility, sorting. Rows are sorted by the engine. */
import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type SortingState,
} from "@tanstack/react-table";
import { useEffect, useMemo, useState } from "react";
import type { ViewRow } from "../../../core/open-set.ts";
import { COLUMNS, columnSpec, type ColumnSpec } from "./columns.ts";
import { gridTemplate, rememberLayout, storedLayout } from "./table-layout.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});
const helper = createColumnHelper<typeof features, ViewRow>();
const columns = helper.columns(
  COLUMNS.map(({ id, header, size, minSize, sort }) =>
    helper.display({ id, header, size, minSize, enableSorting: sort !== undefined, enableHiding: id !== "key" }),
  ),
);
/** Rows are shown by window and never pass through the table. */
const NO_ROWS: ViewRow[] = [];

export interface ShownColumn extends ColumnSpec {
  /** In CSS pixels; the target may be wider on screen. */
  readonly width: number;
}

export interface ManifestTable {
  readonly columns: readonly ShownColumn[];
  /** CSS `grid-template-columns` of every row. */
  readonly template: string;
  readonly width: number;
  /** All columns that may be hidden. */
  readonly hideable: readonly { readonly id: string; readonly header: string; readonly visible: boolean }[];
  readonly toggle: (column: string) => void;
  readonly resize: (column: string, width: number) => void;
  /** Back to the width that it has by default. */
  readonly resetWidth: (column: string) => void;
  /** Whether all filters are shown. */
  readonly more: boolean;
  readonly setMore: (more: boolean) => void;
}

/** `rendered`: rows have an origin. `ofRanges`: all of them are ranges, so that the column of states says nothing. */
export function useManifestTable(sorting: SortingState, rendered: boolean, ofRanges: boolean): ManifestTable {
  const [layout, setLayout] = useState(() => storedLayout(window.innerWidth, rendered));
  useEffect(() => {
    rememberLayout(layout, rendered);
  }, [layout, rendered]);
  const { sizing } = layout;
  const visibility: Readonly<Record<string, boolean>> = { state: !ofRanges, ...layout.visibility };
  const table = useTable({
    features,
    columns,
    data: NO_ROWS,
    manualSorting: true,
    state: { columnSizing: sizing, columnVisibility: visibility, sorting },
  });
  const visible = table.getVisibleLeafColumns();
  const shown = useMemo(
    () =>
      visible.flatMap((column): ShownColumn[] => {
        const spec = columnSpec(column.id);
        return spec === undefined ? [] : [{ ...spec, width: sizing[column.id] ?? spec.size }];
      }),
    [visible, sizing],
  );
  const setSizing = (sizing: Record<string, number>) => setLayout((layout) => ({ ...layout, sizing }));
  return {
    columns: shown,
    template: gridTemplate(
      shown.map(({ id, width }) => ({ id, size: width })),
      "target" in sizing,
    ),
    width: shown.reduce((sum, { width }) => sum + width, 0),
    hideable: table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => ({
        id: column.id,
        header: columnSpec(column.id)?.header ?? "",
        visible: column.getIsVisible(),
      })),
    toggle: (id) => {
      const hidden = visibility[id] === false;
      setLayout({ ...layout, visibility: { ...layout.visibility, [id]: hidden } });
    },
    resize: (id, width) => {
      const least = columnSpec(id)?.minSize ?? 40;
      setSizing({ ...sizing, [id]: Math.round(Math.max(least, Math.min(width, 2000))) });
    },
    resetWidth: (id) => setSizing(Object.fromEntries(Object.entries(sizing).filter(([column]) => column !== id))),
    more: layout.more,
    setMore: (more) => setLayout({ ...layout, more }),
  };
}
