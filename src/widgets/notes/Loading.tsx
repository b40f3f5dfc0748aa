import type { Progress } from "../../core/byte-source.ts";
import { ProgressBar } from "./ProgressBar.tsx";
import { Button } from "../controls/Button.tsx";
import styles from "./Loading.module.css";

export interface LoadingProps {
  /** What is being loaded: "Loading rows". */
  readonly label?: string;
  readonly progress?: Progress | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** A sign that something is under way; it appears only after 150 ms, so that quick answers do not flicker. */
export function Loading({ label = "Loading", progress, onCancel }: LoadingProps) {
  return (
    <div className={styles.loading} aria-busy="true">
      <ProgressBar label={label} progress={progress} />
      <span>{progress?.label ?? label}…</span>
      {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
}
