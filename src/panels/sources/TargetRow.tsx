/** One target of the list. While it is on the way its cells are there and empty, so that nothing moves. */
import { memo } from "react";
import type { NodeSummary } from "../../core/open-set.ts";
import type { SourceRow } from "../../core/sources.ts";
import type { AxesByArray } from "../../store/use-axes-by-array.ts";
import { formatBytes, formatCount, formatExactBytes, formatShare } from "../../widgets/number-format.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { arrayName, arrayNames, boxWords } from "./array-words.ts";
import { askedWords } from "./source-words.ts";
import { TARGET_COLUMNS, type TargetColumn } from "./target-columns.ts";
import { TargetName } from "./TargetName.tsx";
import styles from "./TargetGrid.module.css";

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

export function TargetRow({ id, index, top, selected, active, ...cells }: TargetRowProps) {
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
        <span title="References to all of it: no range says how long it is.">whole</span>
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
