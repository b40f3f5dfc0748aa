/** The log of operations of a repository of format 2. */
import { useState } from "react";
import { operationText } from "../../core/operation-words.ts";
import type { OlderOperations, RepositoryHistory, RepositoryUpdate } from "../../core/repository.ts";
import { useApp } from "../../store/react.tsx";
import { useTask } from "../../store/use-task.ts";
import { MoreRows } from "../../widgets/MoreRows.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { SnapshotTime } from "./SnapshotId.tsx";
import styles from "./HistoryPanel.module.css";

interface OperationsLogProps {
  readonly history: RepositoryHistory;
  readonly set: number;
}

/** Older entries come by files; nothing is shown for format 1, which has no log. */
export function OperationsLog({ history, set }: OperationsLogProps) {
  const [older, setOlder] = useState<readonly OlderOperations[]>([]);
  if (history.format === "1") return null;
  const entries = [...history.updates, ...older.flatMap(({ updates }) => updates)];
  const next = older.length === 0 ? history.updatesContinueIn : older.at(-1)?.updatesContinueIn;
  return (
    <details className={styles.log}>
      <summary>
        Log of operations <span className={styles.quiet}>{countOf(entries.length, "entry", "entries")}</span>
      </summary>
      {entries.length === 0 ? <p className={styles.note}>The log is empty.</p> : <LogTable entries={entries} />}
      {next === undefined ? null : (
        <Older set={set} file={next} onOlder={(answer) => setOlder((before) => [...before, answer])} />
      )}
    </details>
  );
}

/** Entries at a time; a log may have a million. */
const STEP = 500;

function LogTable({ entries }: { readonly entries: readonly RepositoryUpdate[] }) {
  const [limit, setLimit] = useState(STEP);
  return (
    <div className={styles.scroll} data-tall="true">
      <table className={styles.table} aria-label="Log of operations">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" className={styles.wide}>
              Operation
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, limit).map((entry, index) => (
            // The log may have the same operation twice at the same time.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td>
                <SnapshotTime time={entry.at} />
              </td>
              <td className={styles.wide} title={operationText(entry)}>
                {operationText(entry)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreRows shown={limit} total={entries.length} step={STEP} onMore={setLimit} />
    </div>
  );
}

interface OlderProps {
  readonly set: number;
  readonly file: string;
  readonly onOlder: (answer: OlderOperations) => void;
}

function Older({ set, file, onOlder }: OlderProps) {
  const { engine } = useApp();
  const { begun, begin } = useTask<void>("history-log", "Reading older operations", JSON.stringify([set, file]));
  const asking = begun?.running === true;
  const ask = () =>
    begin(async (options) => onOlder(await engine.call("repository.olderOperations", { set, file }, options)));
  if (begun?.error !== undefined) return <ErrorNotice error={begun.error} onRetry={ask} />;
  return (
    <p>
      <button type="button" aria-disabled={asking} onClick={() => (asking ? undefined : ask())}>
        Older operations
      </button>
    </p>
  );
}
