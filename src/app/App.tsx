import { Suspense, useCallback, useEffect, useId, useMemo, useState, useSyncExternalStore } from "react";
import { chunkOf, nodesByPath, type NodesByPath, placeOfKey } from "../core/metadata/chunk-of-key.ts";
import { KeptEdits } from "../panels/kept/KeptEdits.tsx";
import { ChooseDialog } from "../panels/open/ChooseDialog.tsx";
import { OpenDialog } from "../panels/open/OpenDialog.tsx";
import { OpenForm } from "../panels/open/OpenForm.tsx";
import { WindowDrop } from "../panels/open/WindowDrop.tsx";
import { Samples } from "../panels/start/Samples.tsx";
import { StartPanel } from "../panels/start/StartPanel.tsx";
import { StatusBar } from "../panels/status/StatusBar.tsx";
import { UnreadableBanner } from "../panels/targets/UnreadableBanner.tsx";
import { parseAddress } from "../store/address.ts";
import { Pending, useActions, useApp, useAppState } from "../store/react.tsx";
import type { AppState, OpenError } from "../store/state.ts";
import { ExplainCode } from "../widgets/notes/CodeButton.tsx";
import { DefinitionList } from "../widgets/DefinitionList.tsx";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { ErrorNotice } from "../widgets/notes/ErrorNotice.tsx";
import { Loading } from "../widgets/notes/Loading.tsx";
import { type PickItem, PickList } from "../widgets/controls/PickList.tsx";
import { bestMatches } from "../widgets/controls/fuzzy.ts";
import { formatCount, formatShape } from "../widgets/number-format.ts";
import { loadCatalogue } from "../widgets/notes/use-explain.ts";
import { Button } from "../widgets/controls/Button.tsx";
import styles from "./App.module.css";
import { CrashBoundary } from "./CrashBoundary.tsx";
import { Header, ThemeButton } from "./Header.tsx";
import keysDialogStyles from "./KeysDialog.module.css";
import limitDialogStyles from "./LimitDialog.module.css";
import startBarStyles from "./StartBar.module.css";
import "./base.css";
import { availableCommands, type Command, COMMANDS } from "./commands.ts";
import { IS_MAC, keyText } from "./keys.ts";
import "./tokens.css";
import { type Ui, useUi } from "./ui-state.ts";
import { useDialogCommands, useMirrors, useShortcuts } from "./use-shell.ts";
import { later, SHOWN_VIEWS } from "./views.ts";

const MAX_ARRAYS = 200;

/** Commands, arrays and chunks by what is typed. */
function CommandPalette({ ui }: { readonly ui: Ui }) {
  const app = useApp();
  const state = useAppState((all) => all);
  const nodes = useMemo(() => nodesByPath(state.set?.nodes ?? []), [state.set]);
  const close = () => ui.show(undefined);
  return (
    <Dialog title="Commands" hideTitle onClose={close}>
      <PickList
        label="Commands"
        placeholder={
          state.set === undefined ? "Type a command…" : "Type a command, an array or a chunk key such as sst/0.0.0…"
        }
        itemsFor={(query) => paletteItems(query, state, nodes).map(({ item }) => item)}
        nothing="No command, array or chunk matches. A chunk key has one number per dimension, such as sst/0.0.0."
        onPick={(id, query) => {
          close();
          paletteItems(query, state, nodes)
            .find(({ item }) => item.id === id)
            ?.command.run({ app, ui });
        }}
      />
    </Dialog>
  );
}

interface PaletteItem {
  readonly item: PickItem;
  readonly command: Pick<Command, "run">;
}

function paletteItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
  const commands = availableCommands(state)
    .filter(({ id }) => id !== "commands")
    .map(commandItem);
  if (query.trim() === "") return commands;
  const titleOf = ({ item }: PaletteItem) => item.label;
  const found = bestMatches(nodes.values(), query, (node) => node.path, MAX_ARRAYS).map(nodeItem);
  const best = bestMatches([...commands, ...found], query, titleOf, commands.length + MAX_ARRAYS);
  return [...chunkItems(query.trim(), state, nodes), ...best];
}

function commandItem(command: Command): PaletteItem {
  const keys = command.key === undefined ? {} : { keys: keyText(command.key, IS_MAC) };
  return { item: { id: command.id, label: command.title, ...keys }, command };
}

function nodeItem(node: NodesByPath extends ReadonlyMap<string, infer Node> ? Node : never): PaletteItem {
  const { path, kind } = node;
  const detail = kind === "array" ? `${node.dtype ?? ""} · ${formatShape(node.shape ?? [])}` : kind;
  return {
    item: { id: `node ${path}`, label: path === "" ? "/" : path, detail },
    command: { run: ({ app }) => app.actions.selectNode(path) },
  };
}

/** `sst/2.0.1` anywhere, `2.0.1` in the selected array. */
function chunkItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
  const selected = nodes.get(state.node);
  const here = selected === undefined ? undefined : chunkOf(selected, query);
  const place = here === undefined ? placeOfKey(query, nodes) : undefined;
  const found = here === undefined ? place : { kind: "chunk" as const, array: state.node, coordinates: here };
  if (found?.kind !== "chunk") return [];
  const { array, coordinates } = found;
  return [
    {
      item: { id: "chunk", label: `Go to chunk ${coordinates.join(".") || "0"}`, detail: array === "" ? "/" : array },
      command: { run: ({ app }) => app.actions.selectChunk(array, coordinates) },
    },
  ];
}

