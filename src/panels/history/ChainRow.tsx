import { useId, useState, type ReactNode } from "react";
import type { SnapshotEntry } from "../../core/repository.ts";
import { useActions } from "../../store/react.tsx";
import { Badge } from "../../widgets/Badge.tsx";
import { messageLine, shortId } from "./history-words.ts";
import { SnapshotDetails } from "./SnapshotDetails.tsx";
import { SnapshotId, SnapshotTime } from "./SnapshotId.tsx";
import { useOpenRef } from "./use-open-ref.ts";
import styles from "./HistoryPanel.module.css";

interface ChainRowProps {
  readonly entry: SnapshotEntry;
  /** Begins the names of the two groups of radio buttons. */
  readonly group: string;
  readonly shown: boolean;
  /** Branches and tags that point to it. */
  readonly names: readonly string[];
  readonly chainOf: string | undefined;
  readonly hasParent: boolean;
  /** Whether any snapshot of the chain has an author. */
  readonly authors: boolean;
  readonly from: boolean;
  readonly to: boolean;
  readonly onFrom: () => void;
  readonly onTo: () => void;
}

/** Names in a tooltip; all of them are under More. */
const MAX_LISTED = 30;

export function ChainRow({ entry, group, shown, names, from, to, ...props }: ChainRowProps) {
  const [opened, setOpened] = useState(false);
  const details = useId();
  const short = shortId(entry.id);
  return (
    <>
      <tr aria-current={shown ? "true" : undefined} data-chosen={from || to}>
        <Choice group={`${group}-from`} label={`Compare from ${short}`} chosen={from} onChoose={props.onFrom} />
        <Choice group={`${group}-to`} label={`Compare to ${short}`} chosen={to} onChoose={props.onTo} />
        <td>
          <SnapshotId id={entry.id} />
        </td>
        <th scope="row" className={styles.wide} title={entry.message}>
          <span className={styles.message}>
            <Names names={names} />
            <span className={styles.cut}>{messageLine(entry.message)}</span>
          </span>
          <span className={styles.under}>
            <SnapshotTime time={entry.time} />
          </span>
        </th>
        <td className={styles.timeCell}>
          <SnapshotTime time={entry.time} />
        </td>
        {props.authors ? (
          <td className={styles.author} title={entry.author}>
            {entry.author ?? <span className={styles.quiet}>–</span>}
          </td>
        ) : null}
        <Does entry={entry} shown={shown} chainOf={props.chainOf} hasParent={props.hasParent}>
          <button
            type="button"
            data-kind="quiet"
            aria-label={`${opened ? "Less" : "More"} about ${short}`}
            aria-expanded={opened}
            aria-controls={details}
            onClick={() => setOpened(!opened)}
          >
            {opened ? "Less" : "More"}
          </button>
        </Does>
      </tr>
      {opened ? (
        <tr id={details} className={styles.opened}>
          <td colSpan={props.authors ? 7 : 6}>
            <SnapshotDetails entry={entry} names={names} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

interface ChoiceProps {
  readonly group: string;
  readonly label: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ group, label, chosen, onChoose }: ChoiceProps) {
  return (
    <td>
      <input type="radio" name={group} aria-label={label} checked={chosen} onChange={onChoose} />
    </td>
  );
}

/** One and how many more: badges of all would push away the message. */
function Names({ names: [first, ...rest] }: Pick<ChainRowProps, "names">) {
  if (first === undefined) return null;
  const listed = [...rest.slice(0, MAX_LISTED), ...(rest.length > MAX_LISTED ? ["…"] : [])];
  return (
    <span className={styles.names}>
      <Badge tone={first.startsWith("branch") ? "accent" : "ok"} title={first}>
        {first}
      </Badge>
      {rest.length === 0 ? null : <Badge title={listed.join("\n")}>+{rest.length}</Badge>}
    </span>
  );
}

interface DoesProps extends Pick<ChainRowProps, "entry" | "shown" | "chainOf" | "hasParent"> {
  readonly children: ReactNode;
}

function Does({ entry: { id, parent }, shown, chainOf, hasParent, children }: DoesProps) {
  const actions = useActions();
  const openRef = useOpenRef();
  const short = shortId(id);
  return (
    <td className={styles.does}>
      <span>
        {shown ? (
          <Badge tone="accent">shown</Badge>
        ) : (
          <button
            type="button"
            data-kind="quiet"
            aria-label={`Open ${short}`}
            onClick={() => openRef(`snapshot:${id}`, chainOf)}
          >
            Open
          </button>
        )}
        <button
          type="button"
          data-kind="quiet"
          aria-label={`Changes of ${short}`}
          disabled={!hasParent}
          title={hasParent ? "Compare it with its parent" : "Its parent is not in the repository."}
          onClick={() => {
            if (parent === undefined) return;
            actions.chooseHistory({ from: parent, to: id });
            void actions.compareSnapshots({ from: parent, to: id, method: "auto" });
          }}
        >
          Changes
        </button>
        {children}
      </span>
    </td>
  );
}
