/** The columns as TanStack Table keeps them: order, width, visibility, sorting. Rows are sorted by the engine. */
import {
  columnOrderingFeature,
  columnSizingFeature,
  type ColumnSizingState,
  columnVisibilityFeature,
  type ColumnVisibilityState,
  createColumnHelper,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useEffect, useMemo, useState } from "react";
import type { ViewRow } from "../../../core/open-set.ts";
import { remember, rememberedObject } from "../../../store/browser-storage.ts";
import { COLUMNS, columnSpec, type ColumnSpec } from "./columns.ts";

// Widths and visibility of the columns, remembered between visits.

/** Sets with templates or gen have a column more, and a layout of their own. */
const placeOf = (rendered: boolean): string => `refscope.manifest.1${rendered ? ".rendered" : ""}`;
const WIDEST = 4000;
/** Narrower windows start without the columns that repeat what others say: coordinates, then the end. */
const WIDE_WINDOW = 1440;
const NARROW_WINDOW = 1400;
const FROM_WIDTH = 128;

/** Below this all columns that are shown at first still fit side by side, if they start narrower. */
const SMALL_WINDOW = 1200;
const SMALL_WIDTHS: ColumnSizingState = { key: 72, state: 74, offset: 76, length: 66, read: 84 };

interface TableLayout {
  readonly sizing: ColumnSizingState;
  readonly visibility: ColumnVisibilityState;
  readonly more: boolean;
}

/** What was remembered, as far as it can be understood. `rendered`: rows have an origin. */
function storedLayout(windowWidth: number, rendered: boolean): TableLayout {
  const { sizing, visibility, more } = rememberedObject(placeOf(rendered));
  // What the column of origins takes.
  const width = rendered ? windowWidth - FROM_WIDTH : windowWidth;
  return {
    sizing: { ...(windowWidth < SMALL_WINDOW ? SMALL_WIDTHS : {}), ...picked(sizing, isWidth) },
    visibility: {
      coordinates: width > WIDE_WINDOW,
      end: width >= NARROW_WINDOW,
      from: rendered && windowWidth >= SMALL_WINDOW,
      ...picked(visibility, isBoolean),
    },
    more: more === true,
  };
}

function rememberLayout(layout: TableLayout, rendered: boolean): void {
  remember(placeOf(rendered), JSON.stringify(layout));
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isWidth = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 1 && value <= WIDEST;

function picked<T>(value: unknown, is: (value: unknown) => value is T): Record<string, T> {
  if (typeof value !== "object" || value === null) return {};
  const given = new Map<string, unknown>(Object.entries(value));
  const known = COLUMNS.flatMap(({ id }): [string, T][] => {
    const one = given.get(id);
    return is(one) ? [[id, one]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * The columns as a CSS grid. The target and what reading gave take what is left of the width until the target is sized by hand; from then on an
 * empty last track does.
 */
export function gridTemplate(
  columns: readonly { readonly id: string; readonly size: number }[],
  sized: boolean,
): string {
  const tracks = columns.map(({ id, size }) =>
    !sized && (id === "target" || id === "read")
      ? `minmax(${size}px, ${id === "target" ? "1fr" : "0.5fr"})`
      : `${size}px`,
  );
  const stretches = !sized && columns.some(({ id }) => id === "target");
  return [...tracks, ...(stretches ? [] : ["minmax(0, 1fr)"])].join(" ");
}

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
