/** Branches, tags, deleted tags, and snapshots that none of these leads to. */
import { useEffect, useState } from "react";
import type { RepositoryHistory } from "../../core/repository.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { MoreRows } from "../../widgets/MoreRows.tsx";
import { Badge } from "../../widgets/Badge.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { messageLine, refOfShown } from "./history-words.ts";
import { knownRefs, refRows, type RefRow } from "./ref-rows.ts";
import { Section } from "../../widgets/Section.tsx";
import { SnapshotId, SnapshotTime } from "./SnapshotId.tsx";
import { useOpenRef } from "./use-open-ref.ts";
import { MessageAndTime } from "./MessageAndTime.tsx";
import styles from "./HistoryPanel.module.css";

/** Rows at a time. */
const STEP = 100;

export function RefsSection({ history }: { readonly history: RepositoryHistory }) {
  const [limit, setLimit] = useState(STEP);
  const rows = refRows(history);
  const shownRef = refOfShown(history.shown);
  // What is shown is never behind the button.
  const shown = rows.filter(({ ref }, at) => at < limit || ref === shownRef);
  useLearned(history, shown);
  return (
    <Section title="Branches and tags" aside={countWords(history)}>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label="Branches and tags">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col">Snapshot</th>
              <MessageAndTime />
              <th scope="col">
                <span className={styles.unseen}>Open</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.kind} ${row.name ?? row.snapshot ?? ""}`} row={row} current={row.ref === shownRef} />
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows shown={limit} total={rows.length} step={STEP} onMore={setLimit} />
    </Section>
  );
}

function countWords(history: RepositoryHistory): string {
  const { deletedTags, refsComplete } = history;
  const [branches, tags] = [knownRefs(history, "branch"), knownRefs(history, "tag")];
  const known = refsComplete ? "" : " known";
  const deleted = deletedTags.length === 0 ? "" : `, ${countOf(deletedTags.length, "tag")} deleted`;
  const noTags = refsComplete ? "no tags" : "no tags known";
  const tagWords = tags.length === 0 ? noTags : countOf(tags.length, "tag") + known;
  return `${countOf(branches.length, "branch", "branches")}${known}, ${tagWords}${deleted}`;
}

/** Format 2 has messages and times of all snapshots; format 1 would fetch a file for each. */
function useLearned({ format }: RepositoryHistory, rows: readonly RefRow[]): void {
  const actions = useActions();
  const entries = useAppState((state) => state.history.entries);
  const unknown = rows.flatMap(({ snapshot }) => (snapshot === undefined || entries.has(snapshot) ? [] : [snapshot]));
  const wanted = format === "1" ? "" : [...new Set(unknown)].join(" ");
  useEffect(() => {
    if (wanted !== "") void actions.learnSnapshots(wanted.split(" "));
  }, [wanted, actions]);
}

function Row({ row, current }: { readonly row: RefRow; readonly current: boolean }) {
  const { kind, name, ref, snapshot } = row;
  const openRef = useOpenRef();
  const entries = useAppState((state) => state.history.entries);
  const entry = row.entry ?? (snapshot === undefined ? undefined : entries.get(snapshot));
  return (
    <tr aria-current={current ? "true" : undefined}>
      <th scope="row" title={name} data-deleted={kind === "deleted tag"}>
        {name ?? <span className={styles.quiet}>–</span>}
      </th>
      <td>
        <Badge tone={kind === "branch" ? "accent" : kind === "tag" ? "ok" : "plain"}>{kind}</Badge>
      </td>
      <td>{snapshot === undefined ? null : <SnapshotId id={snapshot} />}</td>
      <td className={styles.wide} title={entry?.message}>
        {kind === "deleted tag" ? <span className={styles.quiet}>its name cannot be used again</span> : null}
        {entry === undefined ? null : messageLine(entry.message)}
        {entry === undefined ? null : (
          <span className={styles.under}>
            <SnapshotTime time={entry.time} />
          </span>
        )}
      </td>
      <td className={styles.timeCell}>{kind === "deleted tag" ? null : <SnapshotTime time={entry?.time} />}</td>
      <td className={styles.does}>
        {current ? <Badge tone="accent">shown</Badge> : null}
        {ref === undefined || current ? null : (
          <button type="button" data-kind="quiet" aria-label={`Open ${nameOf(row)}`} onClick={() => openRef(ref)}>
            Open
          </button>
        )}
      </td>
    </tr>
  );
}

const nameOf = ({ kind, name, snapshot }: RefRow): string =>
  name === undefined ? `snapshot ${snapshot ?? ""}` : `${kind} ${name}`;
