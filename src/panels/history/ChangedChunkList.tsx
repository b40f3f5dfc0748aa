/** Coordinates of the changed chunks of an array: only those in sight are asked for. */
import { chunkToSelect } from "../../core/changed-chunk.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import type { ChangedChunk } from "../../core/repository.ts";
import { type RowFetch, useRowWindows } from "../../store/hooks/use-row-windows.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { DataGrid, HEAD_HEIGHT, ROW_HEIGHT, useGridCursor } from "../../widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "../../widgets/data-grid/columns.ts";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { CHUNK_SIGNS } from "./history-words.ts";
import { ChangeMark } from "./SnapshotId.tsx";
import styles from "./HistoryPanel.module.css";

interface ChangedChunkListProps {
  readonly set: number;
  readonly path: string;
  /** Chunks that differ; where they are very many, not all of them are listed. */
  readonly count: number;
}

interface Question extends Omit<ChangedChunkListProps, "count"> {
  readonly revision: number;
}

const CHANGED_CHUNKS: RowFetch<Question, undefined, ChangedChunk> = {
  what: "Listing the changed chunks",
  rows: async (engine, { question: { set, path } }, window, options) => {
    const { total, chunks } = await engine.call("repository.changedChunks", { set, path, ...window }, options);
    return { total, rows: chunks };
  },
};

const COLUMNS: readonly GridColumn<ChangedChunk>[] = [
  {
    id: "chunk",
    header: "Chunk",
    width: 130,
    grow: 1,
    cell: ({ coordinates }) => <code>{coordinates.length === 0 ? "the only chunk" : coordinates.join(".")}</code>,
  },
  { id: "change", header: "Change", width: 130, grow: 1, cell: ({ kind }) => <ChangeMark {...CHUNK_SIGNS[kind]} /> },
];

const MAX_ROWS_SEEN = 9;

export function ChangedChunkList({ set, path, count }: ChangedChunkListProps) {
  const actions = useActions();
  const node = useAppState((state) => state.set?.nodes.find((one) => one.path === path && one.kind === "array"));
  const selected = useAppState((state) => (state.node === path ? state.chunk?.join(".") : undefined));
  const revision = useAppState((state) => state.revision);
  const rows = useRowWindows(CHANGED_CHUNKS, { set, path, revision });
  const total = rows.shown?.total ?? count;
  const toSelect = (chunk: ChangedChunk | undefined) =>
    chunk === undefined || node === undefined ? undefined : chunkToSelect(node, chunk.coordinates);
  return (
    <div className={styles.chunks}>
      <p className={styles.note}>
        {listNote(node)}
        {total < count ? ` ${formatCount(total)} of ${formatCount(count)} are listed.` : ""}
      </p>
      {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      <DataGrid
        label={`Changed chunks of ${path === "" ? "/" : path}`}
        columns={COLUMNS}
        rows={{ ...rows, total }}
        cursor={useGridCursor()}
        className={styles.chunkList}
        style={{ height: Math.min(total, MAX_ROWS_SEEN) * ROW_HEIGHT + HEAD_HEIGHT + 2 }}
        look={(chunk) => {
          const there = toSelect(chunk);
          return {
            selected: there !== undefined && there.join(".") === selected,
            title: chunk !== undefined && there === undefined ? OUTSIDE : undefined,
            "data-there": there !== undefined,
          };
        }}
        onOpen={(chunk) => {
          const coordinates = toSelect(chunk);
          if (coordinates !== undefined) actions.selectChunk(path, coordinates);
        }}
      />
    </div>
  );
}

const OUTSIDE = "Outside the grid of the array that is shown";

function listNote(node: NodeSummary | undefined): string {
  if (node?.grid === undefined)
    return "The snapshot that is shown has no array at this path: its chunks cannot be selected.";
  if (node.shardShape !== undefined)
    return "Coordinates are those of shards; a click selects the first chunk of the shard.";
  return "A click selects the chunk.";
}
