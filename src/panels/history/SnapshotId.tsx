import { CopyButton } from "../../widgets/CopyButton.tsx";
import { shortId } from "./history-words.ts";
import { shortTime } from "./snapshot-time.ts";
import styles from "./HistoryPanel.module.css";

/** A snapshot's id: its beginning, all of it in the tooltip and in the copy. */
export function SnapshotId({ id }: { readonly id: string }) {
  return (
    <span className={styles.id}>
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} what={`snapshot id ${shortId(id)}`} />
    </span>
  );
}

/** When it was made. */
export function SnapshotTime({ time }: { readonly time: string | undefined }) {
  if (time === undefined) return <span className={styles.quiet}>–</span>;
  return (
    <time className={styles.time} dateTime={time} title={`${time}, shown in the time zone of this computer`}>
      {shortTime(time)}
    </time>
  );
}

/** A sign and a word for a kind of change. */
export function ChangeMark(props: { readonly sign: string; readonly word: string; readonly tone: string }) {
  return (
    <span className={styles.mark} data-tone={props.tone}>
      <span className={styles.sign} aria-hidden="true">
        {props.sign}
      </span>
      {props.word}
    </span>
  );
}
