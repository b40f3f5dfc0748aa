/** The table behind a grid: which columns are shown, in which order and how wide, and what sorts the rows. */
import {
  type ColumnOrderState,
  type ColumnSizingState,
  type ColumnVisibilityState,
  functionalUpdate,
  type RowData,
  type SortingState,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { type Dispatch, type SetStateAction, useMemo, useState } from "react";
import { LinkButton } from "../controls/Button.tsx";
import { countOf } from "../number-format.ts";
import { FEATURES, fittingColumns, type GridColumn } from "./columns.ts";

/** The user's layout of the columns. */
export interface GridLayout {
  /** Widths in CSS pixels of the columns that were sized. */
  readonly columnSizing: ColumnSizingState;
  readonly columnVisibility: ColumnVisibilityState;
  /** Ids; if empty, the order of the definitions holds. */
  readonly columnOrder: ColumnOrderState;
}

interface GridTableOptions<R extends RowData> {
  /** New ones draw all cells again. */
  readonly columns: readonly GridColumn<R>[];
  /** Storage of the layout, if not in the grid alone. */
  readonly layout?: readonly [GridLayout, Dispatch<SetStateAction<GridLayout>>];
  /** Columns that are hidden until the user shows them. */
  readonly hidden?: readonly string[];
  readonly sorting?: SortingState;
  readonly onSorting?: (sorting: SortingState) => void;
  /** A third press of a header takes the sorting back. */
  readonly unsorts?: boolean;
}

const AS_DEFINED: GridLayout = { columnSizing: {}, columnVisibility: {}, columnOrder: [] };
const UNSORTED: SortingState = [];
const NONE: readonly string[] = [];
/** Rows come by windows and are sorted by the engine: the table gets those in sight one by one. */
const NO_ROWS: readonly never[] = [];
const USUAL_COLUMN = { minSize: 56, maxSize: 2000, enableSorting: false, sortDescFirst: false };

const limited = (size: number) => Math.min(Math.max(size, USUAL_COLUMN.minSize), USUAL_COLUMN.maxSize);

export type Grid<R extends RowData> = ReturnType<typeof useGridTable<R>>;

export function useGridTable<R extends RowData>(options: GridTableOptions<R>) {
  const { columns, hidden = NONE, sorting = UNSORTED, onSorting, unsorts = false } = options;
  const own = useState(AS_DEFINED);
  const [layout, setLayout] = options.layout ?? own;
  const [room, onRoom] = useState(Infinity);
  const [scrolls, setScrolls] = useState(false);
  const { columnSizing, columnOrder } = layout;
  const chosen = useMemo(() => {
    const shown: ColumnVisibilityState = {
      ...Object.fromEntries(hidden.map((id) => [id, false])),
      ...layout.columnVisibility,
    };
    return columns
      .filter(({ id }) => shown[id] !== false)
      .map(({ id, header, meta, size = 0 }) => ({
        id,
        header: String(header),
        rank: meta?.rank,
        size: limited(columnSizing[id] ?? size),
      }));
  }, [columns, hidden, layout.columnVisibility, columnSizing]);
  const fitted = useMemo(() => fittingColumns(chosen, room), [chosen, room]);
  const shown = scrolls ? chosen : fitted;
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ id }) => [id, shown.some((one) => one.id === id)])),
    [columns, shown],
  );
  const change =
    <K extends keyof GridLayout>(part: K) =>
    (next: Updater<GridLayout[K]>) =>
      setLayout((before) => ({ ...before, [part]: functionalUpdate(next, before[part]) }));
  const table = useTable({
    features: FEATURES,
    columns,
    data: NO_ROWS,
    defaultColumn: USUAL_COLUMN,
    state: { columnOrder, columnSizing, columnVisibility, sorting },
    onColumnOrderChange: change("columnOrder"),
    onColumnSizingChange: change("columnSizing"),
    onColumnVisibilityChange: change("columnVisibility"),
    onSortingChange: (next) => onSorting?.(functionalUpdate(next, sorting)),
    columnResizeMode: "onChange",
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: unsorts,
  });
  const all = table.getAllLeafColumns();
  return {
    table,
    columns: all,
    /** Columns that are wanted, whether or not there is room for them. */
    chosen: all.filter(({ id }) => chosen.some((one) => one.id === id)),
    /** Those of them for which there is no room. */
    left: chosen.filter((one) => !fitted.includes(one)),
    /** Width that there is for a row. */
    onRoom,
    scrolls,
    setScrolls,
  };
}

export function MoreColumns({ left, scrolls, setScrolls }: Pick<Grid<never>, "left" | "scrolls" | "setScrolls">) {
  if (left.length === 0) return null;
  const names = left.map(({ header }) => header).join(", ");
  return (
    <LinkButton
      aria-pressed={scrolls}
      title={scrolls ? "Shows only the columns that fit" : `No room for ${names}. Press to show all columns and scroll`}
      onClick={() => setScrolls(!scrolls)}
    >
      {scrolls ? "Fit columns" : `+${countOf(left.length, "column")}`}
    </LinkButton>
  );
}
