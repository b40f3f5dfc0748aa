/** The grid "Version 0": the rendered references in the order of their keys. Focus stays on the grid. */
import {
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import type { VersionRow } from "../../core/studio.ts";
import { useCommand } from "../../store/react.tsx";
import { movedRow } from "../../widgets/roving.ts";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/ScaledRows.tsx";
import type { RowRange } from "../../widgets/scaled-rows.ts";
import { useDelayed } from "../../widgets/use-delayed.ts";
import { versionRowAt, type RowsSnapshot, type VersionRowSource } from "./version-rows.ts";
import { VersionGridRow } from "./VersionGridRow.tsx";
import { ROW_COLUMNS } from "./row-columns.ts";
import styles from "./VersionPanel.module.css";

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const LEAST_WIDTH = 704;

export interface VersionGridProps {
  readonly rows: RowsSnapshot;
  readonly source: VersionRowSource;
  /** Key of the row that is looked at. */
  readonly selected: string | undefined;
  /** Brings the row of this index into sight; a new object each time it is asked. */
  readonly show: { readonly index: number } | undefined;
  readonly onSelect: (row: VersionRow) => void;
  /** Escape: no row is looked at any more, nor its chunk. */
  readonly onLeave: () => void;
}

export function VersionGrid({ rows, source, selected, show, onSelect, onLeave }: VersionGridProps) {
  const id = useId();
  const list = useRef<ScaledRowsHandle>(null);
  useCommand("focus-result", () => list.current?.focus());
  const { at, onKeyDown, onClick } = useRowCursor({ rows, show, selected, onSelect, onLeave, list });
  const onSeen = useCallback(
    ({ from, to }: RowRange) => {
      source.want(from, to);
    },
    [source],
  );
  const renderRow = (index: number, top: number) => {
    const row = versionRowAt(rows, index);
    const isSelected = row !== undefined && row.key === selected;
    const rowId = `${id}-${index}`;
    return (
      <VersionGridRow
        key={index}
        id={rowId}
        index={index}
        top={top}
        row={row}
        selected={isSelected}
        active={index === at}
      />
    );
  };
  return (
    <ScaledRows
      handle={list}
      rows={rows.total}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      width={LEAST_WIDTH}
      onSeen={onSeen}
      head={<Head />}
      renderRow={renderRow}
      attributes={{
        role: "grid",
        "aria-label": "Version 0",
        "aria-rowcount": rows.total + 1,
        "aria-colcount": ROW_COLUMNS.length,
        "aria-busy": rows.stale,
        "aria-activedescendant": `${id}-${at}`,
        tabIndex: 0,
        className: styles.grid,
        onKeyDown,
        onClick,
      }}
    />
  );
}

interface RowCursorOptions extends Pick<VersionGridProps, "rows" | "show" | "selected" | "onSelect" | "onLeave"> {
  readonly list: RefObject<ScaledRowsHandle | null>;
}

/** The row under the keyboard's cursor. */
function useRowCursor({ rows, show, selected, onSelect, onLeave, list }: RowCursorOptions) {
  const [cursor, setCursor] = useState(0);
  const [shown, setShown] = useState(show);
  if (shown !== show) {
    setShown(show);
    if (show !== undefined) setCursor(show.index);
  }
  useEffect(() => {
    if (show !== undefined) list.current?.show(show.index, "centre");
  }, [show, list]);
  const at = Math.max(0, Math.min(cursor, rows.total - 1));
  // The details that open below take room from the rows.
  useDelayed(selected, selected === undefined ? undefined : 60, () => list.current?.show(at, "nearest"));
  const select = (index: number) => {
    const row = versionRowAt(rows, index);
    if (row !== undefined) onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") select(at);
    else if (event.key === "Escape") onLeave();
    else {
      const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
      const to = movedRow(press, at, rows.total, list.current?.rowsPerPage() ?? 20);
      if (to === undefined) return;
      setCursor(to);
      list.current?.show(to, "nearest");
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset.row;
    if (row === undefined) return;
    setCursor(Number(row));
    select(Number(row));
  };
  return { at, onKeyDown, onClick };
}

function Head() {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {ROW_COLUMNS.map(({ id, header, title, numeric }, place) => (
        <div
          key={id}
          role="columnheader"
          aria-colindex={place + 1}
          className={styles.headCell}
          data-numeric={numeric}
          title={title}
        >
          {header}
        </div>
      ))}
    </div>
  );
}
