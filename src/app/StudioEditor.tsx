/** The text editor, tied to the store and the engine. */
import { useCallback } from "react";
import { LazyReferenceEditor } from "../editor/index.ts";
import type { EditState } from "../store/edit-state.ts";
import { useActions, useApp, useAppState, usePendingWhileShown } from "../store/react.tsx";
import { useMediaQuery } from "./use-media-query.ts";
import type { Studio } from "./use-studio.ts";

export function StudioEditor({ edit, studio }: { readonly edit: EditState; readonly studio: Studio }) {
  const actions = useActions();
  const theme = useShownTheme();
  const asked = useEngineWords(edit);
  return (
    <LazyReferenceEditor
      underWay={<EditorUnderWay />}
      label="Reference document"
      documentId={editorDocument(edit)}
      initialText={edit.text}
      theme={theme}
      onChange={actions.setText}
      diagnostics={edit.answer?.diagnostics ?? []}
      {...(edit.answered === undefined ? {} : { forText: edit.answered })}
      highlight={studio.highlight}
      onCursor={studio.onCursor}
      complete={asked.complete}
      hover={asked.hover}
      handle={studio.setEditor}
    />
  );
}

function EditorUnderWay() {
  usePendingWhileShown("Loading the editor");
  return null;
}

/** Another generation is another text, with a history of its own. */
export function editorDocument({ base, generation }: EditState): string {
  return `${base.id}.${generation}`;
}

function useShownTheme(): "light" | "dark" {
  const theme = useAppState((state) => state.theme);
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  if (theme !== "system") return theme;
  return dark ? "dark" : "light";
}

/** What the engine says of places in the text. */
function useEngineWords({ row, answer }: EditState) {
  const { engine } = useApp();
  const set = answer?.set?.id;
  const complete = useCallback(
    (text: string, offset: number) => engine.call("edit.complete", { text, offset }),
    [engine],
  );
  const hover = useCallback(
    async (text: string, offset: number) =>
      set === undefined ? undefined : engine.call("edit.hoverText", { set, text, offset, key: row }),
    [engine, set, row],
  );
  return { complete, hover };
}
