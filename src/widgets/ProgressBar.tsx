import styles from "./ProgressBar.module.css";

export interface ProgressBarProps {
  /** What is under way, for those who do not see the bar. */
  readonly label: string;
  /** In one unit; without `total` the bar only says that something moves. */
  readonly done?: number;
  readonly total?: number;
}

/** How far something is. */
export function ProgressBar({ label, done, total }: ProgressBarProps) {
  const share = shareOf(done, total);
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return (
    <span
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-unknown={share === undefined}
    >
      <span className={styles.done} style={share === undefined ? undefined : { width: `${share * 100}%` }} />
    </span>
  );
}

function shareOf(done: number | undefined, total: number | undefined): number | undefined {
  if (done === undefined || total === undefined || total <= 0) return undefined;
  return Math.min(1, Math.max(0, done / total));
}
