/** A table whose rows are all here: sorted by its heads, its columns chosen and moved, copied as text. */
import { useTable } from "@tanstack/react-table";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { CopyButton, QuietButton } from "../controls/Button.tsx";
import { moveColumn } from "../data-grid/columns.ts";
import { MoreRows } from "../notes/part-notes.tsx";
import { columnDef, SORTED_FEATURES, tableText } from "./model.ts";
import type { ModelColumn, ModelRow, SmallColumn, SmallModel } from "./model.ts";
import styles from "./SmallTable.module.css";

/** Attributes of a row beside its cells. */
interface RowLook {
  readonly title?: string | undefined;
  readonly "aria-current"?: boolean | undefined;
  readonly [data: `data-${string}`]: string | boolean | undefined;
}

interface SmallTableProps<R extends object> {
  /** Name of the table, unless another element has it (`labelledBy`) or the heading before it is enough. */
  readonly label?: string;
  readonly labelledBy?: string;
  /** New ones make a new model. */
  readonly columns: readonly SmallColumn<R>[];
  /** Rows in their order while nothing is sorted. */
  readonly rows: readonly R[];
  /** Default: its place. */
  readonly rowKey?: (row: R) => string;
  readonly look?: (row: R) => RowLook;
  /** Contents below an opened row. */
  readonly details?: (row: R) => ReactNode;
  /** Rows at a time; default: all. */
  readonly step?: number;
  /** Scrolls within itself, below its head. */
  readonly tall?: boolean;
  readonly className?: string | undefined;
}

export function SmallTable<R extends object>(props: SmallTableProps<R>) {
  const { label, labelledBy, columns, rows, rowKey, step = Infinity, tall = false, className = "" } = props;
  const [limit, setLimit] = useState(step);
  const [open, setOpen] = useState(false);
  const table = useTable({
    features: SORTED_FEATURES,
    columns: useMemo(() => columns.map(columnDef), [columns]),
    data: rows,
    enableMultiSort: false,
    ...(rowKey === undefined ? {} : { getRowId: rowKey }),
  });
  const shown = table.getRowModel().rows.slice(0, limit);
  return (
    <div className={styles.frame}>
      {open ? <Tools table={table} /> : null}
      <div className={styles.scroll} data-tall={tall}>
        <table className={`${styles.table} ${className}`} aria-label={label} aria-labelledby={labelledBy}>
          <Heads table={table} open={open} onOpen={() => setOpen(!open)} />
          <Rows {...props} shown={shown} />
        </table>
      </div>
      <MoreRows shown={limit} total={rows.length} step={step} onMore={setLimit} />
    </div>
  );
}

interface HeadsProps<R extends object> {
  readonly table: SmallModel<R>;
  readonly open: boolean;
  readonly onOpen: () => void;
}

function Heads<R extends object>({ table, open, onOpen }: HeadsProps<R>) {
  const columns = table.getVisibleLeafColumns();
  const place = columns.findIndex(({ columnDef }) => columnDef.meta?.names === true);
  const tools = (
    <QuietButton
      className={styles.more}
      aria-label="Columns and copying"
      title="Columns and copying"
      aria-expanded={open}
      onClick={onOpen}
    >
      ⋯
    </QuietButton>
  );
  const onMove = (id: string, by: number) => {
    const to = columns[columns.findIndex((column) => column.id === id) + by];
    if (to !== undefined) moveColumn(table, id, to.id);
  };
  return (
    <thead>
      <tr>
        {columns.map((column, at) => (
          <Head key={column.id} column={column} tools={at === Math.max(0, place) ? tools : null} onMove={onMove} />
        ))}
      </tr>
    </thead>
  );
}

const SORTED = { asc: "ascending", desc: "descending" } as const;
const MOVES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

interface HeadProps<R extends object> {
  readonly column: ModelColumn<R>;
  readonly tools: ReactNode;
  readonly onMove: (id: string, by: number) => void;
}

/**
 * Sorts when pressed; Alt with an arrow moves the column. The head itself takes the focus, as in grids: a button in it
 * would have the name of what it heads ("Share"), which buttons of the page have as well.
 */
