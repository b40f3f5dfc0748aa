/** The studio: the document on the left, what it renders to on the right, a chunk beside it when one is chosen. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Group, Panel } from "react-resizable-panels";
import { isAbort } from "../core/findings/finding.ts";
import type { Diagnostic, TextEdit, VersionRow } from "../core/studio.ts";
import { LazyReferenceEditor } from "../editor/LazyReferenceEditor.tsx";
import type { EditorHandle } from "../editor/props.ts";
import { ProblemsPanel } from "../panels/check/ProblemsPanel.tsx";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { DocumentPanel } from "../panels/studio/DocumentPanel.tsx";
import { VersionPanel } from "../panels/studio/VersionPanel.tsx";
import { SPECIFICATION_EXAMPLE } from "../panels/studio/specification-example.ts";
import { TableEditsDialog } from "../panels/table-edits/TableEditsDialog.tsx";
import type { App } from "../store/app-store.ts";
import type { EditState } from "../store/state.ts";
import { Pending, useActions, useApp, useAppState, useCommand } from "../store/react.tsx";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { Loading } from "../widgets/notes/Notices.tsx";
import { Button } from "../widgets/controls/Button.tsx";
import { ChunkSheet } from "./ChunkSheet.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import type { Ui } from "./ui-state.ts";
import { SMALL, useMediaQuery } from "../widgets/hooks.ts";
import { Columns, ProblemsPart, Stack, TREE_SHEET, useProblemsHeight } from "./workspace-parts.tsx";

export function StudioWorkspace({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const opened = useAppState((state) => (state.edit === undefined ? state.set?.id : undefined));
  useEffect(() => {
    if (opened !== undefined) void actions.beginEdit();
  }, [actions, opened]);
  if (edit === undefined) {
    return (
      <main className="middle grow" aria-label="Studio">
        <Loading label="Fetching the document" />
      </main>
    );
  }
  return <Editing key={edit.base.id} edit={edit} ui={ui} />;
}

type Asking = "discard" | "table" | undefined;

function Editing({ edit, ui }: { readonly edit: EditState; readonly ui: Ui }) {
  const studio = useStudio(edit);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  return (
    <>
      <Layout {...studioParts(edit, studio, ui, setAsking)} ui={ui} />
      {asking === "discard" ? <DiscardDialog onClose={close} /> : null}
      {asking === "table" ? <TableEditsDialog onClose={close} applyToText={studio.apply} text={studio.text} /> : null}
    </>
  );
}

function studioParts(edit: EditState, studio: Studio, ui: Ui, ask: (asking: Asking) => void) {
  return {
    document: (
      <main className="low tall clip">
        <CrashBoundary what="the editor">
          <DocumentPanel
            edit={edit}
            onUndo={studio.undo}
            onRedo={studio.redo}
            onFind={studio.find}
            onFormat={studio.format}
            onTableEdits={() => ask("table")}
            onDiscard={() => ask("discard")}
          >
            <StudioEditor edit={edit} studio={studio} />
          </DocumentPanel>
        </CrashBoundary>
      </main>
    ),
    result: (
      <CrashBoundary what="the result">
        <VersionPanel
          edit={edit}
          follow={studio.follow}
          onChoose={studio.choose}
          onExample={() => studio.insertAll(SPECIFICATION_EXAMPLE)}
        />
      </CrashBoundary>
    ),
    problems: (onHeight: (pixels: number) => void) => (
      <CrashBoundary what="the problems">
        <ProblemsPanel
          collapsed={!ui.problemsShown}
          onToggle={ui.toggleProblems}
          onHeight={onHeight}
          diagnostics={edit.answer?.diagnostics ?? []}
          unreadable={edit.answer !== undefined && edit.answer.set === undefined}
          onDiagnostic={studio.reveal}
          onFix={studio.fix}
        />
      </CrashBoundary>
    ),
  };
}

function Layout({ document, result, problems, ui }: ReturnType<typeof studioParts> & { readonly ui: Ui }) {
  const wide = !useMediaQuery(TREE_SHEET);
  const small = useMediaQuery(SMALL);
  const chunk = useAppState((state) => state.chunk !== undefined);
  const fitted = useProblemsHeight(ui.problemsShown);
  const onHighest = useHighest(fitted.onHeight);
  const side = <CrashBoundary what="the chunk">{small ? <ChunkSheet /> : <ChunkPanel />}</CrashBoundary>;
  if (!wide) {
    const beside = chunk && !small ? { chunk: side } : {};
    return (
      <>
        <Stack parts={{ document, result, ...beside, problems: problems(onHighest) }} />
        {small ? side : null}
      </>
    );
  }
  return (
    <Group orientation="vertical" className="grow low" {...fitted.group}>
      <Panel id="top" minSize={200} className="low tall clip">
        <Columns
          id="studio"
          first={{ id: "document", content: document, width: chunk ? "34%" : "46%", least: 300, isKept: false }}
          border="Width of the document"
          second={{ id: "result", content: result, least: 300 }}
          chunk={{ content: chunk ? side : undefined, width: 360, least: 280 }}
        />
      </Panel>
      <ProblemsPart fitted={fitted}>{problems(onHighest)}</ProblemsPart>
    </Group>
  );
}

/** Problems come and go with every key pressed: their region grows for them, and does not shrink again. */
function useHighest(onHeight: (pixels: number) => void): (pixels: number) => void {
  const highest = useRef(0);
  return useCallback(
    (pixels: number) => {
      highest.current = Math.max(highest.current, pixels);
      onHeight(highest.current);
    },
    [onHeight],
  );
}

