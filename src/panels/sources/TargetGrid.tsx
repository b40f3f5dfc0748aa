/** The grid "Targets": rows as they come into sight. Focus stays on the grid; its head sorts. */
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import type { SourceColumn, SourceRow, SourcesSpec } from "../../core/check/sources.ts";
import { useEngine } from "../../store/react.tsx";
import { type AxesByArray, useAxesByArray } from "../../store/hooks/use-axes-by-array.ts";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/values/ScaledRows.tsx";
import { formatBytes, formatCount, formatExactBytes, formatShare } from "../../widgets/number-format.ts";
import { movedRow } from "../../widgets/controls/roving.ts";
import { useExplain } from "../../widgets/notes/use-explain.ts";
import styles from "./TargetGrid.module.css";
import { TargetName } from "./TargetName.tsx";
import { arrayName, arrayNames, boxWords } from "./array-words.ts";
import { askedWords } from "./source-words.ts";
import type { TargetRows } from "./use-target-rows.ts";

// The columns of the list of targets; their widths are in its style sheet.

interface TargetColumn {
  readonly id: "target" | "references" | "bytes" | "share" | "covers" | "asked";
  readonly header: string;
  readonly title: string;
  readonly numeric: boolean;
  /** What it is sorted by; absent where it is not. */
  readonly sort?: SourceColumn;
}

const TARGET_COLUMNS: readonly TargetColumn[] = [
  { id: "target", header: "Target", title: "The URL as references name it", numeric: false, sort: "target" },
  { id: "references", header: "References", title: "References into it", numeric: true, sort: "references" },
  { id: "bytes", header: "Bytes", title: "Sum of its ranges", numeric: true, sort: "bytes" },
  { id: "share", header: "Share", title: "Of the bytes that the set refers to", numeric: true },
  {
    id: "covers",
    header: "Arrays and where",
    title: "Arrays with chunks in it, and the part of the first one",
    numeric: false,
    sort: "arrays",
  },
  { id: "asked", header: "Status", title: "Result of checking the source", numeric: false },
];

/** Numbers begin with the most, names with the first; the next press turns it round. */
function nextSort(sort: SourcesSpec["sort"], column: SourceColumn): SourcesSpec["sort"] {
  if (sort.column === column) return { column, descending: !sort.descending };
  return { column, descending: column !== "target" };
}

const ariaSort = (sort: SourcesSpec["sort"], column: SourceColumn): "ascending" | "descending" | "none" =>
  sort.column !== column ? "none" : sort.descending ? "descending" : "ascending";

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const LEAST_WIDTH = 720;

export interface TargetGridProps {
  readonly set: SetSummary;
  readonly rows: TargetRows;
  readonly spec: SourcesSpec;
  readonly onSpec: (spec: SourcesSpec) => void;
  /** Bytes that the whole set refers to. */
  readonly allBytes: number;
  /** The target that is shown below. */
  readonly selected: string | null | undefined;
  readonly onSelect: (target: string | null) => void;
}

export function TargetGrid({ set, rows, spec, onSpec, allBytes, selected, onSelect }: TargetGridProps) {
  const id = useId();
  const list = useRef<ScaledRowsHandle>(null);
  const total = rows.total ?? 0;
  const [cursor, setCursor] = useState(0);
  const at = Math.max(0, Math.min(cursor, total - 1));
  useSelectedInSight({ set: set.id, spec, selected }, (index) => {
    setCursor(index);
    list.current?.show(index, "centre");
  });
  const axes = useAxesByArray(
    set.id,
    rows.rows.flatMap(({ arrays: [first] }) => (first === undefined ? [] : [first.array])),
  );
  const handlers = useHandlers({ rows, total, at, setCursor, onSelect, list });
  return (
    <ScaledRows
      handle={list}
      rows={total}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      width={LEAST_WIDTH}
      onSeen={rows.want}
      head={<TargetHead sort={spec.sort} onSort={(sort) => onSpec({ ...spec, sort })} />}
      renderRow={(index, top) => {
        const row = rows.at(index);
        return (
          <TargetRow
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={top}
            row={row}
            nodes={set.nodes}
            axes={axes}
            allBytes={allBytes}
            selected={row !== undefined && row.target === selected}
            active={index === at}
          />
        );
      }}
      attributes={{
        role: "grid",
        "aria-label": "Targets",
        "aria-rowcount": total + 1,
        "aria-colcount": TARGET_COLUMNS.length,
        "aria-busy": rows.answer.stale,
        "aria-activedescendant": `${id}-${at}`,
        tabIndex: 0,
        className: styles.grid,
        ...handlers,
      }}
    />
  );
}

interface HandlerInput extends Pick<TargetGridProps, "rows" | "onSelect"> {
  readonly total: number;
  /** The row that keys are at. */
  readonly at: number;
  readonly setCursor: (row: number) => void;
  readonly list: RefObject<ScaledRowsHandle | null>;
}

