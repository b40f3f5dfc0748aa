import type { ReactNode } from "react";
import type { Slice } from "#core/open-set.ts";
import type { Answer } from "#store/react.tsx";
import { ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import { strideWords } from "./values/value-words.ts";
import styles from "./ChunkPanel.module.css";

interface SliceNoticeProps {
  readonly answer: Answer<Slice>;
  /** How the slice is drawn. */
  readonly children: (slice: Slice) => ReactNode;
}

/** A slice as it is drawn, below what is to be said of it: why it is not there yet, or that not every value is in it. */
export function SliceNotice({ answer, children }: SliceNoticeProps) {
  const { data, error } = answer;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={answer.retry} />;
  if (data === undefined) return <Loading label="Preparing the values" />;
  const words = strideWords(data);
  return (
    <>
      {words === undefined ? null : <p className="quiet fine">{words}</p>}
      <div className={styles.stack} data-stale={answer.stale}>
        {children(data)}
      </div>
    </>
  );
}
