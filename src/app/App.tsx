import { lazy, Suspense, useCallback, useEffect } from "react";
import { KeptEdits } from "../panels/kept/KeptEdits.tsx";
import { ChooseDialog } from "../panels/open/ChooseDialog.tsx";
import { OpenDialog } from "../panels/open/OpenDialog.tsx";
import { OpenForm } from "../panels/open/OpenForm.tsx";
import { WindowDrop } from "../panels/open/WindowDrop.tsx";
import { Samples } from "../panels/start/Samples.tsx";
import { StartPanel } from "../panels/start/StartPanel.tsx";
import { StatusBar } from "../panels/status/StatusBar.tsx";
import { UnreadableBanner } from "../panels/targets/UnreadableBanner.tsx";
import { useActions, useApp, useAppState, usePendingWhileShown } from "../store/react.tsx";
import type { OpenError } from "../store/state.ts";
import { ExplainCode } from "../widgets/CodeButton.tsx";
import { ErrorNotice } from "../widgets/ErrorNotice.tsx";
import { loadCatalogue } from "../widgets/use-explain.ts";
import { Loading } from "../widgets/Loading.tsx";
import { CommandPalette } from "./CommandPalette.tsx";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { Header } from "./Header.tsx";
import { StartBar } from "./StartBar.tsx";
import { KeysDialog } from "./KeysDialog.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import { useUi, type Ui } from "./ui-state.ts";
import { useDialogCommands, useMirrors, useShortcuts } from "./use-shell.ts";
import { Workspace } from "./Workspace.tsx";
import "./tokens.css";
import "./base.css";
import styles from "./App.module.css";

/** Few need it at once, and it brings the editor. */
const StudioWorkspace = lazy(async () => {
  const { StudioWorkspace } = await import("./StudioWorkspace.tsx");
  return { default: StudioWorkspace };
});
const ExportDialog = lazy(async () => {
  const { ExportDialog } = await import("../panels/export/ExportDialog.tsx");
  return { default: ExportDialog };
});

const CodesDialog = lazy(async () => {
  const { CodesDialog } = await import("./CodesDialog.tsx");
  return { default: CodesDialog };
});

/** The page: where to begin while nothing is open, else the set. */
export function App() {
  const app = useApp();
  useMirrors(app);
  const explain = useCallback(
    (code: string) => {
      app.commands.send({ kind: "explain-code", code });
    },
    [app],
  );
  return (
    <ExplainCode value={explain}>
      <CrashBoundary what="the page">
        <Shell />
      </CrashBoundary>
    </ExplainCode>
  );
}

/** What a set is found to have is said by the catalogue: it is fetched while the first one is opened. */
function useWordsInTime(): void {
  // Not while the page fetches code of its own, which the start page does too.
  const isBusy = useAppState((state) => state.tasks.some((task) => task.cannotCancel !== true));
  useEffect(() => {
    if (isBusy) void loadCatalogue();
  }, [isBusy]);
}

function Shell() {
  const app = useApp();
  const set = useAppState((state) => state.set);
  const view = useAppState((state) => state.view);
  const ui = useUi();
  const opened = useAppState((state) => state.opened);
  useWordsInTime();
  useShortcuts(app, ui);
  useDialogCommands(ui);
  return (
    <div className={styles.shell}>
      {set === undefined ? (
        <StartPanel notice={<OpenErrorNotice ui={ui} />} bar={<StartBar ui={ui} />} more={<KeptEdits />}>
          <OpenForm />
        </StartPanel>
      ) : (
        <>
          <Header set={set} ui={ui} />
          <div className={styles.notice}>
            <OpenErrorNotice ui={ui} />
          </div>
          <UnreadableBanner key={opened} set={set.id} />
          {view === "edit" && set.isDocument ? (
            <Suspense fallback={<StudioUnderWay />}>
              <StudioWorkspace ui={ui} />
            </Suspense>
          ) : (
            <Workspace set={set} ui={ui} />
          )}
        </>
      )}
      <StatusBar />
      <Dialogs ui={ui} />
      <WindowDrop />
    </div>
  );
}

/** Takes the studio's place while its code is fetched, which counts as something pending. */
function StudioUnderWay() {
  usePendingWhileShown("Loading the studio");
  return (
    <main className={styles.waiting} aria-label="Studio">
      <Loading label="Loading the studio" />
    </main>
  );
}

function DialogUnderWay() {
  usePendingWhileShown("Loading the dialog");
  return null;
}

function Dialogs({ ui }: { readonly ui: Ui }) {
  const close = () => {
    ui.show(undefined);
  };
  return (
    <>
      <ChooseDialog />
      {ui.dialog === "open" || ui.dialog === "locations" ? (
        <OpenDialog page={ui.dialog} prefix={ui.prefix} onPage={ui.show} onClose={close}>
          <Samples onOpening={close} />
          <Writing onOpening={close} />
        </OpenDialog>
      ) : null}
      {ui.dialog === "commands" ? <CommandPalette ui={ui} /> : null}
      {ui.dialog === "export" ? (
        <Suspense fallback={<DialogUnderWay />}>
          <ExportDialog onClose={close} />
        </Suspense>
      ) : null}
      {ui.dialog === "limit" ? <LimitDialog onClose={close} /> : null}
      {ui.dialog === "keys" ? (
        <KeysDialog
          onClose={close}
          onCodes={() => {
            ui.showCodes({});
          }}
        />
      ) : null}
      {ui.codes !== undefined ? (
        <Suspense fallback={<DialogUnderWay />}>
          <CodesDialog
            code={ui.codes.asked}
            onClose={() => {
              ui.showCodes(undefined);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** A new document, and those whose edits are kept. */
function Writing({ onOpening }: { readonly onOpening?: () => void }) {
  const actions = useActions();
  return (
    <>
      <p className={styles.writing}>
        <button
          type="button"
          onClick={() => {
            onOpening?.();
            void actions.newDocument();
          }}
        >
          Write a new document
        </button>
      </p>
      <KeptEdits {...(onOpening === undefined ? {} : { onOpening })} />
    </>
  );
}

/** Why the last attempt to open failed. What was open stays. */
function OpenErrorNotice({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  const failed = useAppState((state) => state.openError);
  if (failed === undefined) return null;
  const { name, error } = failed;
  return (
    <ErrorNotice
      error={error}
      {...(error.place.kind === "set" ? { where: name } : {})}
      {...(failed.attempt === undefined ? {} : { onRetry: () => void actions.reopen() })}
      onDismiss={() => {
        actions.dismissError();
      }}
    >
      {(action) => (
        <>
          {action === "locations" ? (
            <button
              type="button"
              onClick={() => {
                ui.show("locations");
              }}
            >
              Locations…
            </button>
          ) : null}
          {action === "open-main" ? <OpenMain attempt={failed.attempt} /> : null}
        </>
      )}
    </ErrorNotice>
  );
}

/** A link may name a branch or tag that is gone: History, with all there are, is open once something is. */
function OpenMain({ attempt }: { readonly attempt: OpenError["attempt"] | undefined }) {
  const actions = useActions();
  const isOpen = useAppState((state) => state.set !== undefined);
  if (attempt === undefined || isOpen) return null;
  const { source, choice, at } = attempt;
  const { ref: _, ...rest } = at;
  const main = { ...rest, ...(choice === undefined ? {} : { set: choice }), view: "history" } as const;
  return (
    <button type="button" onClick={() => void actions.open(source, main)}>
      Open main and its history
    </button>
  );
}
