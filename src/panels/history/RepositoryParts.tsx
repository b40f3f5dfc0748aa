/** Facts of the repository as a whole, and its log of operations. */
import { useState } from "react";
import { operationText } from "#core/words/operation-words.ts";
import type { OlderOperations, RepositoryHistory, RepositoryUpdate } from "#core/repository.ts";
import { useApp } from "#store/react.tsx";
import { useTask } from "#store/hooks/use-task.ts";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { countOf } from "#widgets/number-format.ts";
import { Button } from "#widgets/controls/Button.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./HistoryPanel.module.css";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { SnapshotTime } from "./HistoryParts.tsx";
import { statusWords } from "./history-words.ts";

export function RepositoryFacts({
  history: { format, writer, status, deletedTags },
}: {
  readonly history: RepositoryHistory;
}) {
  return (
    <DefinitionList
      layout="cells"
      items={[
        { term: "Icechunk format", description: format },
        { term: "Written by", description: writer },
        {
          term: "Status",
          description: status && statusWords(status),
          ...(status?.since === undefined ? {} : { title: `since ${status.since}` }),
        },
        {
          term: "Deleted tags",
          description: deletedTags.length === 0 ? undefined : <s>{deletedTags.join(", ")}</s>,
          title: "Their names cannot be used again",
        },
      ]}
    />
  );
}

// The log of operations of a repository of format 2.

/** Older entries come by files; nothing is shown for format 1, which has no log. */
export function OperationsLog({ history, set }: { readonly history: RepositoryHistory; readonly set: number }) {
  const [older, setOlder] = useState<readonly OlderOperations[]>([]);
  if (history.format === "1") return null;
  const entries = [...history.updates, ...older.flatMap(({ updates }) => updates)];
  const next = older.length === 0 ? history.updatesContinueIn : older.at(-1)?.updatesContinueIn;
  return (
    <details className={styles.log}>
      <summary>
        Log of operations <span className="faint">{countOf(entries.length, "entry", "entries")}</span>
      </summary>
      {entries.length === 0 ? (
        <p className={tables.note}>The log is empty.</p>
      ) : (
        <SmallTable label="Log of operations" columns={LOG_COLUMNS} rows={entries} step={STEP} tall />
      )}
      {next === undefined ? null : (
        <Older set={set} file={next} onOlder={(answer) => setOlder((before) => [...before, answer])} />
      )}
    </details>
  );
}

/** Entries at a time; a log may have a million. */
const STEP = 500;

const LOG_COLUMNS: readonly SmallColumn<RepositoryUpdate>[] = [
  { id: "time", header: "Time", value: ({ at }) => at, cell: ({ at }) => <SnapshotTime time={at} /> },
  {
    id: "operation",
    header: "Operation",
    room: "rest",
    value: operationText,
    cell: (entry) => <span title={operationText(entry)}>{operationText(entry)}</span>,
  },
];

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
      <Button aria-disabled={asking} onClick={() => (asking ? undefined : ask())}>
        Older operations
      </Button>
    </p>
  );
}
