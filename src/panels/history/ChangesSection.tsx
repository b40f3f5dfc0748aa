/** Differences between two snapshots: nodes, arrays with their changed chunks, and the method of comparison. */
import { useEffect, useRef, useState } from "react";
import { chunkToSelect, firstToSelect, LOOKED_THROUGH } from "#core/changed-chunk.ts";
import { comparisonReason } from "#core/words/comparison-words.ts";
import { bySeverity } from "#core/findings/explained.ts";
import { nodeOf } from "#core/findings/fact.ts";
import { type ChangedChunk, CHANGES, type SnapshotChanges } from "#core/repository.ts";
import { COMPARING } from "#store/history-actions.ts";
import type { AskedComparison } from "#store/state.ts";
import { showDifferences } from "#store/hooks/show-differences.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import { useActions, useApp, useAppState } from "#store/react.tsx";
import { ErrorNotice, useExplain } from "#widgets/notes/Notices.tsx";
import { Section } from "#widgets/Section.tsx";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { formatCount } from "#widgets/number-format.ts";
import { Button, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import { ChangedArraysTable, ChangeMark, NodeChangesTable, PathLink } from "#widgets/changes/ChangeTables.tsx";
import { TaskLoading } from "./HistoryParts.tsx";
import { changesSentence, CHUNK_SIGNS, NODE_SIGNS, shortId } from "./history-words.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { type RowFetch, useRowWindows } from "#store/hooks/use-row-windows.ts";
import { DataGrid, HEAD_HEIGHT, ROW_HEIGHT, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";

/** A path; where the open set has the node, a click selects it. */
function NodeLink({ path }: { readonly path: string | undefined }) {
  const actions = useActions();
  const isThere = useAppState((state) => state.set?.nodes.some((node) => node.path === path) === true);
  if (path === undefined) return null;
  return <PathLink path={path} onSelect={isThere ? () => actions.selectNode(path) : undefined} lacking={LACKING} />;
}

const LACKING = "not in the snapshot that is shown";
const nodeLink = (path: string) => <NodeLink path={path} />;

export function ChangesSection({ set }: { readonly set: number }) {
  const actions = useHistory();
  const { asked, failed } = useAppState((state) => state.history);
  const comparison = useAppState((state) => state.comparison);
  useAskedAgain(set, asked);
  if (asked === undefined)
    return (
      <Section title="Changes">
        <p className={tables.note}>
          Press Changes to compare a commit with its parent, or choose two commits to compare. The differences are
          listed here.
        </p>
      </Section>
    );
  return (
    <Section title={`Changes from ${shortId(asked.from)} to ${shortId(asked.to)}`} aside={<Close />}>
      {failed !== undefined ? (
        <ErrorNotice error={failed} onRetry={() => void actions.compareSnapshots(asked)} />
      ) : comparison === undefined ? (
        <TaskLoading label={COMPARING} />
      ) : (
        <Changes
          key={`${set} ${comparison.from} ${comparison.to} ${comparison.method}`}
          {...{ set, asked, comparison }}
        />
      )}
    </Section>
  );
}

function Close() {
  const actions = useHistory();
  return (
    <QuietButton
      aria-label="Close the comparison"
      onClick={(event) => {
        // The button goes: the focus stays where it was.
        event.currentTarget.closest("header")?.querySelector("h3")?.focus();
        actions.closeComparison();
      }}
    >
      Close
    </QuietButton>
  );
}

/** The engine forgets a comparison with the set it was made of. */
function useAskedAgain(set: number, asked: AskedComparison | undefined): void {
  const { store } = useApp();
  const actions = useHistory();
  useEffect(() => {
    const { set: open, comparison, history, tasks } = store.getState();
    if (open?.id !== set) return;
    if (asked === undefined || comparison !== undefined || history.failed !== undefined) return;
    if (!tasks.some(({ label }) => label === COMPARING)) void actions.compareSnapshots(asked);
  }, [set, asked, actions, store]);
}

interface ChangesProps {
  readonly set: number;
  readonly asked: AskedComparison;
  readonly comparison: SnapshotChanges;
}

function Changes({ set, asked, comparison }: ChangesProps) {
  const box = useRef<HTMLDivElement>(null);
  // A statement: where scrolling gives a promise, React would take it for what cleans up.
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className="stack gap-10 narrow" role="group" aria-label="Comparison">
      <p>
        <b>{changesSentence(comparison)}</b>
      </p>
      <Method asked={asked} comparison={comparison} />
      <Findings comparison={comparison} />
      {comparison.nodes.length === 0 ? null : (
        <NodeChangesTable nodes={comparison.nodes} signs={NODE_SIGNS} link={nodeLink} />
      )}
      {comparison.arrays.length === 0 ? null : <ArrayChangesTable set={set} arrays={comparison.arrays} />}
    </div>
  );
}

function Method({ asked, comparison }: Omit<ChangesProps, "set">) {
  const actions = useHistory();
  const other = comparison.method === "logs" ? "manifests" : "auto";
  const isOther = comparison.method === "logs" || asked.method === "manifests";
  return (
    <p className="quiet">
      Read from the {comparison.method === "logs" ? "transaction log" : "manifests"}.{" "}
      {comparison.method === "logs" ? (
        <Popover label={<span aria-label="Why">ⓘ</span>} title="Why" arrow={false}>
          {comparisonReason(comparison.because)}
        </Popover>
      ) : (
        comparisonReason(comparison.because)
      )}{" "}
      {isOther ? (
        <LinkButton onClick={() => void actions.compareSnapshots({ ...asked, method: other })}>
          {other === "manifests" ? "Compare by manifests instead" : "Compare by transaction logs where possible"}
        </LinkButton>
      ) : null}
    </p>
  );
}

/** More of them are behind a button. */
const MAX_FINDINGS = 20;

function Findings({ comparison: { findings } }: { readonly comparison: SnapshotChanges }) {
  const [limit, setLimit] = useState(MAX_FINDINGS);
  const explain = useExplain();
  if (findings.length === 0 || explain === undefined) return null;
  const all = findings.map((found) => ({ found, ...explain(found) })).toSorted(bySeverity);
  return (
    <>
      <ul className={`grid gap-8 ${styles.findings}`} aria-label="Found while comparing">
        {all.slice(0, limit).map(({ found: { code, place }, severity, message, remedy }, index) => (
          // Two findings may have the same code.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-code={code} data-severity={severity}>
            <SeverityMark severity={severity} />
            <div>
              <p className={styles.findingHead}>
                <code>{code}</code>
                <NodeLink path={nodeOf(place)} />
              </p>
              <p>{message}</p>
              {remedy === undefined ? null : <p className="faint">{remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
      {findings.length > limit ? (
        <Button onClick={() => setLimit(findings.length)}>Show all {findings.length} findings</Button>
      ) : null}
    </>
  );
}

function ArrayChangesTable({ set, arrays }: Pick<SnapshotChanges, "arrays"> & { readonly set: number }) {
  const showOnMap = useShownOnMap(set);
  const rows = arrays.map(({ kinds, ...array }) => ({
    ...array,
    marks: CHANGES.filter((kind) => kinds[kind] > 0).map((kind) => {
      const { word, ...sign } = CHUNK_SIGNS[kind];
      return { ...sign, word: `${formatCount(kinds[kind])} ${word}` };
    }),
    without: array.shown ? undefined : "The snapshot that is shown has no array at this path: open one that has.",
  }));
  return (
    <ChangedArraysTable
      label="Arrays of which chunks differ"
      rows={rows}
      link={nodeLink}
      list={({ path, count }) => <ChangedChunkList set={set} path={path} count={count} />}
      onMap={(path) => void showOnMap(path)}
    />
  );
}

/** At the slice of the first chunk that changed. */
function useShownOnMap(set: number) {
  const { engine, actions, commands, store } = useApp();
  return async (path: string) => {
    const request = { set, path, from: 0, to: LOOKED_THROUGH };
    // Without it the map is still shown.
    const answer = await engine.call("repository.changedChunks", request).catch(() => undefined);
    const node = store.getState().set?.nodes.find((one) => one.path === path);
    const at = node === undefined || answer === undefined ? undefined : firstToSelect(node, answer.chunks);
    showDifferences({ actions, commands }, path, at);
  };
}

// Coordinates of the changed chunks of an array: only those in sight are asked for.

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
    size: 130,
    accessorFn: ({ coordinates }) => (coordinates.length === 0 ? "the only chunk" : coordinates.join(".")),
    cell: ({ getValue }) => <code>{getValue<string>()}</code>,
    meta: { grow: 1 },
  },
  {
    id: "change",
    header: "Change",
    size: 130,
    cell: ({ row }) => <ChangeMark {...CHUNK_SIGNS[row.original.kind]} />,
    meta: { grow: 1 },
  },
];

const MAX_ROWS_SEEN = 9;

function ChangedChunkList({ set, path, count }: ChangedChunkListProps) {
  const actions = useActions();
  const node = useAppState((state) => state.set?.nodes.find((one) => one.path === path && one.kind === "array"));
  const selected = useAppState((state) => (state.node === path ? state.chunk?.join(".") : undefined));
  const revision = useAppState((state) => state.revision);
  const rows = useRowWindows(CHANGED_CHUNKS, { set, path, revision });
  const total = rows.shown?.total ?? count;
  const toSelect = (chunk: ChangedChunk | undefined) =>
    chunk === undefined || node === undefined ? undefined : chunkToSelect(node, chunk.coordinates);
  return (
    <div className={tables.chunks}>
      <p className={tables.note}>
        {listNote(node)}
        {total < count ? ` ${formatCount(total)} of ${formatCount(count)} are listed.` : ""}
      </p>
      {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      <DataGrid
        label={`Changed chunks of ${path === "" ? "/" : path}`}
        grid={useGridTable({ columns: COLUMNS })}
        rows={{ ...rows, total }}
        cursor={useGridCursor()}
        className={tables.chunkList}
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
