/** What other readers make of the whole set: in one line above the rows. */
import type { ReadersSummary } from "../../core/studio.ts";
import { READER_MEANING, READERS, summaryWords, TONE_SIGN } from "./reader-words.ts";
import styles from "./VersionPanel.module.css";

interface ReadersLineProps {
  readonly readers: ReadersSummary | undefined;
  /** The JavaScript reader is still at work. */
  readonly comparing: boolean;
  /** fsspec refuses the document: there is nothing to compare with. */
  readonly refused: boolean;
  /** Said of the text before, since the present one cannot be read. */
  readonly stale: boolean;
}

const PORTABLE = "Portable: fsspec's default mode and JavaScript readers give the same for every key.";

export function ReadersLine({ readers, comparing, refused, stale }: ReadersLineProps) {
  if (refused) {
    return (
      <p className={styles.readersLine}>
        <span className={styles.reader}>
          fsspec refuses the document: other readers are compared once it no longer does.
        </span>
      </p>
    );
  }
  if (readers === undefined) {
    return (
      <p className={styles.readersLine}>
        <span className={styles.reader}>Other readers are compared when you stop typing.</span>
      </p>
    );
  }
  if (readers.portable) {
    return (
      <p className={styles.readersLine} data-stale={stale}>
        <span className={styles.reader} data-tone="ok" title={PORTABLE}>
          <span aria-hidden="true">✓</span> {PORTABLE}
        </span>
      </p>
    );
  }
  return (
    <p className={styles.readersLine} data-stale={stale}>
      {READERS.map((reader) => {
        const busy = reader === "javascript" && comparing;
        const words = busy
          ? ({ tone: "quiet", short: "nunjucks: comparing…" } as const)
          : summaryWords(reader, readers[reader]);
        return (
          <span
            key={reader}
            className={styles.reader}
            data-tone={words.tone}
            title={`${words.short}\n${READER_MEANING[reader]}`}
          >
            <span aria-hidden="true">{TONE_SIGN[words.tone]}</span> {words.short}
          </span>
        );
      })}
    </p>
  );
}
