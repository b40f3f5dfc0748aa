/** How many references the gens of a document may make. */
import { useId, useState } from "react";
import { useActions, useAppState } from "../store/react.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { formatCount } from "../widgets/number-format.ts";
import styles from "./LimitDialog.module.css";

/** A row of the table takes 22 bytes and its URL; beyond this a tab has no room. */
const LARGEST = 200_000_000;

export function LimitDialog({ onClose }: { readonly onClose: () => void }) {
  const actions = useActions();
  const id = useId();
  const most = useAppState((state) => state.maxGenerated);
  const [text, setText] = useState(String(most));
  const typed = Number(text.replaceAll(/[\s,_]/g, ""));
  const valid = Number.isInteger(typed) && typed > 0 && typed <= LARGEST;
  return (
    <Dialog
      title="Limit of generated references"
      size="small"
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            data-kind="primary"
            disabled={!valid}
            onClick={() => {
              onClose();
              void actions.setMaxGenerated(typed);
            }}
          >
            Apply
          </button>
        </>
      }
    >
      <div className={styles.form}>
        <label htmlFor={id}>Maximum number of references that the gens of a document may make</label>
        <input
          id={id}
          data-autofocus
          inputMode="numeric"
          value={text}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          A whole number up to {formatCount(LARGEST)}. Each takes 22 bytes and the text of its URL; ten million take
          some seconds. It lasts until the tab is closed.
        </p>
      </div>
    </Dialog>
  );
}
