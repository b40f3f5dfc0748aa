/** Says that a repair was applied, what reading its chunks then gave, and how to take it back. */
import { canUndoApplied } from "../../store/apply-edits.ts";
import type { EditState } from "../../store/edit-state.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import styles from "./AppliedRepair.module.css";

export function AppliedRepair() {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  if (edit?.applied === undefined) return null;
  const { again } = edit.applied;
  const isBad = edit.error !== undefined || (again?.kind === "read" && again.result.wrong.length > 0);
  return (
    <div className={styles.notice} role="status" aria-label="Applied repair" data-bad={isBad}>
      <p>
        Applied: <b>{edit.applied.label}</b>. {outcomeWords(edit)}
      </p>
      <span className={styles.buttons}>
        {canUndoApplied(edit) ? (
          <button type="button" onClick={actions.undoApplied}>
            Undo
          </button>
        ) : null}
        <button type="button" onClick={() => actions.showView("edit")}>
          Show in Edit
        </button>
        <button type="button" data-kind="quiet" onClick={actions.dismissApplied}>
          Dismiss
        </button>
      </span>
    </div>
  );
}

/** Good is only what was read again in the edited set. */
function outcomeWords({ rendering, error, applied }: EditState): string {
  const again = applied?.again;
  if (error !== undefined) return "The edited document cannot be read: what is shown is the set as it was before.";
  if (rendering || again === undefined || again.kind === "reading") return "Reading it again…";
  if (again.kind === "not-read") return "It was not read again.";
  const { read, wrong } = again.result;
  if (wrong.length > 0)
    return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as they should.`;
  if (read === 0) return "What is shown is the edited set.";
  return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks decode`}. What is shown is the edited set.`;
}
