import type { ReactNode } from "react";
import styles from "./HistoryPanel.module.css";

interface SectionProps {
  readonly title: string;
  /** At the right end of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of the view. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <header className={styles.sectionHead}>
        <h3 tabIndex={-1}>{title}</h3>
        {aside === undefined ? null : <span className={styles.aside}>{aside}</span>}
      </header>
      {children}
    </section>
  );
}
