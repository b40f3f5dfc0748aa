/** Applies chunk fixes to the text or the table, wherever the reference is stored. */
import { failure, findingOfError, isAbort, WHOLE_SET } from "../core/findings/finding.ts";
import type { TableEdit, TextEdit } from "../core/studio.ts";
import type { AppliedEdits, AppliedReading, EditState } from "./state.ts";
import type { Tools } from "./tasks.ts";

type Change = (part: Partial<EditState>, delay: number) => void;

export type ApplyActions = ReturnType<typeof applyActions>;

export function applyActions(tools: Tools, begin: () => Promise<void>, change: Change) {
  const { engine, store } = tools;
  const editOf = () => store.getState().edit;
  return {
    /**
     * Applies all edits as one step, and begins editing where it has not begun. What is shown is the edited set from
     * then on. Throws RefscopeError: `not-editable`, `edit-without-effect`, `json-invalid` where the text cannot be read.
     */
    applyEdits: async (edits: readonly TableEdit[], about: Pick<AppliedEdits, "label" | "array" | "chunks">) => {
      await begin();
      const edit = editOf();
      if (edit === undefined) throw notEditable();
      const inText = edits.filter((one) => isInText(edit, one));
      const inTable = edits.filter((one) => isInTable(edit, one));
      let { text } = edit;
      for (const one of inText) {
        text = applied(text, await engine.call("edit.textEdits", { text, edit: one }));
      }
      if (editOf()?.text !== edit.text || editOf()?.edits !== edit.edits) throw editedMeanwhile();
      if (text === edit.text && inTable.length === 0) throw withoutEffect();
      const after = { text, edits: inTable.length === 0 ? edit.edits : [...edit.edits, ...inTable] };
      const before = { text: edit.text, edits: edit.edits };
      const generation = text === edit.text ? edit.generation : edit.generation + 1;
      change({ ...after, generation, undone: [], applied: { ...about, before, after } }, 0);
    },
    /** Takes the last applied edits back, where nothing was edited since. */
    undoApplied: () => {
      const edit = editOf();
      if (edit?.applied === undefined || !canUndoApplied(edit)) return;
      const { before } = edit.applied;
      const generation = before.text === edit.text ? edit.generation : edit.generation + 1;
      change({ ...before, generation, undone: [], applied: undefined }, 0);
    },
    dismissApplied: () => {
      const edit = editOf();
      if (edit?.applied !== undefined) store.setState({ edit: { ...edit, applied: undefined } });
    },
    /** Reads again what was repaired, where that was cancelled or failed. */
    readAppliedAgain: () => {
      const edit = editOf();
      if (edit?.applied?.again?.kind === "not-read") void readApplied(tools);
    },
  };
}

/** Reads the repaired chunks in the edited set that is shown now; only then is the repair said to work. */
export async function readApplied({ engine, store, tasks }: Tools): Promise<void> {
  const { edit, set } = store.getState();
  if (edit?.applied === undefined || set === undefined || edit.answer?.set?.id !== set.id) return;
  const { applied } = edit;
  if (!canUndoApplied(edit) || applied.again?.kind === "reading" || applied.again?.kind === "read") return;
  const note = (again: AppliedReading) => {
    const now = store.getState().edit;
    if (now?.applied?.after === applied.after) store.setState({ edit: { ...now, applied: { ...now.applied, again } } });
  };
  note({ kind: "reading" });
  try {
    const { array, chunks } = applied;
    const result = await tasks.run("read-again", READING_AGAIN, (options) =>
      engine.call("repair.readAgain", { set: set.id, array, chunks }, options),
    );
    note({ kind: "read", result });
  } catch (error) {
    note({ kind: "not-read", error: isAbort(error) ? CANCELLED : findingOfError(error, READING_AGAIN) });
  }
}

const READING_AGAIN = "Re-reading the fixed chunks";
const CANCELLED = failure("read-again-cancelled", WHOLE_SET, {}).finding;

export function canUndoApplied({ applied, text, edits }: EditState): boolean {
  return applied !== undefined && applied.after.text === text && applied.after.edits === edits;
}

/** A document too large for a text still has its metadata, templates and gens in the text. */
function isInText({ source }: EditState, edit: TableEdit): boolean {
  return source.kind === "whole" || edit.kind === "replace-prefix" || isMetadata(edit);
}

/** Its references are in the table. */
const isInTable = ({ source }: EditState, edit: TableEdit): boolean => source.kind === "reduced" && !isMetadata(edit);

const isMetadata = (edit: TableEdit): boolean => edit.kind === "set-reference" && METADATA.test(edit.key);

const METADATA = /(?:^|\/)(?:\.zarray|\.zattrs|\.zgroup|zarr\.json)$/;

/** Applies edits in the order of the text, none touching another. */
function applied(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toReversed()
    .reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text);
}

const notEditable = () => failure("not-editable", WHOLE_SET, { problem: "locked" });

const editedMeanwhile = () => failure("edited-meanwhile", WHOLE_SET, {});

const withoutEffect = () => failure("edit-without-effect", WHOLE_SET, {});
