/** Changes of many references at once, and of templates: edits of the text where it is whole, of the table where not. */
import { useId, useState, type ReactNode } from "react";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import type { TableEdit, TextEdit } from "../../core/studio.ts";
import type { EditState } from "../../store/edit-state.ts";
import { useActions, useApp, useAppState } from "../../store/react.tsx";
import { Dialog } from "../../widgets/Dialog.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { ChangeFields } from "./ChangeFields.tsx";
import { changeOf, emptyDraft, problemOf, type Change, type Draft } from "./change-draft.ts";
import { editWords } from "./edit-words.ts";
import { templateOverride, templatesIn } from "./template-override.ts";
import styles from "./TableEditsDialog.module.css";

export interface TableEditsDialogProps {
  readonly onClose: () => void;
  /** One step to undo in the editor. */
  readonly applyToText: (edits: readonly TextEdit[], label: string) => void;
  /** The text as the editor has it now. */
  readonly text: () => string;
}

const isRootArray = ({ kind, path }: NodeSummary) => kind === "array" && path === "";

export function TableEditsDialog({ onClose, applyToText, text }: TableEditsDialogProps) {
  const edit = useAppState((state) => state.edit);
  const [templates] = useState(() => templatesIn(text()));
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(templates[0]));
  const { said, error, apply } = useApply(edit, applyToText, text);
  const formId = useId();
  const hasRootArray = useAppState(({ set }) => set?.nodes.some(isRootArray) === true);
  if (edit === undefined) return null;
  const problem = problemOf(draft, hasRootArray);
  const submit = () => {
    if (problem === undefined) void apply(changeOf(draft));
  };
  return (
    <Dialog
      title="Change references"
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" form={formId} data-kind="primary" disabled={problem !== undefined} title={problem}>
            Apply
          </button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ChangeFields draft={draft} onDraft={setDraft} templates={templates} />
        <p role="status" className={styles.said}>
          {said}
        </p>
        {error === undefined ? null : <ErrorNotice error={error} />}
        <EditsSoFar edit={edit} />
      </form>
    </Dialog>
  );
}

/** Nothing is applied silently: says what was done, or why not. */
function useApply(
  edit: EditState | undefined,
  applyToText: TableEditsDialogProps["applyToText"],
  text: TableEditsDialogProps["text"],
) {
  const { engine, actions } = useApp();
  const [said, setSaid] = useState("");
  const [error, setError] = useState<Finding>();
  const textEdits = async (change: TableEdit) => engine.call("edit.textEdits", { text: text(), edit: change });
  const apply = async (change: Change) => {
    setError(undefined);
    try {
      if (change.kind !== "template" && edit?.source.kind === "reduced") {
        // URLs of templates and gens are in the text, all others in the table.
        const inText = change.kind === "replace-prefix" ? await textEdits(change) : [];
        actions.editTable(change);
        if (inText.length > 0) applyToText(inText, editWords(change));
        setSaid(inTableWords(change, inText.length));
        return;
      }
      const edits =
        change.kind === "template" ? templateOverride(text(), change.name, change.value) : await textEdits(change);
      if (edits !== undefined && edits.length > 0) applyToText(edits, editWords(change));
      setSaid(saidOf(change, edits));
    } catch (thrown) {
      setError(findingOfError(thrown, editWords(change)));
    }
  };
  return { said, error, apply };
}

function saidOf(change: Change, edits: readonly TextEdit[] | undefined): string {
  if (edits === undefined) return "The text is not a JSON object at the moment: fix it first.";
  if (edits.length === 0) return "Nothing in the text matches, so nothing was changed.";
  return `${editWords(change)}: ${countOf(edits.length, "place")} in the text changed. Undo takes it back.`;
}

function effectOf({ answer, rendering }: EditState): string {
  if (rendering || answer === undefined) return "The result is being rendered…";
  const { added, changed, removed } = answer.changes;
  const [isNew, other, gone] = [added, changed, removed].map((count) => formatCount(count));
  return `All edits together, against the document as opened: ${isNew} new, ${other} changed, ${gone} removed.`;
}

function inTableWords(change: Change, places: number): string {
  const text = places === 0 ? "" : `, and ${countOf(places, "place")} in the text changed`;
  return `${editWords(change)}: applied to the table${text}. The result is shown below.`;
}

/** Edits of references that are in no text, with a way back. */
function EditsSoFar({ edit }: { readonly edit: EditState }): ReactNode {
  const actions = useActions();
  if (edit.source.kind === "whole") return null;
  return (
    <section aria-label="Edits so far" className={styles.section}>
      <h3>Edits so far</h3>
      {edit.edits.length === 0 ? <p className={styles.quiet}>None yet.</p> : null}
      <ol className={styles.edits}>
        {edit.edits.map((one, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- they are only ever added and taken away at the end
          <li key={place}>{editWords(one)}</li>
        ))}
      </ol>
      <p className={styles.quiet}>{effectOf(edit)}</p>
      <div className={styles.row}>
        <button type="button" disabled={edit.edits.length === 0} onClick={actions.undoTableEdit}>
          Undo the last
        </button>
        <button type="button" disabled={edit.undone.length === 0} onClick={actions.redoTableEdit}>
          Redo
        </button>
      </div>
    </section>
  );
}
