/** All snapshots of the repository as one list: lanes of lines of descent, message, what changed, time. */
import { useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import type { CommitGraph, CommitRow, RepositoryHistory } from "#core/repository.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import type { RowFetch, RowWindows } from "#store/hooks/use-row-windows.ts";
import { Badge } from "#widgets/notes/marks.tsx";
import { DataGrid, type GridCursor, type GridPress } from "#widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { ChangesCell } from "./ChangesCell.tsx";
import type { ChangesReader } from "./changes-reader.ts";
import { type CommitPictures, useCommitPictures } from "./commit-pictures.ts";
import { SnapshotTime } from "./HistoryParts.tsx";
import { messageLine, shortId } from "./history-words.ts";
import { refRows } from "./ref-rows.ts";
import { COMMIT_HEIGHT, LANE_COLOURS, Lanes, lanesWidth } from "./Lanes.tsx";
import styles from "./HistoryPanel.module.css";

/** `of`: id of the snapshot whose line alone is shown. */
export interface CommitQuestion {
  readonly set: number;
  readonly of?: string;
  readonly limit: number;
  /** Snapshots known so far: rows are asked for again when there are more. */
  readonly known: number;
}

export const COMMITS: RowFetch<CommitQuestion, undefined, CommitRow> = {
  what: "Listing the snapshots",
  rows: async (engine, { question: { set, of, limit } }, window, options) =>
    engine.call("repository.graph", { set, limit, ...window, ...(of === undefined ? {} : { of }) }, options),
};

export type CommitRows = RowWindows<CommitQuestion, undefined, CommitRow>;

interface CommitGridProps {
  readonly history: RepositoryHistory;
  readonly graph: CommitGraph;
  readonly rows: CommitRows;
  readonly cursor: GridCursor;
  readonly changes: ChangesReader;
  readonly onOpen: (commit: CommitRow) => void;
}

export function CommitGrid({ history, graph, rows, cursor, changes, onOpen }: CommitGridProps) {
  const pick = usePickedByKey();
  const columns = useColumns(history, graph.lanes, changes);
  const onKey = ({ key }: GridPress) => {
    const commit = rows.at(cursor.at.row);
    const to = key === "ArrowLeft" ? commit?.joinRow : key === "ArrowRight" ? commit?.forkRow : undefined;
    if (to !== undefined) cursor.goTo(to);
    else if (key === "c" && commit !== undefined) pick(commit);
    return to !== undefined || key === "c" || key === "ArrowLeft" || key === "ArrowRight";
  };
  return (
    <DataGrid
      label="Snapshots"
      grid={useGridTable({ columns })}
      rows={rows}
      cursor={cursor}
      rowHeight={COMMIT_HEIGHT}
      headless
      picks
      className={styles.commits}
      dimmed={false}
      style={{ height: `min(${rows.total * COMMIT_HEIGHT + 1}px, max(50cqh, 100cqh - 150px))` }}
      look={(commit, index) => ({
        selected: index === cursor.at.row,
        "aria-current": commit !== undefined && commit.id === history.shown.snapshot ? true : undefined,
      })}
      onKey={onKey}
      onOpen={onOpen}
    />
  );
}

function useColumns(history: RepositoryHistory, lanes: number, changes: ChangesReader) {
  const pictures = useCommitPictures(changes);
  const { snapshot } = history.shown;
  const names = useMemo(() => namesBySnapshot(history), [history]);
  return useMemo(
    (): readonly GridColumn<CommitRow>[] => [
      {
        id: "graph",
        header: "Graph",
        size: lanesWidth(lanes),
        cell: ({ row: { original } }) => <Lanes row={original} lanes={lanes} isShown={original.id === snapshot} />,
      },
      {
        id: "commit",
        header: "Commit",
        size: 250,
        meta: { grow: 3, names: true },
        accessorFn: ({ message }) => messageLine(message),
        cell: ({ row: { original } }) => (
          <CommitCell commit={original} names={names.get(original.id) ?? []}>
            {pictures === undefined ? null : (
              <CommitPicture key={original.id} {...{ commit: original, pictures, changes }} />
            )}
          </CommitCell>
        ),
      },
      {
        id: "changes",
        header: "What changed",
        size: 180,
        meta: { grow: 2, rank: 1 },
        cell: ({ row: { original } }) => <ChangesCell reader={changes} id={original.id} />,
      },
      {
        id: "time",
        header: "Time",
        size: 132,
        meta: { rank: 2 },
        accessorFn: ({ time }) => time ?? "",
        cell: ({ row: { original } }) => <SnapshotTime time={original.time} />,
      },
    ],
    [lanes, snapshot, names, changes, pictures],
  );
}

/** The first press chooses a snapshot, the second one compares it with another. */
function usePickedByKey() {
  const actions = useHistory();
  const from = useRef<CommitRow>(undefined);
  return (commit: CommitRow) => {
    const older = from.current;
    from.current = older === undefined || older.id === commit.id ? commit : undefined;
    actions.chooseHistory(from.current === undefined ? { from: older, to: commit } : { from: commit, to: undefined });
    if (from.current === undefined && older !== undefined)
      void actions.compareSnapshots({ from: older.id, to: commit.id, method: "auto" });
  };
}

interface RefName {
  readonly kind: "branch" | "tag";
  readonly name: string;
}

/** Branches and tags by the snapshot they point to, `main` first. */
export function namesBySnapshot(history: RepositoryHistory): ReadonlyMap<string, readonly RefName[]> {
  const names = new Map<string, RefName[]>();
  for (const { kind, name, snapshot } of refRows(history)) {
    if ((kind !== "branch" && kind !== "tag") || name === undefined || snapshot === undefined) continue;
    const others = names.get(snapshot);
    if (others === undefined) names.set(snapshot, [{ kind, name }]);
    else others.push({ kind, name });
  }
  return names;
}

interface CommitCellProps {
  readonly commit: CommitRow;
  readonly names: readonly RefName[];
  readonly children: ReactNode;
}

function CommitCell({ commit, names, children }: CommitCellProps) {
  const { id, message, author, time, lane, isDetached } = commit;
  return (
    <div className={styles.commit} title={message}>
      {children}
      <span className="row gap-6 narrow">
        <span className={styles.message}>{messageLine(message)}</span>
        <Names names={names} lane={lane} />
        {isDetached === true ? <Badge title="No branch and no tag leads to it">detached</Badge> : null}
      </span>
      <span className={styles.under}>
        <code>{shortId(id)}</code>
        {author === undefined ? null : <> · {author}</>}
        <span className={styles.underTime}>
          {" · "}
          <SnapshotTime time={time} />
        </span>
      </span>
    </div>
  );
}

interface CommitPictureProps {
  readonly commit: CommitRow;
  readonly pictures: CommitPictures;
  readonly changes: ChangesReader;
}

/** Nothing, and no room for it, while no commit has a picture. */
function CommitPicture({ commit: { id, parent, row }, pictures, changes }: CommitPictureProps) {
  useEffect(() => changes.see(id), [changes, id]);
  useEffect(() => pictures.see({ id, parent, row }), [pictures, id, parent, row]);
  const look = useSyncExternalStore(pictures.subscribe, () => pictures.look(id));
  if (look === undefined) return null;
  return <span className={styles.picture}>{look === "" ? null : <img src={look} alt="" />}</span>;
}

/** Names in a tooltip. */
const MAX_LISTED = 30;

/** Two names and how many more: badges for all would push the message out of sight. */
function Names({ names, lane }: { readonly names: readonly RefName[]; readonly lane: number }) {
  const rest = names.slice(2);
  const listed = rest.slice(0, MAX_LISTED).map(({ kind, name }) => `${kind} ${name}`);
  return (
    <>
      {names.slice(0, 2).map(({ kind, name }) => (
        <span
          key={`${kind} ${name}`}
          className={styles.ref}
          title={`${kind} ${name}`}
          style={kind === "branch" ? { color: LANE_COLOURS[lane % LANE_COLOURS.length] } : {}}
        >
          {kind === "branch" ? name : `tag ${name}`}
        </span>
      ))}
      {rest.length === 0 ? null : <Badge title={listed.join("\n")}>+{rest.length}</Badge>}
    </>
  );
}
