/** The grid "Version 0": the rendered references in the order of their keys. Focus stays on the grid. */
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { originText } from "../../core/words/origin-words.ts";
import type { VersionRow } from "../../core/studio.ts";
import { useCommand } from "../../store/react.tsx";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/values/ScaledRows.tsx";
import { StateMark } from "../../widgets/notes/StateMark.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { movedRow } from "../../widgets/controls/roving.ts";
import type { RowRange } from "../../widgets/values/scaled-rows.ts";
import { useDelayed } from "../../widgets/notes/use-delayed.ts";
import { useMessage } from "../../widgets/notes/use-explain.ts";
import styles from "./VersionPanel.module.css";
import { READER_NAMES, READERS, rowWords, TONE_SIGN, valueText } from "./reader-words.ts";
import { type RowsSnapshot, versionRowAt, type VersionRowSource } from "./version-rows.ts";

/** The columns of the grid "Version 0"; their widths are in its style sheet. */
interface RowColumn {
  readonly id: "key" | "target" | "offset" | "length" | "from" | "readers";
  readonly header: string;
  readonly title: string;
  readonly numeric: boolean;
}

const ROW_COLUMNS: readonly RowColumn[] = [
  { id: "key", header: "Key", title: "In the order of fsspec's dict", numeric: false },
  {
    id: "target",
    header: "Target",
    title: "URL as rendered; for inline values and metadata, their text",
    numeric: false,
  },
  { id: "offset", header: "Offset", title: "Bytes", numeric: true },
  { id: "length", header: "Length", title: "Bytes", numeric: true },
  { id: "from", header: "From", title: "What made the reference: refs, or a gen and its values", numeric: false },
  { id: "readers", header: "Other readers", title: "Which other readers read this key differently", numeric: false },
];

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

// One row in sight. While it is on the way its cells are there and empty, so that nothing moves.

interface VersionGridRowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: VersionRow | undefined;
  readonly selected: boolean;
  readonly active: boolean;
}

function VersionGridRow({ id, index, top, row, selected, active }: VersionGridRowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={styles.row}
      data-row={index}
      data-active={active}
      data-change={row?.change}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Cells row={row} />
    </div>
  );
}

const Cells = memo(function Cells({ row }: { readonly row: VersionRow | undefined }) {
  return ROW_COLUMNS.map(({ id, numeric }, place) => (
    <div
      key={id}
      role={id === "key" ? "rowheader" : "gridcell"}
      aria-colindex={place + 1}
      className={styles.cell}
      data-column={id}
      data-numeric={numeric}
    >
      {row === undefined ? <span className={styles.coming} aria-hidden="true" /> : <Cell row={row} column={id} />}
    </div>
  ));
});

const CHANGE_WORDS = { added: "new: not in the document as opened", changed: "changed", removed: "removed" } as const;

function Cell({ row, column }: { readonly row: VersionRow; readonly column: RowColumn["id"] }) {
  switch (column) {
    case "key": {
      const change = row.change === undefined ? "" : ` (${CHANGE_WORDS[row.change]})`;
      return (
        <span className={styles.key} title={`${row.key}${change}`}>
          <bdi dir="ltr">{row.key}</bdi>
        </span>
      );
    }
    case "target":
      return <Target row={row} />;
    case "offset":
    case "length": {
      const bytes = row[column];
      return bytes === undefined ? null : <span title={`${formatCount(bytes)} bytes`}>{formatCount(bytes)}</span>;
    }
    case "from": {
      const words = originText(row.origin);
      return <span title={words}>{words}</span>;
    }
    case "readers":
      return <Readers row={row} />;
  }
}

function Target({ row }: { readonly row: VersionRow }) {
  const { state, target, reasons } = row;
  const reason = useMessage(...reasons);
  const text = state === "bad" ? (reason ?? "cannot be understood") : (target ?? "null URL");
  const isUrl = (state === "range" || state === "whole") && target !== null;
  const [head, tail] = isUrl ? urlParts(target) : [text, ""];
  return (
    <span className={styles.target} data-state={state} title={text}>
      <StateMark state={state} />
      <span className={styles.targetText}>
        <span className={styles.targetHead}>{head}</span>
        {tail === "" ? null : (
          <span className={styles.targetTail}>
            <bdi dir="ltr">{tail}</bdi>
          </span>
        )}
      </span>
    </span>
  );
}

/** URLs are cut before their last part, which tells them apart. */
function urlParts(url: string): readonly [string, string] {
  const at = Math.max(url.lastIndexOf("/", url.length - 2), url.length - 36, 0);
  return [url.slice(0, at), url.slice(at)];
}

function Readers({ row }: { readonly row: VersionRow }) {
  const [first, ...others] = rowWords(row);
  if (first === undefined) return null;
  const title = READERS.map((reader) => `${READER_NAMES[reader]}: ${valueText(row[reader])}`).join("\n");
  return (
    <span className={styles.readers} data-tone={first.tone} title={title}>
      <span aria-hidden="true">{TONE_SIGN[first.tone]}</span> {[first, ...others].map(({ short }) => short).join(", ")}
    </span>
  );
}
