/** What ties the editor, the rows and the engine together while a set is edited. */
import { useEffect, useState } from "react";
import { isAbort } from "../core/errors.ts";
import type { Diagnostic, TextEdit, VersionRow } from "../core/studio.ts";
import type { EditorHandle } from "../editor/index.ts";
import type { App } from "../store/app-store.ts";
import type { EditState } from "../store/edit-state.ts";
import { useApp, useCommand } from "../store/react.tsx";

export interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly reveal: boolean;
}

export interface StudioTools {
  readonly setEditor: (editor: EditorHandle | undefined) => void;
  readonly focus: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly find: () => void;
  readonly format: () => void;
  /** Edits of the text as it is; one step to undo. */
  readonly apply: (edits: readonly TextEdit[], label: string) => void;
  readonly text: () => string;
  readonly insertAll: (text: string) => void;
  readonly reveal: (diagnostic: Diagnostic) => void;
  readonly fix: (diagnostic: Diagnostic) => void;
  readonly choose: (row: VersionRow) => void;
  /** Whether the selected row was chosen among the rows since this was asked last. */
  readonly wasChosen: () => boolean;
}

export interface Studio extends StudioTools {
  /** What made the selected row, in the text that was rendered last. */
  readonly highlight: Highlight | undefined;
  /** The row on which the editor's cursor stands. */
  readonly follow: { readonly key: string } | undefined;
  readonly onCursor: (offset: number) => void;
}

export function useStudio(edit: EditState): Studio {
  const app = useApp();
  const [tools] = useState(() => studioTools(app));
  const [follow, setFollow] = useState<{ readonly key: string }>();
  const [onCursor] = useState(() => cursorFollower(app, setFollow));
  const highlight = useHighlight(edit, tools);
  useCommand("focus-editor", tools.focus);
  return { ...tools, highlight, follow, onCursor };
}

function studioTools({ actions, store }: App): StudioTools {
  let editor: EditorHandle | undefined;
  let chosen = false;
  const text = () => editor?.text() ?? store.getState().edit?.text ?? "";
  const apply = (edits: readonly TextEdit[], label: string) => {
    editor?.applyEdits(edits, label);
    const [first] = edits;
    if (first !== undefined) editor?.reveal(first.start); // What changed is seen to have changed.
  };
  return {
    setEditor: (now) => {
      editor = now;
      // Whoever begins a new document wants to write; what led here is gone from the screen.
      if (text().trim() === "" && document.activeElement === document.body) now?.focus();
    },
    text,
    apply,
    focus: () => editor?.focus(),
    undo: () => editor?.undo(),
    redo: () => editor?.redo(),
    find: () => editor?.find(),
    format: () => editor?.format(),
    insertAll: (whole) => {
      apply([{ start: 0, end: text().length, text: whole }], "Insert the example");
      editor?.focus();
    },
    reveal: ({ place }) => {
      editor?.reveal(place.start);
      editor?.focus();
    },
    // Places are of the text that was rendered: where it was edited since, they would hit something else.
    fix: ({ fix }) => {
      if (fix === undefined || text() !== store.getState().edit?.answered) return;
      apply(fix.edits, fix.title);
      editor?.focus(); // What was pressed goes with the problem.
    },
    choose: ({ array, coordinates }) => {
      chosen = true;
      if (array !== undefined && coordinates !== undefined) actions.selectChunk(array, coordinates);
    },
    wasChosen: () => {
      const was = chosen;
      chosen = false;
      return was;
    },
  };
}

/** Where the selected row was made; brought into sight only where it was chosen among the rows. */
function useHighlight({ row, answer, answered }: EditState, { wasChosen }: StudioTools): Highlight | undefined {
  const { engine } = useApp();
  const [found, setFound] = useState<Highlight & { readonly row: string }>();
  const set = answer?.set?.id;
  useEffect(() => {
    if (row === undefined || set === undefined || answered === undefined) return undefined;
    const controller = new AbortController();
    engine.call("edit.rowPlace", { set, text: answered, key: row }, { signal: controller.signal }).then(
      (place) => {
        const reveal = wasChosen();
        setFound(place === undefined ? undefined : { row, start: place.start, end: place.end, reveal });
      },
      (error: unknown) => {
        if (!isAbort(error)) setFound(undefined);
      },
    );
    return () => {
      controller.abort();
    };
  }, [engine, row, set, answered, wasChosen]);
  return found?.row === row ? found : undefined;
}

/** From the editor's cursor to the row that is made there. */
function cursorFollower({ engine, actions, store }: App, follow: (row: { readonly key: string }) => void) {
  let asking = new AbortController();
  return (offset: number) => {
    asking.abort();
    asking = new AbortController();
    const { edit } = store.getState();
    if (edit?.answer?.set === undefined || edit.answered !== edit.text) return;
    const { signal } = asking;
    engine.call("edit.placeRow", { set: edit.answer.set.id, text: edit.text, offset }, { signal }).then(
      (key) => {
        if (key === undefined || key === store.getState().edit?.row) return;
        actions.selectRow(key);
        follow({ key });
      },
      () => undefined, // The text went on, or the set is gone: the next move of the cursor asks again.
    );
  };
}