function DiscardDialog({ onClose }: { readonly onClose: () => void }) {
  const actions = useActions();
  return (
    <Dialog
      title="Discard the edits?"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Keep editing
          </Button>
          <Button
            data-kind="primary"
            onClick={() => {
              onClose();
              void actions.discardEdits();
            }}
          >
            Discard
          </Button>
        </>
      }
    >
      <p>This restores the document as opened and deletes its edits from this browser.</p>
    </Dialog>
  );
}

// The text editor, tied to the store and the engine.

function StudioEditor({ edit, studio }: { readonly edit: EditState; readonly studio: Studio }) {
  const actions = useActions();
  const theme = useShownTheme();
  const asked = useEngineWords(edit);
  return (
    <LazyReferenceEditor
      underWay={<Pending label="Loading the editor" />}
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

/** Another generation is another text, with a history of its own. */
const editorDocument = ({ base, generation }: EditState): string => `${base.id}.${generation}`;

function useShownTheme(): "light" | "dark" {
  const theme = useAppState((state) => state.theme);
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  if (theme !== "system") return theme;
  return dark ? "dark" : "light";
}

/** The engine's words for places in the text. */
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

// Ties the editor, the rows and the engine together while a set is edited.

interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly reveal: boolean;
}

type Studio = ReturnType<typeof useStudio>;

function useStudio(edit: EditState) {
  const app = useApp();
  const [tools] = useState(() => studioTools(app));
  const [follow, setFollow] = useState<{ readonly key: string }>();
  const [onCursor] = useState(() => cursorFollower(app, setFollow));
  const highlight = useHighlight(edit, tools);
  useCommand("focus-editor", tools.focus);
  return {
    ...tools,
    /** Origin of the selected row, in the text that was rendered last. */
    highlight,
    /** The row on which the editor's cursor stands. */
    follow,
    onCursor,
  };
}

function studioTools({ actions, store }: App) {
  let editor: EditorHandle | undefined;
  let chosen = false;
  const text = () => editor?.text() ?? store.getState().edit?.text ?? "";
  const apply = (edits: readonly TextEdit[], label: string) => {
    editor?.applyEdits(edits, label);
    const [first] = edits;
    if (first !== undefined) editor?.reveal(first.start); // What changed is seen to have changed.
  };
  return {
    setEditor: (now: EditorHandle | undefined) => {
      editor = now;
      // Whoever begins a new document wants to write; what led here is gone from the screen.
      if (text().trim() === "" && document.activeElement === document.body) now?.focus();
    },
    text,
    /** Edits of the text as it is; one step to undo. */
    apply,
    focus: () => editor?.focus(),
    undo: () => editor?.undo(),
    redo: () => editor?.redo(),
    find: () => editor?.find(),
    format: () => editor?.format(),
    insertAll: (whole: string) => {
      apply([{ start: 0, end: text().length, text: whole }], "Insert the example");
      editor?.focus();
    },
    reveal: ({ place }: Diagnostic) => {
      editor?.reveal(place.start);
      editor?.focus();
    },
    // Places are of the text that was rendered: where it was edited since, they would hit something else.
    fix: ({ fix }: Diagnostic) => {
      if (fix === undefined || text() !== store.getState().edit?.answered) return;
      apply(fix.edits, fix.title);
      editor?.focus(); // What was pressed goes with the problem.
    },
    choose: ({ array, coordinates }: VersionRow) => {
      chosen = true;
      if (array !== undefined && coordinates !== undefined) actions.selectChunk(array, coordinates);
    },
    /** True if the selected row was chosen among the rows since the last call. */
    wasChosen: () => {
      const was = chosen;
      chosen = false;
      return was;
    },
  };
}

/** Origin of the selected row; scrolled into sight only if the row was chosen among the rows. */
function useHighlight(
  { row, answer, answered }: EditState,
  { wasChosen }: ReturnType<typeof studioTools>,
): Highlight | undefined {
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
    return () => controller.abort();
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
