import { useId, useState } from "react";
import { firstToSelect, LOOKED_THROUGH } from "../../core/changed-chunk.ts";
import { CHANGES, type ArrayChanges } from "../../core/repository.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import { MoreRows } from "../../widgets/MoreRows.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { ChangedChunkList } from "./ChangedChunkList.tsx";
import { CHUNK_SIGNS } from "./history-words.ts";
import { NodeLink } from "./NodeChangesTable.tsx";
import { ChangeMark } from "./SnapshotId.tsx";
import styles from "./HistoryPanel.module.css";

interface ArrayChangesTableProps {
  readonly set: number;
  readonly arrays: readonly ArrayChanges[];
}

/** Rows at a time. */
const STEP = 200;

/** Arrays whose chunks differ, each with the list of those chunks. */
export function ArrayChangesTable({ set, arrays }: ArrayChangesTableProps) {
  const [opened, setOpened] = useState<string>();
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <table className={styles.table} aria-label="Arrays of which chunks differ">
        <thead>
          <tr>
            <th scope="col" className={styles.wide}>
              Array
            </th>
            <th scope="col" data-numeric="true">
              Chunks
            </th>
            <th scope="col">How</th>
            <th scope="col">
              <span className={styles.unseen}>Show</span>
            </th>
          </tr>
        </thead>
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
    requestAnimationFrame(() => {
      commands.send({ kind: "focus-view-tab" });
    });
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
            <button
              type="button"
              data-kind="quiet"
              aria-label={`${opened ? "Hide" : "List"} chunks of ${name}`}
              aria-expanded={opened}
              aria-controls={list}
              onClick={onToggle}
            >
              {opened ? "Hide chunks" : "List chunks"}
            </button>
            <button
              type="button"
              aria-label={`Show on the grid map ${name}`}
              disabled={!shown}
              title={shown ? undefined : "The snapshot that is shown has no array at this path: open one that has."}
              onClick={() => void showOnMap()}
            >
              Show on the grid map
            </button>
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
