import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

export interface EmptyStateProps {
  /** What is the case: "No chunk selected" */
  readonly title: string;
  /** The next step: a sentence, a button. */
  readonly children: ReactNode;
}

/** In place of content: why there is none, and what to do next. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <div className={styles.next}>{children}</div>
    </div>
  );
}
