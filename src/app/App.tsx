import { Suspense, useCallback, useEffect, useSyncExternalStore } from "react";
import { Sign } from "../widgets/Icon.tsx";
import { KeptEdits } from "../panels/kept/KeptEdits.tsx";
import { OpenForm } from "../panels/open/OpenForm.tsx";
import { WindowDrop } from "../panels/open/WindowDrop.tsx";
import { Samples } from "../panels/start/Samples.tsx";
import { StartPanel } from "../panels/start/StartPanel.tsx";
import { StatusBar } from "../panels/status/StatusBar.tsx";
import { parseAddress } from "../store/address.ts";
import { Pending, useActions, useApp, useAppState } from "../store/react.tsx";
import type { OpenError } from "../store/state.ts";
import { ErrorNotice, ExplainCode, loadCatalogue, Loading } from "../widgets/notes/Notices.tsx";
import { Button } from "../widgets/controls/Button.tsx";
import styles from "./App.module.css";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { HelpButton, ThemeButton } from "./ThemeButton.tsx";
import "./base.css";
import "./tokens.css";
import { type Ui, useUi } from "./ui-state.ts";
import { useDialogCommands, useMirrors, useShortcuts } from "./use-shell.ts";
import { later, SHOWN_VIEWS } from "./views.ts";