const GROUPS: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, meaning: string])[];
}[] = [
  {
    title: "Hierarchy",
    keys: [
      ["↑ ↓ Home End", "move"],
      ["→ ←", "open and close a group, or go in and out"],
      ["*", "open all groups of this level"],
      ["Enter", "select"],
      ["letters", "go to the next name that begins with them"],
    ],
  },
  {
    title: "Data",
    keys: [
      ["arrows, Home, End, Page", "move from element to element"],
      ["+  −", "zoom in and out"],
      ["0", "show the whole slice"],
      ["Space, Enter", "select the element and read its chunk"],
    ],
  },
  {
    title: "Chunks",
    keys: [
      ["arrows, Home, End, Page", "move from cell to cell"],
      ["Enter", "select the chunk and read it"],
      [IS_MAC ? "⌘C" : "Ctrl+C", "copy what is marked"],
    ],
  },
  {
    title: "Editor",
    keys: [
      ["Esc, then Tab", "leave the editor, where Tab alone indents"],
      ["Ctrl+Space", "show what may be typed here"],
      [IS_MAC ? "⌘F" : "Ctrl+F", "find in the document"],
      ["F8", "go to the next problem"],
      [IS_MAC ? "⇧⌥F" : "Shift+Alt+F", "format the JSON"],
      [IS_MAC ? "⌥Z" : "Alt+Z", "wrap long lines, or not"],
    ],
  },
  {
    title: "Version 0 result",
    keys: [
      ["↑ ↓ Home End Page", "move from row to row"],
      ["Enter", "show what made the reference, and read the chunk"],
      ["Esc", "close the row and its chunk"],
    ],
  },
  {
    title: "Chunk",
    keys: [
      ["Alt + arrows", "the chunk beside this one"],
      ["← → Home End", "another tab, when one has the focus"],
    ],
  },
  { title: "Borders between regions", keys: [["arrows", "resize, when the border has the focus"]] },
];

/** All keys, by where they work. */
function KeysDialog({ onClose, onCodes }: { readonly onClose: () => void; readonly onCodes: () => void }) {
  const anywhere = COMMANDS.flatMap(({ key, title }) =>
    key === undefined ? [] : [[keyText(key, IS_MAC), title] as const],
  );
  return (
    <Dialog title="Keys" isText onClose={onClose} footer={<Button onClick={onCodes}>Codes of problems…</Button>}>
      <div className={keysDialogStyles.groups}>
        {[{ title: "Anywhere (single characters outside fields)", keys: anywhere }, ...GROUPS].map(
          ({ title, keys }) => (
            <section key={title} className={keysDialogStyles.group}>
              <h3>{title}</h3>
              <DefinitionList items={keys.map(([pressed, meaning]) => ({ term: pressed, description: meaning }))} />
            </section>
          ),
        )}
      </div>
    </Dialog>
  );
}

// How many references the gens of a document may make.

/** A row of the table takes 22 bytes and its URL; beyond this a tab has no room. */
const LARGEST = 200_000_000;

function LimitDialog({ onClose }: { readonly onClose: () => void }) {
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
          <Button onClick={onClose}>Cancel</Button>
          <Button
            data-kind="primary"
            disabled={!valid}
            onClick={() => {
              onClose();
              void actions.setMaxGenerated(typed);
            }}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className={limitDialogStyles.form}>
        <label htmlFor={id}>Maximum number of references generated by gen</label>
        <input
          id={id}
          data-autofocus
          inputMode="numeric"
          value={text}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${id}-hint`} className={limitDialogStyles.hint}>
          A whole number up to {formatCount(LARGEST)}. Each takes 22 bytes and the text of its URL; ten million take
          some seconds. It lasts until the tab is closed.
        </p>
      </div>
    </Dialog>
  );
}

/** What can be done while nothing is open, besides opening a set. */
function StartBar({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  return (
    <div className={startBarStyles.bar}>
      <Button onClick={() => ui.show("locations")}>Locations</Button>
      <Button onClick={() => void actions.newDocument()}>Write a new document</Button>
      <ThemeButton />
      <Button title="Help: all keys" aria-label="Help and keys" onClick={() => ui.show("keys")}>
        ?
      </Button>
    </div>
  );
}

/** What the start page has no use for. */
const { Panel: Workspace, load: loadWorkspace } = later(async () => (await import("./Workspace.tsx")).Workspace);
/** Few need it at once, and it brings the editor. */
const { Panel: StudioWorkspace } = later(async () => (await import("./StudioWorkspace.tsx")).StudioWorkspace);
const { Panel: ExportDialog } = later(async () => (await import("../panels/export/ExportDialog.tsx")).ExportDialog);
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
    for (const load of [loadWorkspace, shown?.load, loadCatalogue]) load?.().catch(() => undefined);
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
    <div className={styles.shell}>
      <OfflineNotice />
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
      <StatusBar />
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

/** Said once, for all that waits for the network. */
function OfflineNotice() {
  if (useSyncExternalStore(onlineStore.subscribe, onlineStore.isOnline)) return null;
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
        <Suspense fallback={<Pending label="Loading the dialog" />}>
          <ExportDialog onClose={close} />
        </Suspense>
      ) : null}
      {ui.dialog === "limit" ? <LimitDialog onClose={close} /> : null}
      {ui.dialog === "keys" ? <KeysDialog onClose={close} onCodes={() => ui.showCodes({})} /> : null}
      {ui.codes !== undefined ? (
        <Suspense fallback={<Pending label="Loading the dialog" />}>
          <CodesDialog code={ui.codes.asked} onClose={() => ui.showCodes(undefined)} />
        </Suspense>
      ) : null}
    </>
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
