import type { ReactNode } from "react";
import styles from "./Section.module.css";

export interface SectionProps {
  readonly title: string;
  /** At the right end of the heading. */
  readonly aside?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A titled part of a view. Its title can be given the focus, where what had it is gone. */
export function Section({ title, aside, wide = false, children }: SectionProps) {
  return (
    <section className={`stack topmost gap-8 narrow ${styles.section}`} data-wide={wide}>
      <header className={styles.head}>
        <h3 tabIndex={-1}>{title}</h3>
        {aside === undefined ? null : <span className="quiet tabular">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
