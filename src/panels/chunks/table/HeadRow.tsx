/** The head of the manifest: names, sorting, and handles that size the columns. */
import type { SortingState } from "@tanstack/react-table";
import type { PointerEvent } from "react";
import { ariaSort } from "./sorting.ts";
import type { ManifestTable, ShownColumn } from "./use-manifest-table.ts";
import styles from "./TablePart.module.css";

export interface HeadRowProps {
  readonly id: string;
  readonly table: ManifestTable;
  readonly sorting: SortingState;
  readonly isArray: boolean;
  /** The column under the cursor, while the cursor is in the head. */
  readonly active: string | undefined;
  readonly onSort: (column: string) => void;
}

export function HeadRow({ id, table, sorting, isArray, active, onSort }: HeadRowProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: table.template }}>
      {table.columns.map((column, place) => (
        <div
          key={column.id}
          id={`${id}-${column.id}`}
          role="columnheader"
          aria-colindex={place + 1}
          {...(column.sort === undefined ? {} : { "aria-sort": ariaSort(sorting, isArray, column.id) })}
          className={styles.headCell}
          data-numeric={column.numeric}
          data-active={active === column.id}
        >
          <HeadName column={column} onSort={onSort} order={ariaSort(sorting, isArray, column.id)} />
          <SizeHandle column={column} table={table} />
        </div>
      ))}
    </div>
  );
}

const ARROW = { ascending: "↑", descending: "↓", none: "" } as const;

interface HeadNameProps {
  readonly column: ShownColumn;
  readonly order: keyof typeof ARROW;
  readonly onSort: (column: string) => void;
}

function HeadName({ column, order, onSort }: HeadNameProps) {
  const { id, header, meaning, sort } = column;
  if (sort === undefined) {
    return (
      <span className={styles.headName} title={meaning}>
        {header}
      </span>
    );
  }
  // Not in the tab order: the arrow keys of the grid lead to the head, and Enter sorts there.
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.headName}
      title={`${meaning}. Press to sort; Shift + ← or → on this header changes the width.`}
      onClick={() => onSort(id)}
    >
      {header}
      {ARROW[order] === "" ? null : <span aria-hidden="true"> {ARROW[order]}</span>}
    </button>
  );
}

/** Drags the column's right edge; a double click gives the default width back. */
function SizeHandle({ column, table }: { readonly column: ShownColumn; readonly table: ManifestTable }) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    // What is seen, not what is remembered: the target column may have been stretched.
    const width = handle.parentElement?.getBoundingClientRect().width ?? column.width;
    const start = event.clientX;
    const move = (moved: globalThis.PointerEvent) => table.resize(column.id, width + moved.clientX - start);
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  return (
    <span
      className={styles.handle}
      aria-hidden="true"
      title={`Drag to size ${column.header}; double-click for its usual width`}
      onPointerDown={onPointerDown}
      onDoubleClick={() => table.resetWidth(column.id)}
    />
  );
}
