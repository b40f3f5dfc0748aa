import { canUndoApplied } from "../../store/apply-edits.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import styles from "./AppliedNotice.module.css";

/** Says that a repair was applied, and so that the edited set is shown; with the way back. */
export function AppliedNotice({ array }: { readonly array: string }) {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  if (edit?.applied?.array !== array) return null;
  const { label } = edit.applied;
  return (
    <div className={styles.notice} role="status" aria-label="Applied repair">
      <p>
        <span aria-hidden="true">✓ </span>
        {edit.rendering ? "Applying: " : "Applied: "}
        <b>{label}</b>. What is shown is the edited set.
      </p>
      <span className={styles.buttons}>
        {canUndoApplied(edit) ? (
          <button
            type="button"
            onClick={() => {
              actions.undoApplied();
            }}
          >
            Undo
          </button>
        ) : null}
        <button
          type="button"
          onClick={() => {
            actions.showView("edit");
          }}
        >
          Show in Edit
        </button>
        <button
          type="button"
          data-kind="quiet"
          onClick={() => {
            actions.dismissApplied();
          }}
        >
          Dismiss
        </button>
      </span>
    </div>
  );
}
