import styles from "./HistoryPanel.module.css";

/** Heads of the columns that say of a snapshot what was committed and when. */
export function MessageAndTime() {
  return (
    <>
      <th scope="col" className={styles.wide}>
        Message
      </th>
      <th scope="col" className={styles.timeCell}>
        Time
      </th>
    </>
  );
}
