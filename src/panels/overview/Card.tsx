import type { ReactNode } from "react";
import styles from "./Card.module.css";

interface CardProps {
  readonly title: string;
  /** At the right end of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part beside the subject, a step of background apart. Its title can be given the focus. */
export function Card({ title, aside, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <h3 tabIndex={-1}>{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A part of a card, with a smaller title. */
export function CardPart({ title, aside, children }: CardProps) {
  return (
    <div className={styles.part}>
      <header className={styles.partHead}>
        <h4>{title}</h4>
        {aside === undefined ? null : <span>{aside}</span>}
      </header>
      {children}
    </div>
  );
}
