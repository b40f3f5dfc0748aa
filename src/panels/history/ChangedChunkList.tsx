/** Coordinates of the changed chunks of an array: only those in sight are asked for. */
import { useCallback, useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { chunkToSelect } from "../../core/changed-chunk.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import type { ChangedChunk } from "../../core/repository.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { movedRow } from "../../widgets/controls/roving.ts";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/values/ScaledRows.tsx";
import { CHUNK_SIGNS } from "./history-words.ts";
import { ChangeMark } from "./SnapshotId.tsx";
import styles from "./HistoryPanel.module.css";

interface ChangedChunkListProps {
  readonly set: number;
  readonly path: string;
  /** Chunks that differ; where they are very many, not all of them are listed. */
  readonly count: number;
}

const ROW_HEIGHT = 26;
const MAX_ROWS_SEEN = 9;
/** Rows; more than are ever in sight. */
const WINDOW = 500;

export function ChangedChunkList({ set, path, count }: ChangedChunkListProps) {
  const node = useAppState((state) => state.set?.nodes.find((one) => one.path === path && one.kind === "array"));
  const { chunks, answer, onSeen } = useChunks(set, path, count);
  const total = answer.data?.total ?? count;
  const list = useRef<ScaledRowsHandle>(null);
  const id = useId();
  const [cursor, setCursor] = useState(0);
  const { onKeyDown, select } = useListKeys({ node, total, cursor, setCursor, list, at: chunks });
  return (
    <div className={styles.chunks}>
      <p className={styles.note}>
        {listNote(node)}
        {total < count ? ` ${formatCount(total)} of ${formatCount(count)} are listed.` : ""}
      </p>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      <ScaledRows
        rows={total}
        rowHeight={ROW_HEIGHT}
        headHeight={ROW_HEIGHT}
        width={260}
        handle={list}
        onSeen={onSeen}
        head={
          <div role="row" className={styles.chunkHead}>
            <span role="columnheader">Chunk</span>
            <span role="columnheader">Change</span>
          </div>
        }
        attributes={{
          role: "grid",
          "aria-label": `Changed chunks of ${path === "" ? "/" : path}`,
          "aria-rowcount": total + 1,
          "aria-activedescendant": `${id}-${cursor}`,
          tabIndex: 0,
          className: styles.chunkList,
          style: { height: (Math.min(total, MAX_ROWS_SEEN) + 1) * ROW_HEIGHT + 2 },
          onKeyDown,
        }}
        renderRow={(index, top) => (
          <ChunkRow
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={top}
            chunk={chunks(index)}
            node={node}
            active={index === cursor}
            onClick={() => {
              setCursor(index);
              select(index);
            }}
          />
        )}
      />
    </div>
  );
}

function listNote(node: NodeSummary | undefined): string {
  if (node?.grid === undefined)
    return "The snapshot that is shown has no array at this path: its chunks cannot be selected.";
  if (node.shardShape !== undefined)
    return "Coordinates are those of shards; a click selects the first chunk of the shard.";
  return "A click selects the chunk.";
}

/** Two windows of chunks, the first with what is seen; older ones stay until newer are there. */
function useChunks(set: number, path: string, count: number) {
  const [from, setFrom] = useState(0);
  const to = Math.min(count, from + 2 * WINDOW);
  const answer = useEngine("repository.changedChunks", { set, path, from, to }, `changedChunks ${path}`);
  const { data } = answer;
  const onSeen = useCallback((seen: { readonly from: number }) => {
    setFrom(Math.floor(seen.from / WINDOW) * WINDOW);
  }, []);
  const chunks = (index: number): ChangedChunk | undefined =>
    data === undefined ? undefined : data.chunks[index - data.from];
  return { chunks, answer, onSeen };
}

interface ListKeys {
  readonly node: NodeSummary | undefined;
  readonly total: number;
  readonly cursor: number;
  readonly setCursor: (row: number) => void;
  readonly list: RefObject<ScaledRowsHandle | null>;
  readonly at: (index: number) => ChangedChunk | undefined;
}

function useListKeys({ node, total, cursor, setCursor, list, at }: ListKeys) {
  const actions = useActions();
  const select = (index: number) => {
    const chunk = at(index);
    const coordinates = node === undefined || chunk === undefined ? undefined : chunkToSelect(node, chunk.coordinates);
    if (node !== undefined && coordinates !== undefined) actions.selectChunk(node.path, coordinates);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = movedRow({ key: event.key, ctrl: false }, cursor, total, list.current?.rowsPerPage() ?? 1);
    if (to !== undefined) {
      setCursor(to);
      list.current?.show(to, "nearest");
    } else if (event.key === "Enter" || event.key === " ") select(cursor);
    else return;
    event.preventDefault();
  };
  return { onKeyDown, select };
}

interface ChunkRowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly chunk: ChangedChunk | undefined;
  readonly node: NodeSummary | undefined;
  readonly active: boolean;
  readonly onClick: () => void;
}

function ChunkRow({ id, index, top, chunk, node, active, onClick }: ChunkRowProps) {
  const selected = useAppState((state) => state.chunk);
  const path = useAppState((state) => state.node);
  const there = chunk === undefined || node === undefined ? undefined : chunkToSelect(node, chunk.coordinates);
  const isSelected = there !== undefined && path === node?.path && selected?.join(".") === there.join(".");
  return (
    // The keyboard works from the grid.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={active}
      data-there={there !== undefined}
      className={styles.chunkRow}
      style={{ transform: `translateY(${top}px)` }}
      title={chunk !== undefined && there === undefined ? "Outside the grid of the array that is shown" : undefined}
      onClick={onClick}
    >
      <span role="gridcell">
        <code>
          {chunk === undefined ? "…" : chunk.coordinates.length === 0 ? "the only chunk" : chunk.coordinates.join(".")}
        </code>
      </span>
      <span role="gridcell">{chunk === undefined ? null : <ChangeMark {...CHUNK_SIGNS[chunk.kind]} />}</span>
    </div>
  );
}
