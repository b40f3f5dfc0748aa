/** Opens a branch, a tag or a snapshot: chosen from a list, or typed, since not all can be listed. */
import type { RepositoryHistory, SnapshotEntry } from "#core/repository.ts";
import { PickList, type PickItem } from "#widgets/controls/PickList.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import { useOpenRef } from "./HistoryParts.tsx";
import { messageLine, refWords } from "./history-words.ts";
import { refRows } from "./ref-rows.ts";
import styles from "./HistoryPanel.module.css";

interface RefChooserProps {
  /** Unknown where it could not be read. */
  readonly history: RepositoryHistory | undefined;
  /** Snapshots that branches and tags point to. */
  readonly heads: readonly SnapshotEntry[];
}

export function RefChooser({ history, heads }: RefChooserProps) {
  const openRef = useOpenRef();
  const name = history === undefined ? "Branch or tag" : capital(refWords(history.shown));
  return (
    <Popover label={name} title="Branch, tag or snapshot" align="end">
      <div className={styles.chooser}>
        <PickList
          label="Branch, tag or snapshot"
          placeholder="a name, or the id of a snapshot"
          itemsFor={(query) => itemsFor(history, heads, query.trim())}
          onPick={(ref) => openRef(ref)}
          nothing=""
        />
        {history?.refsComplete === false ? (
          <p className={tables.note}>
            Branches and tags of a format 1 repository cannot be listed over HTTP. main is known; open others by name.
          </p>
        ) : null}
      </div>
    </Popover>
  );
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Known names that have the text in them; what is typed may be a name that is not known, or an id. */
export function itemsFor(
  history: RepositoryHistory | undefined,
  heads: readonly SnapshotEntry[],
  query: string,
): readonly PickItem[] {
  const messages = new Map(heads.map(({ id, message }) => [id, messageLine(message)]));
  const known = (history === undefined ? [] : refRows(history)).flatMap(({ kind, name, ref, snapshot }): PickItem[] => {
    const label = name === undefined ? `snapshot ${snapshot ?? ""}` : `${kind} ${name}`;
    if (ref === undefined || !label.toLowerCase().includes(query.toLowerCase())) return [];
    const detail = messages.get(snapshot ?? "");
    return [{ id: ref, label, ...(detail === undefined ? {} : { detail }) }];
  });
  const isExact = known.some(({ label }) => label.endsWith(` ${query}`));
  return query === "" || isExact ? known : [...known, { id: query, label: `Open “${query}”` }];
}
