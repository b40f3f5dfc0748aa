import type { ReactNode } from "react";
import { useActions, useAppState } from "#store/react.tsx";
import type { Task } from "#store/state.ts";
import { amountText, ProgressBar, progressText } from "#widgets/notes/ProgressBar.tsx";
import { formatBytes, formatDuration, formatExactBytes } from "#widgets/number-format.ts";
import { QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./StatusBar.module.css";

/**
 * Tasks under way, each with its progress and a Cancel button, else `children`, the health of the set; at the right its
 * cost.
 */
export function StatusBar({ children }: { readonly children: ReactNode }) {
  const set = useAppState((state) => state.set);
  const all = useAppState((state) => state.tasks);
  // On the start page the field says how far opening is, and what waits for code says so itself.
  const tasks = set === undefined ? all.filter((one) => one.region !== "open" && one.cannotCancel !== true) : all;
  if (set === undefined && tasks.length === 0) return null;
  return (
    <footer className={styles.bar}>
      <div className={styles.tasks} role="status" aria-label="Progress">
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </div>
      {tasks.length > 0 ? null : children}
      {set === undefined ? null : (
        <span
          className={`rigid aside faint tabular ${styles.facts}`}
          title={`${formatExactBytes(set.tableBytes)} for the table of references`}
        >
          opened in {formatDuration(set.openMilliseconds)} · {formatBytes(set.tableBytes)} in memory
        </span>
      )}
    </footer>
  );
}

function TaskLine({ task }: { readonly task: Task }) {
  const actions = useActions();
  const { progress } = task;
  return (
    <span className="row gap-10 narrow">
      <ProgressBar label={task.label} progress={progress} />
      <span className={styles.label} title={task.label}>
        {task.label}
      </span>
      {progress === undefined || amountText(progress) === "" ? null : (
        <span className={`faint ${styles.progress}`} aria-hidden="true">
          {progress.label === task.label ? amountText(progress) : progressText(progress)}
        </span>
      )}
      {task.cannotCancel === true ? null : (
        <QuietButton className={styles.cancel} onClick={() => actions.cancel(task.id)}>
          Cancel
        </QuietButton>
      )}
    </span>
  );
}
