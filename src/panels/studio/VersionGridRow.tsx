/** One row in sight. While it is on the way its cells are there and empty, so that nothing moves. */
import { useMessage } from "../../widgets/use-explain.ts";
import { memo } from "react";
import type { VersionRow } from "../../core/studio.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { StateMark } from "../../widgets/StateMark.tsx";
import { originText } from "../../core/origin-words.ts";
import { READER_NAMES, READERS, rowWords, TONE_SIGN, valueText } from "./reader-words.ts";
import { ROW_COLUMNS, type RowColumn } from "./row-columns.ts";
import styles from "./VersionPanel.module.css";

interface VersionGridRowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: VersionRow | undefined;
  readonly selected: boolean;
  readonly active: boolean;
}

export function VersionGridRow({ id, index, top, row, selected, active }: VersionGridRowProps) {
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
