import type { Progress } from "#core/byte-source.ts";
import { formatBytes, formatCount } from "../number-format.ts";
import styles from "./ProgressBar.module.css";

export interface ProgressBarProps {
  /** Name of the task, for those who do not see the bar. */
  readonly label: string;
  /** Without a total the bar only says that something moves. */
  readonly progress: Progress | undefined;
}

/** How far something is. */
export function ProgressBar({ label, progress }: ProgressBarProps) {
  const share = shareOf(progress);
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

function shareOf({ done = 0, total = 0 }: Partial<Progress> = {}): number | undefined {
  return total <= 0 ? undefined : Math.min(1, Math.max(0, done / total));
}

/** `Reading references, 12.4 MB of 1.30 GB` */
export function progressText(progress: Progress): string {
  const amount = amountText(progress);
  return amount === "" ? progress.label : `${progress.label}, ${amount}`;
}

/** Nothing while the total is unknown and nothing has arrived. */
export function amountText({ done, total, unit }: Progress): string {
  if (done === 0 && total === undefined) return "";
  const write = unit === "bytes" ? formatBytes : formatCount;
  const amount = total === undefined ? write(done) : `${write(done)} of ${write(total)}`;
  return unit === "bytes" ? amount : `${amount} ${unit}`;
}