function Head<R extends object>({ column, tools, onMove }: HeadProps<R>) {
  const { header, meta } = column.columnDef;
  const name = String(header);
  const sorted = column.getIsSorted();
  const sorts = column.getCanSort();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const by = event.altKey ? MOVES[event.key] : undefined;
    const isPress = event.key === "Enter" || event.key === " ";
    if (by === undefined && !isPress) return;
    event.preventDefault();
    if (by === undefined) column.toggleSorting();
    else onMove(column.id, by);
  };
  return (
    <th
      scope="col"
      aria-label={tools === null ? undefined : name}
      aria-sort={sorted === false ? undefined : SORTED[sorted]}
      style={{ width: meta?.width }}
      title={meta?.title}
      {...cellLook(column)}
      {...(sorts
        ? { tabIndex: 0, onKeyDown, onClick: (event: MouseEvent) => isOn(event) && column.toggleSorting() }
        : {})}
    >
      <span className={sorts ? styles.sort : meta?.unseen === true ? "unseen" : undefined}>{name}</span>
      {tools}
    </th>
  );
}

/** True if a press is on the head itself, not on a button in it. */
const isOn = ({ target }: MouseEvent) => !(target instanceof Element) || target.closest("button") === null;

const cellLook = <R extends object>({ columnDef: { meta } }: ModelColumn<R>) => ({
  "data-numeric": meta?.numeric,
  "data-rank": meta?.rank,
  "data-room": meta?.room,
  "data-does": meta?.unseen,
});

interface RowsProps<R extends object> extends Pick<SmallTableProps<R>, "look" | "details"> {
  readonly shown: readonly ModelRow<R>[];
}

/** A row that may have details is one body with them. */
function Rows<R extends object>({ shown, look, details }: RowsProps<R>) {
  if (details === undefined)
    return (
      <tbody>
        {shown.map((row) => (
          <tr key={row.id} {...look?.(row.original)}>
            <Cells row={row} />
          </tr>
        ))}
      </tbody>
    );
  return shown.map((row) => {
    const opened = details(row.original);
    const { "aria-current": current, ...data } = look?.(row.original) ?? {};
    return (
      <tbody key={row.id} data-opened={opened !== undefined} {...data}>
        <tr aria-current={current}>
          <Cells row={row} />
        </tr>
        {opened === undefined ? null : (
          <tr className={styles.details}>
            <td colSpan={row.getVisibleCells().length}>{opened}</td>
          </tr>
        )}
      </tbody>
    );
  });
}

function Cells<R extends object>({ row }: { readonly row: ModelRow<R> }) {
  return row.getVisibleCells().map((cell) => {
    const { cell: draw, meta } = cell.column.columnDef;
    const Cell = meta?.names === true ? "th" : "td";
    return (
      <Cell key={cell.id} scope={meta?.names === true ? "row" : undefined} {...cellLook(cell.column)}>
        {/* Called, not rendered: as a component it would lose its state whenever columns are made anew. */}
        {typeof draw === "function" ? draw(cell.getContext()) : draw}
      </Cell>
    );
  });
}

/** Up to so many columns there is nothing to choose. */
const FEW_COLUMNS = 3;

/** Above the table while they are opened: copying, the columns in sight, and the way back to how the table was. */
function Tools<R extends object>({ table }: { readonly table: SmallModel<R> }) {
  const columns = table.getAllLeafColumns().filter(({ accessorFn }) => accessorFn !== undefined);
  return (
    <div role="group" aria-label="Columns and copying" className={styles.tools}>
      <CopyButton what="as TSV" label text={() => tableText(table)} />
      {columns.length <= FEW_COLUMNS
        ? null
        : columns.map((column) => (
            <label key={column.id}>
              <input
                type="checkbox"
                checked={column.getIsVisible()}
                disabled={!column.getCanHide()}
                onChange={column.getToggleVisibilityHandler()}
              />
              {String(column.columnDef.header)}
            </label>
          ))}
      <QuietButton
        title="All columns in their first order, unsorted. Alt+← and Alt+→ in a head move its column."
        onClick={() => table.reset()}
      >
        Reset
      </QuietButton>
    </div>
  );
}
