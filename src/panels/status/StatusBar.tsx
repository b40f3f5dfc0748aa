import type { Progress } from "../../core/byte-source.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import type { Task } from "../../store/state.ts";
import { formatBytes, formatCount, formatDuration, formatExactBytes } from "../../widgets/number-format.ts";
import { ProgressBar } from "../../widgets/ProgressBar.tsx";
import { HealthLine } from "./HealthLine.tsx";
import styles from "./StatusBar.module.css";

/** What is under way, each with its progress and a Cancel button, else the health of the set; at the right what it costs. */
export function StatusBar() {
  const tasks = useAppState((state) => state.tasks);
  const set = useAppState((state) => state.set);
  return (
    <footer className={styles.bar} data-empty={set === undefined && tasks.length === 0}>
      <div className={styles.tasks} role="status" aria-label="Progress">
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </div>
      {set === undefined || tasks.length > 0 ? null : <HealthLine set={set} />}
      {set === undefined ? null : (
        <span className={styles.facts} title={`${formatExactBytes(set.tableBytes)} for the table of references`}>
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
    <span className={styles.task}>
      <ProgressBar label={task.label} progress={progress} />
      <span className={styles.label} title={task.label}>
        {task.label}
      </span>
      {progress === undefined || amountText(progress) === "" ? null : (
        <span className={styles.progress} aria-hidden="true">
          {progress.label === task.label ? amountText(progress) : progressText(progress)}
        </span>
      )}
      {task.cannotCancel === true ? null : (
        <button type="button" data-kind="quiet" className={styles.cancel} onClick={() => actions.cancel(task.id)}>
          Cancel
        </button>
      )}
    </span>
  );
}

/** `Reading references, 12.4 MB of 1.30 GB` */
export function progressText(progress: Progress): string {
  const amount = amountText(progress);
  return amount === "" ? progress.label : `${progress.label}, ${amount}`;
}

/** Nothing while the total is unknown and nothing has arrived. */
function amountText({ done, total, unit }: Progress): string {
  if (done === 0 && total === undefined) return "";
  const write = unit === "bytes" ? formatBytes : formatCount;
  const amount = total === undefined ? write(done) : `${write(done)} of ${write(total)}`;
  return unit === "bytes" ? amount : `${amount} ${unit}`;
}