function useHandlers({ rows, total, at, setCursor, onSelect, list }: HandlerInput) {
  const select = (index: number) => {
    const row = rows.at(index);
    if (row !== undefined) onSelect(row.target);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") select(at);
    else {
      const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
      const to = movedRow(press, at, total, list.current?.rowsPerPage() ?? 10);
      if (to === undefined) return;
      setCursor(to);
      list.current?.show(to, "nearest");
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (row === undefined) return;
    setCursor(Number(row));
    select(Number(row));
  };
  return { onKeyDown, onClick };
}

interface InSight {
  readonly set: number;
  readonly spec: SourcesSpec;
  readonly selected: string | null | undefined;
}

/** A target that was selected elsewhere, by a link or a chunk, is brought into sight; once a target and order. */
function useSelectedInSight({ set, spec, selected }: InSight, show: (index: number) => void): void {
  const found = useEngine("sources.find", selected === undefined ? undefined : { set, spec, target: selected });
  const index = found.stale ? undefined : found.last?.data;
  const onFound = useEffectEvent(show);
  useEffect(() => {
    if (index !== undefined && index >= 0) onFound(index);
  }, [index]);
}

const ARROW = { ascending: "↑", descending: "↓", none: "" } as const;

interface TargetHeadProps {
  readonly sort: SourcesSpec["sort"];
  readonly onSort: (sort: SourcesSpec["sort"]) => void;
}

/** Names of the columns; those that sort are buttons. */
function TargetHead({ sort, onSort }: TargetHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {TARGET_COLUMNS.map(({ id, header, title, numeric, sort: column }, place) => {
        const order = column === undefined ? "none" : ariaSort(sort, column);
        return (
          <div
            key={id}
            role="columnheader"
            aria-colindex={place + 1}
            {...(column === undefined ? {} : { "aria-sort": order })}
            className={styles.headCell}
            data-numeric={numeric}
          >
            {column === undefined ? (
              <span title={title}>{header}</span>
            ) : (
              <button type="button" title={`${title}. Press to sort.`} onClick={() => onSort(nextSort(sort, column))}>
                {header}
                {order === "none" ? null : <span aria-hidden="true"> {ARROW[order]}</span>}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

// One target of the list. While it is on the way its cells are there and empty, so that nothing moves.

interface CellsProps {
  readonly row: SourceRow | undefined;
  readonly nodes: readonly NodeSummary[];
  readonly axes: AxesByArray;
  readonly allBytes: number;
}

interface TargetRowProps extends CellsProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  readonly active: boolean;
}

function TargetRow({ id, index, top, selected, active, ...cells }: TargetRowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={styles.row}
      data-row={index}
      data-active={active}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Cells {...cells} />
    </div>
  );
}

const Cells = memo(function Cells({ row, ...more }: CellsProps) {
  return TARGET_COLUMNS.map(({ id, numeric }, place) => (
    <div
      key={id}
      role={id === "target" ? "rowheader" : "gridcell"}
      aria-colindex={place + 1}
      className={styles.cell}
      data-column={id}
      data-numeric={numeric}
    >
      {row === undefined ? (
        <span className={styles.coming} aria-hidden="true" />
      ) : (
        <Cell row={row} column={id} {...more} />
      )}
    </div>
  ));
});

interface CellProps extends CellsProps {
  readonly row: SourceRow;
  readonly column: TargetColumn["id"];
}

function Cell({ row, column, nodes, axes, allBytes }: CellProps) {
  switch (column) {
    case "target":
      return <TargetName target={row.target} />;
    case "references":
      return formatCount(row.references);
    case "bytes":
      return row.whole === row.references ? (
        <span title="References to the whole file; no range gives its length.">whole</span>
      ) : (
        <span title={formatExactBytes(row.bytes)}>{formatBytes(row.bytes)}</span>
      );
    case "share":
      return row.bytes === 0 ? "–" : formatShare(row.bytes, allBytes);
    case "covers":
      return <Covers row={row} nodes={nodes} axes={axes} />;
    case "asked":
      return <Asked row={row} />;
  }
}

function Covers({ row: { arrays, arrayCount }, nodes, axes }: Pick<CellProps, "row" | "nodes" | "axes">) {
  const lines = arrays.map((one) => {
    const node = nodes.find(({ path }) => path === one.array);
    return [one, boxWords(one, node, axes.get(one.array))] as const;
  });
  const title = lines.map(([{ array }, words]) => `${arrayName(array)}: ${words}`).join("\n");
  return (
    <span title={title}>
      {arrayNames(arrays, arrayCount)} <span className={styles.quiet}>{lines[0]?.[1]}</span>
    </span>
  );
}

function Asked({ row: { asked } }: { readonly row: SourceRow }) {
  const { tone, sign, text } = askedWords(asked, useExplain());
  return (
    <span className={styles.asked} data-tone={tone} title={text}>
      <span aria-hidden="true">{sign}</span> {text}
    </span>
  );
}
