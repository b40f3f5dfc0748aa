import type { Explain } from "../../core/findings/explained.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { canUndoApplied } from "../../store/apply-edits.ts";
import type { EditState } from "../../store/edit-state.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { againWords, wrongWords } from "./repair-words.ts";
import styles from "./AppliedNotice.module.css";

const MAX_WRONG = 5;

interface Outcome {
  readonly kind: "under-way" | "good" | "bad";
  readonly text: string;
}

/** Good is what was read again in the edited set, nothing else. */
function outcomeOf(edit: EditState, explain: Explain | undefined): Outcome {
  const { rendering, error, answer, applied } = edit;
  const again = applied?.again;
  if (rendering) return { kind: "under-way", text: "" };
  if (error !== undefined || answer?.set === undefined) {
    return { kind: "bad", text: "The edited document cannot be read: what is shown is the set as it was before." };
  }
  if (again?.kind === "read") {
    const text = `${againWords(again.result)} What is shown is the edited set.`;
    return { kind: again.result.wrong.length === 0 ? "good" : "bad", text };
  }
  if (again?.kind === "not-read")
    return { kind: "bad", text: `Not read again. ${explain?.(again.error).message ?? ""}` };
  if (!canUndoApplied(edit)) {
    return { kind: "bad", text: "The document was edited again before the chunks were read again." };
  }
  return { kind: "under-way", text: "Reading it again…" };
}

/** Says that a repair was applied, and so that the edited set is shown; with the way back. */
export function AppliedNotice({ array }: { readonly array: string }) {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const explain = useExplain();
  if (edit?.applied?.array !== array) return null;
  const { label, again } = edit.applied;
  const outcome = outcomeOf(edit, explain);
  return (
    <div className={styles.notice} role="status" aria-label="Applied repair" data-outcome={outcome.kind}>
      <p>
        {outcome.kind === "good" ? <span aria-hidden="true">✓ </span> : null}
        {outcome.kind === "under-way" ? "Applying: " : "Applied: "}
        <b>{label}</b>. {outcome.text}
      </p>
      {again?.kind === "read" && again.result.wrong.length > 0 ? (
        <ul className={styles.wrong}>
          {again.result.wrong.slice(0, MAX_WRONG).map(({ key, found }) => (
            <li key={key}>
              <code>{key}</code> {wrongWords(found, explain)}
            </li>
          ))}
        </ul>
      ) : null}
      <span className={styles.buttons}>
        {canUndoApplied(edit) ? (
          <button type="button" onClick={actions.undoApplied}>
            Undo
          </button>
        ) : null}
        {again?.kind === "not-read" ? (
          <button type="button" onClick={actions.readAppliedAgain}>
            Read again
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
        <button type="button" data-kind="quiet" onClick={actions.dismissApplied}>
          Dismiss
        </button>
      </span>
    </div>
  );
}
