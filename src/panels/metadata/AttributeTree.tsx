import { useRef, useState, type KeyboardEvent } from "react";
import type { JsonNode } from "../../core/json.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { movedIndex, parentIndex } from "../../widgets/roving.ts";
import { copiedText, jsonRows, valueText, type JsonRow } from "./json-rows.ts";
import styles from "./AttributeTree.module.css";

/** Rows drawn at first, and added on demand. */
const ROWS_AT_ONCE = 1000;

export interface AttributeTreeProps {
  readonly root: JsonNode;
  /** The document that `root` was read from. */
  readonly text: string;
}

/** Attributes as a tree: arrows move, fold and unfold; each value and its place can be copied. */
export function AttributeTree({ root, text }: AttributeTreeProps) {
  const box = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  const [active, setActive] = useState(0);
  const { rows, more } = jsonRows(root, (path, level) => said.get(path) ?? level === 1, limit);
  const focusRow = (index: number) => {
    setActive(index);
    box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const fold = (row: JsonRow, expanded: boolean) => setSaid(new Map(said).set(row.path, expanded));
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    // Keys of the buttons within a row are the buttons' own.
    if (row === undefined || !(event.target as HTMLElement).matches('[role="treeitem"]')) return;
    const to = movedIndex(event.key, active, rows.length, "vertical");
    if (to !== undefined) focusRow(to);
    else if (event.key === "ArrowRight" && row.expandable && !row.expanded) fold(row, true);
    else if (event.key === "ArrowRight" && row.expanded) focusRow(active + 1);
    else if (event.key === "ArrowLeft" && row.expanded) fold(row, false);
    else if (event.key === "ArrowLeft") focusRow(parentIndex(rows, active) ?? active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div ref={box} className={styles.tree} role="tree" aria-label="Attributes" tabIndex={-1} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <AttributeRow
            key={row.path}
            row={row}
            text={text}
            index={index}
            inTabOrder={index === Math.min(active, rows.length - 1)}
            onFocus={setActive}
            onFold={fold}
          />
        ))}
      </div>
      {more ? (
        <p className={styles.more}>
          Only the first {formatCount(limit)} lines are shown.{" "}
          <button type="button" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
            Show {formatCount(ROWS_AT_ONCE)} more
          </button>
        </p>
      ) : null}
    </>
  );
}

interface AttributeRowProps {
  readonly row: JsonRow;
  readonly text: string;
  readonly index: number;
  readonly inTabOrder: boolean;
  readonly onFocus: (index: number) => void;
  readonly onFold: (row: JsonRow, expanded: boolean) => void;
}

/** Deeper levels are not indented further. */
const MAX_INDENT = 20;

function AttributeRow({ row, text, index, inTabOrder, onFocus, onFold }: AttributeRowProps) {
  return (
    <div
      className={styles.row}
      role="treeitem"
      data-index={index}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={false}
      aria-expanded={row.expandable ? row.expanded : undefined}
      tabIndex={inTabOrder ? 0 : -1}
      onFocus={() => onFocus(index)}
    >
      <span className={styles.name} style={{ paddingLeft: 16 * Math.min(row.level - 1, MAX_INDENT) }} title={row.name}>
        <button
          type="button"
          data-kind="quiet"
          className={styles.fold}
          tabIndex={-1}
          aria-hidden="true"
          data-expandable={row.expandable}
          onClick={() => onFold(row, !row.expanded)}
        >
          {row.expandable ? (row.expanded ? "▾" : "▸") : ""}
        </button>
        {row.name}
      </span>
      <span className={styles.value} data-type={typeOf(row.value)} title={copiedText(row.value, text).slice(0, 4000)}>
        {valueText(row.value)}
      </span>
      <span className={styles.copy}>
        <CopyButton text={() => copiedText(row.value, text)} what="value" />
        <CopyButton text={row.path} what={`path ${row.path}`} sign="path" />
      </span>
    </div>
  );
}

function typeOf(value: JsonNode): string {
  if (value.kind !== "scalar") return value.kind === "number" ? "number" : "object";
  return value.value === null ? "null" : typeof value.value;
}
