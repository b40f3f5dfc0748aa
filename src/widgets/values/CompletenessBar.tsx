import { formatCount, formatShare } from "../number-format.ts";
import styles from "./CompletenessBar.module.css";

export interface CompletenessBarProps {
  /** Chunks that are there: with a reference, or as objects of the store. */
  readonly present: number;
  /** Chunks of the grid. */
  readonly cells: number;
  /** Chunks not known yet. */
  readonly unknown?: number | undefined;
}

/** How much of an array's grid has references. Looks full only when it is, and empty only when it is. */
export function CompletenessBar({ present, cells, unknown = 0 }: CompletenessBarProps) {
  const sentence = completenessSentence(present, cells, unknown);
  return (
    <span
      className={styles.bar}
      role="img"
      aria-label={sentence}
      title={sentence}
      data-fill={unknown > 0 ? "unknown" : fillOf(present, cells)}
    >
      <span className={styles.present} style={{ width: `${shownPercent(present, cells)}%` }} />
    </span>
  );
}

export function completenessSentence(present: number, cells: number, unknown = 0): string {
  if (cells === 0) return "No chunks: a dimension has length 0.";
  if (unknown >= cells) return `Not known yet which of its ${formatCount(cells)} chunks exist.`;
  if (unknown > 0) {
    return `${formatCount(present)} of ${formatCount(cells)} chunks are known to exist; ${formatCount(unknown)} are not known yet.`;
  }
  const share = formatShare(present, cells);
  return `${formatCount(present)} of ${formatCount(cells)} chunks exist (${share}).`;
}

/** Width to draw: between 6% and 92% for whatever is neither empty nor full, so that both ends can be seen. */
export function shownPercent(present: number, cells: number): number {
  if (present <= 0 || cells <= 0) return 0;
  if (present >= cells) return 100;
  return Math.min(92, Math.max(6, (100 * present) / cells));
}

function fillOf(present: number, cells: number): "empty" | "part" | "full" {
  if (present <= 0) return "empty";
  return present >= cells ? "full" : "part";
}