/** Actions for a page with nothing open, besides opening a dataset. */
function StartBar({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  return (
    <div className={`flow gap-2 ${styles.bar}`}>
      <Button onClick={() => ui.show("locations")}>
        <Sign path="M8 14s4.5-4.2 4.5-7.4a4.5 4.5 0 0 0-9 0C3.5 9.8 8 14 8 14zM8 5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3" />
        Locations
      </Button>
      <Button onClick={() => void actions.newDocument()}>
        <Sign path="m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z" />
        Write a new document
      </Button>
      <ThemeButton />
      <HelpButton ui={ui} />
    </div>
  );
}

/** Parts that the start page does not need. */
const { Panel: Workspace, load: loadWorkspace } = later(async () => (await import("./Workspace.tsx")).Workspace);
const { Panel: SetHead, load: loadHead } = later(async () => (await import("./Header.tsx")).SetHead);
const { Panel: CommandPalette, load: loadDialogs } = later(
  async () => (await import("./CommandPalette.tsx")).CommandPalette,
);
const { Panel: KeysDialog } = later(async () => (await import("./PageDialogs.tsx")).KeysDialog);
const { Panel: LimitDialog } = later(async () => (await import("./PageDialogs.tsx")).LimitDialog);
/** Few need it at once, and it brings the editor. */
const { Panel: StudioWorkspace } = later(async () => (await import("./StudioWorkspace.tsx")).StudioWorkspace);
const { Panel: ExportDialog } = later(async () => (await import("../panels/export/ExportDialog.tsx")).ExportDialog);
const { Panel: HealthLine, load: loadHealth } = later(
  async () => (await import("../panels/status/HealthLine.tsx")).HealthLine,
);
const { Panel: OpenDialog } = later(async () => (await import("../panels/open/OpenDialog.tsx")).OpenDialog);
const { Panel: ChooseDialog } = later(async () => (await import("../panels/open/ChooseDialog.tsx")).ChooseDialog);
const { Panel: CodesDialog } = later(async () => (await import("./CodesDialog.tsx")).CodesDialog);

/** The page: where to begin while nothing is open, else the set. */
export function App() {
  const app = useApp();
  useMirrors(app);
  const explain = useCallback((code: string) => app.commands.send({ kind: "explain-code", code }), [app]);
  return (
    <ExplainCode value={explain}>
      <CrashBoundary what="the page">
        <Shell />
      </CrashBoundary>
    </ExplainCode>
  );
}

/** Fetched while the first set is opened: what shows it, and the catalogue, which says what it is found to have. */
function useCodeInTime(): void {
  // Not while the page fetches code of its own, which the start page does too.
  const isBusy = useAppState((state) => state.tasks.some((task) => task.cannotCancel !== true));
  useEffect(() => {
    if (!isBusy) return;
    const { view = "overview" } = parseAddress(location.hash);
    const shown = SHOWN_VIEWS.find(({ id }) => id === view);
    // Failures are reported where the code is needed.
    for (const load of [loadWorkspace, loadHead, loadHealth, shown?.load, loadCatalogue, loadDialogs])
      load?.().catch(() => undefined);
  }, [isBusy]);
}

function Shell() {
  const app = useApp();
  const set = useAppState((state) => state.set);
  const view = useAppState((state) => state.view);
  const ui = useUi();
  const opened = useAppState((state) => state.opened);
  useCodeInTime();
  useShortcuts(app, ui);
  useDialogCommands(ui);
  return (
    <div className={`column tall ${styles.shell}`}>
      <OfflineNotice />
      {set === undefined ? (
        <StartPanel notice={<OpenErrorNotice ui={ui} />} bar={<StartBar ui={ui} />} more={<KeptEdits />}>
          <OpenForm />
        </StartPanel>
      ) : (
        <>
          <Suspense fallback={<div className={styles.head} />}>
            <SetHead set={set} ui={ui} opened={opened}>
              <OpenErrorNotice ui={ui} />
              <NotThereNotice />
            </SetHead>
          </Suspense>
          {view === "edit" && set.isDocument ? (
            <Suspense key="edit" fallback={<UnderWay what="studio" />}>
              <StudioWorkspace ui={ui} />
            </Suspense>
          ) : (
            <Suspense key="views" fallback={<UnderWay what="views" />}>
              <Workspace set={set} ui={ui} />
            </Suspense>
          )}
        </>
      )}
      <StatusBar>
        {set === undefined ? null : (
          <Suspense fallback={null}>
            <HealthLine set={set} />
          </Suspense>
        )}
      </StatusBar>
      <Dialogs ui={ui} />
      <WindowDrop />
    </div>
  );
}

const onlineStore = {
  subscribe: (changed: () => void) => {
    for (const type of ["online", "offline"]) globalThis.addEventListener(type, changed);
    return () => {
      for (const type of ["online", "offline"]) globalThis.removeEventListener(type, changed);
    };
  },
  isOnline: () => navigator.onLine,
};

/** Notice that the network is down: shown once, for everything that waits for it. */
function OfflineNotice() {
  if (useSyncExternalStore(onlineStore.subscribe, onlineStore.isOnline, () => true)) return null;
  return (
    <p className={styles.offline} role="status" aria-label="Network">
      <b>You appear to be offline.</b> Remote sources are not checked. Reading continues when you are online again.
    </p>
  );
}

/** Takes the place of the studio or the views while their code is fetched, which counts as something pending. */
function UnderWay({ what }: { readonly what: "studio" | "views" }) {
  return (
    <Pending label={`Loading the ${what}`}>
      <main className={styles.waiting} aria-label={what === "studio" ? "Studio" : "Views"}>
        <Loading label={`Loading the ${what}`} />
      </main>
    </Pending>
  );
}

function Dialogs({ ui }: { readonly ui: Ui }) {
  const close = () => ui.show(undefined);
  const isChoosing = useAppState((state) => state.choosing !== undefined);
  return (
    <Suspense fallback={<Pending label="Loading the dialog" />}>
      {isChoosing ? <ChooseDialog /> : null}
      {ui.dialog === "open" || ui.dialog === "locations" ? (
        <OpenDialog page={ui.dialog} prefix={ui.prefix} onPage={ui.show} onClose={close}>
          <Samples onOpening={close} />
          <Writing onOpening={close} />
        </OpenDialog>
      ) : null}
      {ui.dialog === "commands" ? <CommandPalette ui={ui} /> : null}
      {ui.dialog === "export" ? <ExportDialog onClose={close} /> : null}
      {ui.dialog === "limit" ? <LimitDialog onClose={close} /> : null}
      {ui.dialog === "keys" ? <KeysDialog onClose={close} onCodes={() => ui.showCodes({})} /> : null}
      {ui.codes !== undefined ? <CodesDialog code={ui.codes.asked} onClose={() => ui.showCodes(undefined)} /> : null}
    </Suspense>
  );
}

/** A new document, and those whose edits are kept. */
function Writing({ onOpening }: { readonly onOpening: () => void }) {
  const actions = useActions();
  return (
    <>
      <p className={styles.writing}>
        <Button
          onClick={() => {
            onOpening();
            void actions.newDocument();
          }}
        >
          Write a new document
        </Button>
      </p>
      <KeptEdits onOpening={onOpening} />
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
      onDismiss={() => actions.dismissError()}
    >
      {(action) => (
        <>
          {action === "locations" ? <Button onClick={() => ui.show("locations")}>Locations…</Button> : null}
          {action === "open-main" ? <OpenMain attempt={failed.attempt} /> : null}
        </>
      )}
    </ErrorNotice>
  );
}

/** Notice of a link's missing target: shown until something is selected. */
function NotThereNotice() {
  const [first] = useAppState((state) => state.addressFindings);
  return first === undefined ? null : <ErrorNotice error={first} />;
}

/** A link may name a branch or tag that is gone: History, with all there are, is open once something is. */
function OpenMain({ attempt }: { readonly attempt: OpenError["attempt"] | undefined }) {
  const actions = useActions();
  const isOpen = useAppState((state) => state.set !== undefined);
  if (attempt === undefined || isOpen) return null;
  const { source, choice, at } = attempt;
  const { ref: _, ...rest } = at;
  const main = { ...rest, ...(choice === undefined ? {} : { set: choice }), view: "history" } as const;
  return <Button onClick={() => void actions.open(source, main)}>Open main and its history</Button>;
}
