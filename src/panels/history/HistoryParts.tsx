/** Parts that the sections of History share: a snapshot's id and time, opening it, and a task that is under way. */
import { CopyButton } from "#widgets/controls/Button.tsx";
import styles from "./HistoryPanel.module.css";
import { shortId } from "./history-words.ts";
import { useActions, useAppState } from "#store/react.tsx";
import { Loading } from "#widgets/notes/Notices.tsx";

/** A snapshot's id: its beginning, all of it in the tooltip and in the copy. */
export function SnapshotId({ id }: { readonly id: string }) {
  return (
    <span className={`inline-row gap-2 narrow ${styles.id}`}>
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} what={`snapshot id ${shortId(id)}`} />
    </span>
  );
}

/** When it was made. */
export function SnapshotTime({ time }: { readonly time: string | undefined }) {
  if (time === undefined) return <span className="faint">–</span>;
  return (
    <time className="quiet" dateTime={time} title={`${time}, shown in the time zone of this computer`}>
      {shortTime(time)}
    </time>
  );
}

/** Made once: a formatter takes longer than a row. */
const SHORT_TIME = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short" });

/** `2024-05-06 07:08` in the time zone of this computer, as Swedes write it; the text itself where it is not a time. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : SHORT_TIME.format(at);
}

/** Opens another snapshot from this view: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or a name alone. */
export function useOpenRef(): (ref: string) => void {
  const { openRef } = useActions();
  return (ref) => void openRef(ref);
}

/** The task of this label is under way; it may be cancelled once the status bar shows it. */
export function TaskLoading({ label }: { readonly label: string }) {
  const actions = useActions();
  const task = useAppState((state) => state.tasks.find((one) => one.label === label));
  return <Loading label={label} progress={task?.progress} onCancel={task && (() => actions.cancel(task.id))} />;
}
