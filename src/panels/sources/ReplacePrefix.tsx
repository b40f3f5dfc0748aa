/** Finding and replacing what URLs begin with: first what it would do, then as an edit that can be taken back. */
import { useId, useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { canUndoApplied } from "../../store/apply-edits.ts";
import { useActions, useAppState, useSend } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { PrefixPreviewPart } from "./PrefixPreviewPart.tsx";
import { usePrefixPreview, type PrefixDraft } from "./use-prefix-preview.ts";
import styles from "./ReplacePrefix.module.css";

export interface ReplacePrefixProps {
  readonly set: SetSummary;
  /** What to begin with. */
  readonly prefix: string;
}

export function ReplacePrefix({ set, prefix }: ReplacePrefixProps) {
  return set.isDocument ? <Replace key={prefix} set={set} prefix={prefix} /> : <NotHere set={set} prefix={prefix} />;
}

/** Where references are in other files than one document. */
function NotHere({ set, prefix }: ReplacePrefixProps) {
  const send = useSend();
  return (
    <div className={styles.part}>
      <p>
        Only a set that is one Kerchunk JSON document is edited here; this one is {set.format}. On this page, targets
        can be read from elsewhere: a rewrite rule in Locations takes one prefix for another and leaves the references
        as they are.
      </p>
      <button
        type="button"
        onClick={() => {
          send({ kind: "show-locations", prefix: prefix === "" ? undefined : prefix });
        }}
      >
        Locations…
      </button>
    </div>
  );
}

function Replace({ set, prefix }: ReplacePrefixProps) {
  const id = useId();
  const [draft, setDraft] = useState<PrefixDraft>({ from: prefix, to: prefix });
  const preview = usePrefixPreview(set, draft);
  const problem = problemOf(draft);
  return (
    <div className={styles.part}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) preview.begin();
        }}
      >
        <label htmlFor={`${id}-from`}>Replace</label>
        <input
          id={`${id}-from`}
          value={draft.from}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setDraft({ ...draft, from: target.value })}
        />
        <label htmlFor={`${id}-to`}>with</label>
        <input
          id={`${id}-to`}
          value={draft.to}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setDraft({ ...draft, to: target.value })}
        />
        <span className={styles.buttons}>
          <button type="submit" disabled={problem !== undefined || preview.isRunning} title={problem}>
            Preview
          </button>
          {preview.isRunning ? (
            <button type="button" onClick={preview.cancel}>
              Cancel
            </button>
          ) : null}
          <button
            type="button"
            data-kind="primary"
            disabled={preview.found === undefined || preview.found.references === 0}
            title={preview.found === undefined ? "Preview it first: nothing is applied unseen." : undefined}
            onClick={preview.apply}
          >
            Apply
          </button>
        </span>
      </form>
      <p className={styles.quiet}>{set.rendered === true ? OF_RENDERED : OF_PLAIN}</p>
      {preview.error === undefined ? null : <ErrorNotice error={preview.error} />}
      {preview.found === undefined ? null : <PrefixPreviewPart found={preview.found} />}
      <Applied />
    </div>
  );
}

const OF_PLAIN =
  "Replaces what URLs begin with, in all references. Preview renders the document with it and changes nothing.";
const OF_RENDERED =
  "Replaces what URLs begin with as they are written, {{…}} included: in references, templates and gens. The URLs in the list are rendered.";

function problemOf({ from, to }: PrefixDraft): string | undefined {
  if (from === "") return "Type what the URLs begin with now.";
  return from === to ? "Type another beginning for them." : undefined;
}

/** What was applied last, and the way back. */
function Applied() {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const said = edit?.applied?.label;
  return (
    <p role="status" className={styles.applied}>
      {edit === undefined || said === undefined ? null : (
        <>
          <span>
            {edit.rendering ? "Applying" : "Applied"}: {said}.
          </span>
          {canUndoApplied(edit) ? (
            <button type="button" onClick={actions.undoApplied}>
              Undo
            </button>
          ) : null}
          <button type="button" data-kind="link" onClick={() => actions.showView("edit")}>
            Show in Edit
          </button>
        </>
      )}
    </p>
  );
}
