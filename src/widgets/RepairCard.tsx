import type { ReactNode } from "react";
import type { AlikeChunks, Certainty, Repair } from "../core/repair.ts";
import { evidenceLines, repairTitle } from "../core/repair.ts";
import styles from "./RepairCard.module.css";

interface RepairCardProps {
  readonly repair: Repair & { readonly certainty?: Certainty; readonly alike?: AlikeChunks };
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** How sure it is, and how far it reaches. */
  readonly notes?: readonly string[];
  /** Preview of the change. */
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}

/** A fix, wherever it was found: what it does, what speaks for it, and what can be done with it. */
export function RepairCard({ repair, aside, notes = [], children, actions }: RepairCardProps) {
  return (
    <div className={`grid leading gap-6 ${styles.card}`} data-certainty={repair.certainty}>
      <h3>
        {repairTitle(repair)}
        {aside}
      </h3>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <ul aria-label="Evidence">
        {evidenceLines(repair).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
      <div className={styles.actions}>{actions}</div>
    </div>
  );
}
