/** What differs between two snapshots: nodes, arrays with their changed chunks, and how that was found out. */
import { useEffect, useId, useRef, useState } from "react";
import { chunkToSelect, firstToSelect, LOOKED_THROUGH } from "../../core/changed-chunk.ts";
import { comparisonReason } from "../../core/words/comparison-words.ts";
import { bySeverity } from "../../core/findings/explained.ts";
import { nodeOf } from "../../core/findings/fact.ts";
import {
  type ArrayChanges,
  type ChangedChunk,
  CHANGES,
  type NodeChange,
  type NodeMembers,
  type SnapshotChanges,
} from "../../core/repository.ts";
import { COMPARING } from "../../store/history-actions.ts";
import type { AskedComparison } from "../../store/history-state.ts";
import { useActions, useApp, useAppState } from "../../store/react.tsx";
import { ErrorNotice, useExplain } from "../../widgets/notes/Notices.tsx";
import { JsonChanges } from "../../widgets/JsonChanges.tsx";
import { MoreRows } from "../../widgets/notes/MoreRows.tsx";
import { Section } from "../../widgets/Section.tsx";
import { SeverityMark } from "../../widgets/notes/SeverityMark.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { Button, LinkButton, QuietButton } from "../../widgets/controls/Button.tsx";
import styles from "./HistoryPanel.module.css";
import { Head, HeadRow } from "./Head.tsx";
import { ChangeMark } from "./SnapshotId.tsx";
import { TaskLoading } from "./TaskLoading.tsx";
import { changesSentence, CHUNK_SIGNS, NODE_SIGNS, shortId } from "./history-words.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { type RowFetch, useRowWindows } from "../../store/hooks/use-row-windows.ts";
import { DataGrid, HEAD_HEIGHT, ROW_HEIGHT, useGridCursor } from "../../widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "../../widgets/data-grid/columns.ts";

/** Rows at a time. */
const NODE_CHANGES_TABLE_STEP = 200;

