/** A data file by its bytes: a strip of metadata and chunks, and every structure that was read, in order. */
import { useMemo } from "react";
import type { FileLayout, FileStructure } from "#core/source-file.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { type RowFetch, useRowWindows } from "#store/hooks/use-row-windows.ts";
import { DataGrid, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import styles from "./FileStructures.module.css";

const ROWS: RowFetch<{ readonly set: number }, undefined, FileStructure> = {
  what: "Listing the file's structures",
  rows: (engine, { question: { set } }, window, options) =>
    engine.call("sources.structures", { set, ...window }, options),
};

const CANCELLED = ["Looking at the file was cancelled", "Look at it"] as const;

export function FileStructures({ set, path }: { readonly set: number; readonly path: string }) {
  const actions = useActions();
  const nodes = useAppState((state) => state.set?.nodes);
  const answer = useEngine("sources.layout", { set });
  const rows = useRowWindows(
    ROWS,
    useMemo(() => ({ set }), [set]),
  );
  const cursor = useGridCursor();
  const grid = useGridTable({ columns: COLUMNS });
  if (answer.data === undefined)
    return <Unanswered answer={answer} label="Looking at the file" cancelled={CANCELLED} />;
  const isKnown = (at: string | undefined) => at !== undefined && nodes?.some((node) => node.path === at) === true;
  return (
    <div className={styles.file}>
      <FileStrip layout={answer.data} />
      <DataGrid
        label="Structures of the file"
        className="grow low"
        grid={grid}
        rows={rows}
        cursor={cursor}
        look={(row) => ({ marked: row?.path === path })}
        onOpen={(row) => (row.path !== undefined && isKnown(row.path) ? actions.selectNode(row.path) : undefined)}
      />
    </div>
  );
}

const COLUMNS: readonly GridColumn<FileStructure>[] = [
  {
    id: "offset",
    header: "Offset",
    size: 92,
    accessorFn: ({ offset }) => formatCount(offset),
    meta: { numeric: true, names: true },
  },
  {
    id: "length",
    header: "Length",
    size: 72,
    accessorFn: ({ length }) => formatCount(length),
    meta: { numeric: true },
  },
  { id: "kind", header: "Structure", size: 120, accessorFn: ({ kind }) => kind, meta: { grow: 3 } },
  {
    id: "path",
    header: "Belongs to",
    size: 78,
    accessorFn: ({ path }) => path,
    cell: ({ row: { original } }) =>
      original.path === undefined ? <span className="faint">the file</span> : original.path || "/",
    meta: { title: "The group or array that it was read for", grow: 2 },
  },
];

const LANES = [
  ["metadata", "Metadata"],
  ["chunks", "Chunks"],
] as const;

const share = (part: number): string => `${100 * part}%`;

function FileStrip({ layout }: { readonly layout: FileLayout }) {
  const { size, lanes, structures, metadata, chunks } = layout;
  const other = size - metadata - chunks;
  return (
    <figure className={styles.strip} aria-label="Where metadata and chunks are">
      <figcaption>
        {countOf(structures, "structure")}, {formatBytes(metadata)} of metadata; {formatBytes(chunks)} of chunks
        {other > 0 ? `; ${formatBytes(other)} of neither` : ""}
      </figcaption>
      {LANES.map(([lane, label]) => (
        <div key={lane} className={styles.lane} data-lane={lane}>
          <span>{label}</span>
          <div>
            {lanes[lane].map(([from, to]) => (
              <i key={from} style={{ left: share(from), width: share(to - from) }} />
            ))}
          </div>
        </div>
      ))}
      <div className={styles.ends} aria-hidden="true">
        <span>0</span>
        <span>{formatCount(size)}</span>
      </div>
    </figure>
  );
}
