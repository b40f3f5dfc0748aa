/** The one store: state, and the actions that change it. Made once in main.tsx with the engine's client. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { NO_LOCATIONS, type Locations } from "../core/location.ts";
import { MAX_GENERATED } from "../core/version1.ts";
import type { LocalFile, OpenSource } from "../core/open-set.ts";
import type { SnapshotChanges } from "../core/repository.ts";
import type { Client } from "../worker/client.ts";
import { parseAddress, type ChunkTab } from "./address.ts";
import { commandBus, type CommandBus } from "./command-bus.ts";
import { editActions, type EditActions } from "./edit-actions.ts";
import { browserKeeper, type EditKeeper } from "./kept-edits.ts";
import { historyActions, type HistoryActions } from "./history-actions.ts";
import { NO_HISTORY } from "./history-state.ts";
import { openActions, selectionAt, viewAt, type OpenActions, valuesAt } from "./open-actions.ts";
import { fileForTarget } from "./file-for-target.ts";
import { pageActions, showEvents, type PageActions } from "./page-actions.ts";
import { storedPreferences } from "./preferences.ts";
import { readerComparison } from "./reader-comparison.ts";
import type { AppState, ProblemCounts, Theme } from "./state.ts";
import { ownerActions, type OwnerActions } from "./owner-files.ts";
import { NOTHING_WRITTEN } from "./owner-state.ts";
import { selectionActions, type SelectionActions } from "./selection-actions.ts";
import { taskRunner, type TaskRunner } from "./tasks.ts";

export interface Actions extends OpenActions, PageActions, EditActions, HistoryActions, SelectionActions, OwnerActions {
  showRawValues(raw: boolean): void;
  /** Of the Chunk region; `undefined` leaves it to the chunk. */
  showTab(tab: ChunkTab | undefined): void;
  setLocations(locations: Locations): Promise<void>;
  /** More target files for the open set. */
  addFiles(files: readonly LocalFile[]): Promise<void>;
  /** Reads a target from a file from now on. */
  chooseFileFor(target: string | null, file: File): Promise<void>;
  /** Opens or renders again what is open, with another limit of generated references. */
  setMaxGenerated(most: number): Promise<void>;
  setTheme(theme: Theme): void;
  /** Problems says how many it lists. */
  noteProblems(problems: ProblemCounts | undefined): void;
  /** Panels say which two snapshots were compared, so that the map of the grid can show it. */
  noteComparison(changes: SnapshotChanges): void;
  cancel(task: number): void;
}

export interface App {
  readonly engine: Client;
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
  readonly commands: CommandBus;
  readonly tasks: TaskRunner;
  readonly keeper: EditKeeper;
}

const FIRST_STATE: AppState = {
  set: undefined,
  opened: 0,
  revision: 0,
  edit: undefined,
  choosing: undefined,
  openError: undefined,
  cancelled: 0,
  node: "",
  chunk: undefined,
  view: "overview",
  arrayView: "data",
  slice: undefined,
  point: undefined,
  rawValues: false,
  target: undefined,
  tab: undefined,
  tasks: [],
  locations: NO_LOCATIONS,
  maxGenerated: MAX_GENERATED,
  comparison: undefined,
  history: NO_HISTORY,
  addressFindings: [],
  problems: undefined,
  readings: 0,
  checks: 0,
  owner: NOTHING_WRITTEN,
  theme: "system",
};

export function createApp(engine: Client, keeper: EditKeeper = browserKeeper()): App {
  const store = createStore<AppState>(() => ({ ...FIRST_STATE, ...storedPreferences() }));
  const tasks = taskRunner(store);
  const comparison = readerComparison(engine, store);
  const { openAgain, ...opening } = openActions(engine, store, tasks);
  const editing = editActions({ engine, store, tasks, keeper, comparison });
  const look = lookActions(store);
  const commands = commandBus();
  // What waits for a view is about the set that was open.
  store.subscribe(({ opened, set }, before) => {
    if (opened !== before.opened || set === undefined) commands.forget();
  });
  showEvents(engine, store);
  return {
    engine,
    store,
    commands,
    tasks,
    keeper,
    actions: {
      ...opening,
      ...selectionActions(store),
      ...look,
      ...placeActions(engine, store, tasks),
      ...pageActions(engine, store, tasks),
      ...historyActions({ engine, store, tasks, note: look.noteComparison }),
      ...editing,
      ...ownerActions(store),
      async setMaxGenerated(most) {
        store.setState({ maxGenerated: most });
        if (store.getState().edit === undefined) await openAgain();
        else editing.renderAgain();
      },
    },
  };
}

type LookActions = Pick<Actions, "showRawValues" | "showTab" | "setTheme" | "noteComparison" | "noteProblems">;

function lookActions(store: StoreApi<AppState>): LookActions {
  return {
    showRawValues: (rawValues) => {
      store.setState({ rawValues });
    },
    showTab: (tab) => {
      store.setState({ tab });
    },
    setTheme: (theme) => {
      store.setState({ theme });
    },
    noteProblems: (problems) => {
      store.setState({ problems });
    },
    noteComparison: (comparison) => {
      store.setState({ comparison });
    },
  };
}

type PlaceActions = Pick<Actions, "setLocations" | "addFiles" | "chooseFileFor" | "cancel">;

function placeActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): PlaceActions {
  const locate = async (files?: OpenSource) => {
    const { set, edit, locations } = store.getState();
    if (set === undefined) return;
    for (const id of new Set([set.id, edit?.base.id ?? set.id])) {
      await engine.call("set.locate", { set: id, locations, ...(files === undefined ? {} : { files }) });
    }
    store.setState({ revision: store.getState().revision + 1 });
  };
  return {
    async setLocations(locations) {
      store.setState({ locations });
      await locate();
    },
    addFiles: (files) => locate({ kind: "files", files }),
    async chooseFileFor(target, file) {
      const { path, locations } = fileForTarget(store.getState().locations, target, file.name);
      store.setState({ locations });
      await locate({ kind: "files", files: [{ path, blob: file }] });
    },
    cancel: (task) => {
      tasks.cancel(task);
    },
  };
}

/**
 * Opens what the address says, if it says a URL; without one it speaks of the open set, where that has none either.
 * Called at start and whenever the browser goes to another address. `page` is the page's own address.
 */
export async function followAddress(app: App, hash: string, page = globalThis.document?.baseURI): Promise<void> {
  const address = parseAddress(hash);
  const { set } = app.store.getState();
  const url = address.url === undefined ? undefined : absoluteUrl(address.url);
  if (url !== undefined && (set?.url !== url || set.choice !== address.set || set.ref !== address.ref)) {
    await app.actions.openLink(url, address, page);
    return;
  }
  if (set === undefined || set.url !== url) return;
  if (set.repository !== undefined && set.ref !== address.ref) {
    await app.actions.openRef(address.ref ?? "", address);
    return;
  }
  const view = viewAt(set, address, app.store.getState().view);
  app.store.setState({ ...selectionAt(set, address), ...valuesAt(address), view, tab: address.tab });
}

/** A link may name a file beside the page, such as a sample: what has no scheme is relative to the page. */
export function absoluteUrl(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? url : new URL(url, document.baseURI).href;
}
