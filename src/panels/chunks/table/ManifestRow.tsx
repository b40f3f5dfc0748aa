/** One row in sight. While its reference is on the way, its cells are there and empty, so that nothing moves. */
import { memo, useState } from "react";
import type { ViewRow } from "../../../core/open-set.ts";
import { CopyButton } from "../../../widgets/CopyButton.tsx";
import { point, useIsPointed, type PointedChunk } from "../pointed-chunk.ts";
import type { ColumnId } from "./columns.ts";
import { cellText } from "./columns.ts";
import { ManifestCell } from "./ManifestCell.tsx";
import type { ShownColumn } from "./use-manifest-table.ts";
import styles from "./TablePart.module.css";

export interface ManifestRowProps {
  readonly id: string;
  readonly index: number;
  readonly row: ViewRow | undefined;
  /** Distance from the upper edge of what is seen, in CSS pixels. */
  readonly top: number;
  readonly columns: readonly ShownColumn[];
  readonly template: string;
  /** The array's fill value, JSON text. */
  readonly fill: string | undefined;
  /** The selected array; absent for groups. */
  readonly within: string | undefined;
  /** Bytes of the longest chunk; 0 where that is not known. */
  readonly longest: number;
  /** Shared with the map. */
  readonly pointed: PointedChunk;
  /** It is the chunk shown in the Chunk region. */
  readonly selected: boolean;
  /** It is one of several rows selected for copying, or no chunk and under the cursor. */
  readonly marked: boolean;
  /** The column of the active cell, where it is in this row. */
  readonly active: string | undefined;
}

/**
 * Columns whose value one would paste elsewhere get a button under the pointer; not where a bar would be hidden by it, and
 * a click there meant the row. Ctrl + C copies any cell.
 */
const COPYABLE: ReadonlySet<ColumnId> = new Set(["key", "target", "offset", "end", "from"]);

export function ManifestRow(props: ManifestRowProps) {
  const { id, index, row, top, columns, template, fill, within, longest, selected, marked, active } = props;
  const [hovered, setHovered] = useState(false);
  const at = row !== undefined && row.array === within ? row.coordinates : undefined;
  const pointed = useIsPointed(props.pointed, at);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected || marked}
      className={styles.row}
      data-row={index}
      data-chunk={selected}
      data-stray={row !== undefined && row.coordinates === undefined}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
      data-failed={row?.result === "failed"}
      data-pointed={pointed}
      onPointerEnter={() => {
        setHovered(true);
        point(props.pointed, at);
      }}
      onPointerLeave={() => {
        setHovered(false);
        point(props.pointed, undefined);
      }}
    >
      <RowCells {...{ id, row, columns, fill, within, longest, active, hovered }} />
    </div>
  );
}

interface RowCellsProps extends Pick<
  ManifestRowProps,
  "id" | "row" | "columns" | "fill" | "within" | "longest" | "active"
> {
  /** The pointer is over the row. */
  readonly hovered: boolean;
}

/** Apart from the row, so that scrolling, which only moves rows, does not redraw the cells. */
const RowCells = memo(function RowCells(props: RowCellsProps) {
  const { id, row, columns, fill, within, longest, active, hovered } = props;
  return columns.map((column, place) => (
    <div
      key={column.id}
      id={`${id}-${column.id}`}
      role={column.id === "key" ? "rowheader" : "gridcell"}
      // The whole key, of which a part may be seen.
      aria-label={column.id === "key" ? row?.key : undefined}
      aria-colindex={place + 1}
      className={styles.cell}
      data-column={column.id}
      data-numeric={column.numeric}
      data-active={active === column.id}
    >
      {row === undefined ? (
        <span className={styles.coming} aria-hidden="true" />
      ) : (
        <ManifestCell column={column.id} {...{ row, fill, within, longest }} />
      )}
      {row !== undefined && hovered ? <CellCopy row={row} column={column} /> : null}
    </div>
  ));
});

function CellCopy({ row, column }: { readonly row: ViewRow; readonly column: ShownColumn }) {
  const text = cellText(row, column.id, "not tried");
  if (!COPYABLE.has(column.id) || text === "") return null;
  return (
    <span className={styles.copy}>
      <CopyButton text={text} what={column.header.toLowerCase()} />
    </span>
  );
}
