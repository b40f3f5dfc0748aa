import { formatCount, formatShare } from "./number-format.ts";
import styles from "./CompletenessBar.module.css";

export interface CompletenessBarProps {
  /** Chunks that have a reference. */
  readonly present: number;
  /** Chunks of the grid. */
  readonly cells: number;
}

/** How much of an array's grid has references. Looks full only when it is, and empty only when it is. */
export function CompletenessBar({ present, cells }: CompletenessBarProps) {
  const sentence = completenessSentence(present, cells);
  return (
    <span className={styles.bar} role="img" aria-label={sentence} title={sentence} data-fill={fillOf(present, cells)}>
      <span className={styles.present} style={{ width: `${shownPercent(present, cells)}%` }} />
    </span>
  );
}

export function completenessSentence(present: number, cells: number): string {
  if (cells === 0) return "No chunks: a dimension has length 0.";
  const share = formatShare(present, cells);
  return `${formatCount(present)} of ${formatCount(cells)} chunks have a reference (${share}).`;
}

/** Width to draw: between 6 % and 92 % for whatever is neither empty nor full, so that both ends can be seen. */
export function shownPercent(present: number, cells: number): number {
  if (present <= 0 || cells <= 0) return 0;
  if (present >= cells) return 100;
  return Math.min(92, Math.max(6, (100 * present) / cells));
}

function fillOf(present: number, cells: number): "empty" | "part" | "full" {
  if (present <= 0) return "empty";
  return present >= cells ? "full" : "part";
}