/** Groups and arrays that were added, removed, moved, or whose metadata changed. */
function NodeChangesTable({ nodes }: { readonly nodes: readonly NodeChange[] }) {
  const [limit, setLimit] = useState(NODE_CHANGES_TABLE_STEP);
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label="Groups and arrays that differ">
          <HeadRow>
            <Head>Change</Head>
            <Head>Kind</Head>
            <Head look="wide">Group or array</Head>
          </HeadRow>
          <tbody>
            {nodes.slice(0, limit).map((change) => (
              <tr key={`${change.kind} ${change.path}`}>
                <td>
                  <ChangeMark {...NODE_SIGNS[change.kind]} />
                </td>
                <td>{change.node}</td>
                <td className={styles.wide}>
                  <NodeLink path={change.path} />
                  {change.before === undefined ? null : (
                    <>
                      <span className={styles.quiet}> was </span>
                      <NodeLink path={change.before} />
                    </>
                  )}
                  {change.members === undefined ? null : <Members members={change.members} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows shown={limit} total={nodes.length} step={NODE_CHANGES_TABLE_STEP} onMore={setLimit} />
    </>
  );
}

/** What of the metadata differs; by logs a node may be named although nothing does in the end. */
function Members({ members: { changes, count } }: { readonly members: NodeMembers }) {
  if (count === 0) return <p className={styles.quiet}>changed and then reverted</p>;
  return (
    <>
      <JsonChanges changes={changes} />
      {count > changes.length ? (
        <p className={styles.quiet}>and {countOf(count - changes.length, "more member")}</p>
      ) : null}
    </>
  );
}

/** A path; where the open set has the node, a click selects it. */
function NodeLink({ path }: { readonly path: string | undefined }) {
  const actions = useActions();
  const isThere = useAppState((state) => state.set?.nodes.some((node) => node.path === path) === true);
  if (path === undefined) return null;
  const text = path === "" ? "/" : path;
  if (!isThere)
    return (
      <code className={styles.path} title={`${text}: not in the snapshot that is shown`}>
        {text}
      </code>
    );
  return (
    <LinkButton className={styles.path} title={`Select ${text}`} onClick={() => actions.selectNode(path)}>
      {text}
    </LinkButton>
  );
}

export function ChangesSection({ set }: { readonly set: number }) {
  const actions = useActions();
  const { asked, failed } = useAppState((state) => state.history);
  const comparison = useAppState((state) => state.comparison);
  useAskedAgain(set, asked);
  if (asked === undefined)
    return (
      <Section title="Changes">
        <p className={styles.note}>
          Choose two snapshots above and compare them, or press Changes in a row. The differences are listed here.
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
  const actions = useActions();
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
  const { actions, store } = useApp();
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
    <div ref={box} className={styles.changes} role="group" aria-label="Comparison">
      <p>
        <b>{changesSentence(comparison)}</b>
      </p>
      <Method asked={asked} comparison={comparison} />
      <Findings comparison={comparison} />
      {comparison.nodes.length === 0 ? null : <NodeChangesTable nodes={comparison.nodes} />}
      {comparison.arrays.length === 0 ? null : <ArrayChangesTable set={set} arrays={comparison.arrays} />}
    </div>
  );
}

function Method({ asked, comparison }: Omit<ChangesProps, "set">) {
  const actions = useActions();
  const other = comparison.method === "logs" ? "manifests" : "auto";
  const isOther = comparison.method === "logs" || asked.method === "manifests";
  return (
    <p className={styles.because}>
      By {comparison.method === "logs" ? "transaction logs" : "manifests"}. {comparisonReason(comparison.because)}{" "}
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
      <ul className={styles.findings} aria-label="Found while comparing">
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
              {remedy === undefined ? null : <p className={styles.quiet}>{remedy}</p>}
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

/** Rows at a time. */
const STEP = 200;

/** Arrays whose chunks differ, each with the list of those chunks. */
function ArrayChangesTable({ set, arrays }: Pick<SnapshotChanges, "arrays"> & { readonly set: number }) {
  const [opened, setOpened] = useState<string>();
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <table className={styles.table} aria-label="Arrays of which chunks differ">
        <HeadRow>
          <Head look="wide">Array</Head>
          <Head look="numeric">Chunks</Head>
          <Head>How</Head>
          <Head look="unseen">Show</Head>
        </HeadRow>
        <tbody>
          {arrays.slice(0, limit).map((array) => (
            <ArrayRow
              key={array.path}
              set={set}
              array={array}
              opened={opened === array.path}
              onToggle={() => setOpened(opened === array.path ? undefined : array.path)}
            />
          ))}
        </tbody>
      </table>
      <MoreRows shown={limit} total={arrays.length} step={STEP} onMore={setLimit} />
    </>
  );
}

/** At the slice of the first chunk that changed. */
function useShownOnMap(set: number, path: string) {
  const { engine, actions, commands } = useApp();
  const node = useAppState((state) => state.set?.nodes.find((one) => one.path === path));
  return async () => {
    const request = { set, path, from: 0, to: LOOKED_THROUGH };
    // Without it the map is still shown.
    const answer = await engine.call("repository.changedChunks", request).catch(() => undefined);
    const at = node === undefined || answer === undefined ? undefined : firstToSelect(node, answer.chunks);
    commands.send({ kind: "colour-map", colour: "change" });
    if (at !== undefined) commands.send({ kind: "show-slice", array: path, at });
    actions.selectNode(path);
    actions.showView("chunks");
    // What was pressed is out of sight then.
    requestAnimationFrame(() => commands.send({ kind: "focus-view-tab" }));
  };
}

interface ArrayRowProps {
  readonly set: number;
  readonly array: ArrayChanges;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function ArrayRow({ set, array, opened, onToggle }: ArrayRowProps) {
  const showOnMap = useShownOnMap(set, array.path);
  const list = useId();
  const { path, before, count, kinds, shown } = array;
  const name = path === "" ? "/" : path;
  return (
    <>
      <tr>
        <th scope="row" className={styles.wide}>
          <NodeLink path={path} />
          {before === undefined ? null : <span className={styles.quiet}> was {before}</span>}
        </th>
        <td data-numeric="true">{formatCount(count)}</td>
        <td>
          <span className={styles.kinds}>
            {CHANGES.filter((kind) => kinds[kind] > 0).map((kind) => {
              const { word, ...sign } = CHUNK_SIGNS[kind];
              return <ChangeMark key={kind} {...sign} word={`${formatCount(kinds[kind])} ${word}`} />;
            })}
          </span>
        </td>
        <td className={`${styles.does} ${styles.stacked}`}>
          <span>
            <QuietButton
              aria-label={`${opened ? "Hide" : "List"} chunks of ${name}`}
              aria-expanded={opened}
              aria-controls={list}
              onClick={onToggle}
            >
              {opened ? "Hide chunks" : "List chunks"}
            </QuietButton>
            <Button
              aria-label={`Show on the grid map ${name}`}
              disabled={!shown}
              title={shown ? undefined : "The snapshot that is shown has no array at this path: open one that has."}
              onClick={() => void showOnMap()}
            >
              Show on the grid map
            </Button>
          </span>
        </td>
      </tr>
      {opened ? (
        <tr id={list} className={styles.opened}>
          <td colSpan={4}>
            <ChangedChunkList set={set} path={path} count={count} />
          </td>
        </tr>
      ) : null}
    </>
  );
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
