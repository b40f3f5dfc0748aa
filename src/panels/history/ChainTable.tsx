import { useId } from "react";
import type { Ancestry, RepositoryHistory, SnapshotEntry } from "../../core/repository.ts";
import { useActions } from "../../store/react.tsx";
import { ChainRow } from "./ChainRow.tsx";
import { refRows } from "./ref-rows.ts";
import { useCompared } from "./use-compared.ts";
import { MessageAndTime } from "./MessageAndTime.tsx";
import styles from "./HistoryPanel.module.css";

interface ChainTableProps {
  readonly history: RepositoryHistory;
  readonly chainOf: string | undefined;
  readonly entries: readonly SnapshotEntry[];
  readonly end: Ancestry["end"];
}

/** Snapshots, newest first; two columns choose which two are compared. */
export function ChainTable({ history, chainOf, entries, end }: ChainTableProps) {
  const actions = useActions();
  const { from, to } = useCompared(history);
  const group = useId();
  const names = namesBySnapshot(history);
  const authors = entries.some(({ author }) => author !== undefined);
  if (entries.length === 0) return null;
  return (
    <div className={styles.scroll} data-tall="true">
      <table className={styles.table} aria-label="Chain of snapshots">
        <thead>
          <tr>
            <th scope="col" title="Compare from this snapshot">
              From
            </th>
            <th scope="col" title="Compare to this snapshot">
              To
            </th>
            <th scope="col">Snapshot</th>
            <MessageAndTime />
            {authors ? (
              <th scope="col" className={styles.author}>
                Author
              </th>
            ) : null}
            <th scope="col">
              <span className={styles.unseen}>Open, compare, details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <ChainRow
              key={entry.id}
              entry={entry}
              group={group}
              shown={entry.id === history.shown.snapshot}
              names={names.get(entry.id) ?? []}
              chainOf={chainOf}
              hasParent={entry.parent !== undefined && !(end === "missing" && at === entries.length - 1)}
              authors={authors}
              from={entry.id === from}
              to={entry.id === to}
              onFrom={() => actions.chooseHistory({ from: entry.id, to })}
              onTo={() => actions.chooseHistory({ from, to: entry.id })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `branch main`, `tag v1`, by the snapshot they point to, `main` first. */
function namesBySnapshot(history: RepositoryHistory): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { kind, name, snapshot } of refRows(history)) {
    if (name === undefined || snapshot === undefined) continue;
    const words = `${kind} ${name}`;
    const known = names.get(snapshot);
    if (known === undefined) names.set(snapshot, [words]);
    else known.push(words);
  }
  return names;
}
