import { CopyButton } from "#widgets/controls/Button.tsx";
import styles from "./HistoryPanel.module.css";
import { shortId } from "./history-words.ts";

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

// Times of snapshots: short for the table, exact for the tooltip.

const two = (value: number) => String(value).padStart(2, "0");

/** `2024-05-06 07:08` in the time zone of this computer; the text itself where it is not a time. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
