/** The studio: the document on the left, what it renders to on the right, a chunk beside it when one is chosen. */
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { Group, Panel, useDefaultLayout } from "react-resizable-panels";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { DocumentPanel } from "../panels/studio/DocumentPanel.tsx";
import { SPECIFICATION_EXAMPLE } from "../panels/studio/specification-example.ts";
import { VersionPanel } from "../panels/studio/VersionPanel.tsx";
import { TableEditsDialog } from "../panels/table-edits/TableEditsDialog.tsx";
import { ProblemsPanel } from "../panels/check/ProblemsPanel.tsx";
import type { EditState } from "../store/edit-state.ts";
import { useActions, useAppState } from "../store/react.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { Loading } from "../widgets/Loading.tsx";
import { ChunkSheet } from "./ChunkSheet.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { layoutStorage } from "./layout-storage.ts";
import { StudioEditor } from "./StudioEditor.tsx";
import type { Ui } from "./ui-state.ts";
import { SMALL, useMediaQuery } from "./use-media-query.ts";
import { useStudio, type Studio } from "./use-studio.ts";
import { Border, ChunkPart, ProblemsPart, Stack, useProblemsHeight } from "./workspace-parts.tsx";
import styles from "./Workspace.module.css";

export function StudioWorkspace({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const opened = useAppState((state) => (state.edit === undefined ? state.set?.id : undefined));
  useEffect(() => {
    if (opened !== undefined) void actions.beginEdit();
  }, [actions, opened]);
  if (edit === undefined) {
    return (
      <main className={styles.waiting} aria-label="Studio">
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
  const close = () => {
    setAsking(undefined);
  };
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
      <main className={styles.fill}>
        <CrashBoundary what="the editor">
          <DocumentPanel
            edit={edit}
            onUndo={studio.undo}
            onRedo={studio.redo}
            onFind={studio.find}
            onFormat={studio.format}
            onTableEdits={() => {
              ask("table");
            }}
            onDiscard={() => {
              ask("discard");
            }}
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
          onExample={() => {
            studio.insertAll(SPECIFICATION_EXAMPLE);
          }}
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

interface LayoutProps {
  readonly document: ReactNode;
  readonly result: ReactNode;
  readonly problems: (onHeight: (pixels: number) => void) => ReactNode;
  readonly ui: Ui;
}

function Layout({ document, result, problems, ui }: LayoutProps) {
  const wide = useMediaQuery("(min-width: 1000px)");
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
    <Group orientation="vertical" className={styles.columns} {...fitted.group}>
      <Panel id="top" minSize={200} className={styles.fill}>
        <Columns document={document} result={result} chunk={chunk ? side : undefined} />
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

interface ColumnsProps {
  readonly document: ReactNode;
  readonly result: ReactNode;
  readonly chunk: ReactNode | undefined;
}

function Columns({ document, result, chunk }: ColumnsProps) {
  const panelIds = chunk === undefined ? ["document", "result"] : ["document", "result", "chunk"];
  const layout = useDefaultLayout({ id: "studio", panelIds, storage: layoutStorage });
  return (
    <Group {...layout}>
      <Panel id="document" defaultSize={chunk === undefined ? "46%" : "34%"} minSize={300} className={styles.fill}>
        {document}
      </Panel>
      <Border label="Width of the document" />
      <Panel id="result" minSize={300} className={styles.fill}>
        {result}
      </Panel>
      {chunk === undefined ? null : (
        <ChunkPart width={360} least={280}>
          {chunk}
        </ChunkPart>
      )}
    </Group>
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
          <button type="button" data-autofocus onClick={onClose}>
            Keep editing
          </button>
          <button
            type="button"
            data-kind="primary"
            onClick={() => {
              onClose();
              void actions.discardEdits();
            }}
          >
            Discard
          </button>
        </>
      }
    >
      <p>The document goes back to how it was opened. The edits kept in this browser are deleted.</p>
    </Dialog>
  );
}
