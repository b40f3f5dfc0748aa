/** The one store: state, and the actions that change it. Made once in main.tsx with the engine's client. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { NO_LOCATIONS, type Locations } from "../core/location.ts";
import { MAX_GENERATED } from "../core/version1.ts";
import type { LocalFile, OpenSource } from "../core/open-set.ts";
import type { SnapshotChanges } from "../core/repository.ts";
import type { Client } from "../worker/client.ts";
import { parseAddress, type Address, type ViewName } from "./address.ts";
import { editActions, type EditActions } from "./edit-actions.ts";
import { browserKeeper, type EditKeeper, type KeptEdit } from "./kept-edits.ts";
import { historyActions, type HistoryActions } from "./history-actions.ts";
import { NO_HISTORY } from "./history-state.ts";
import { openActions, selectionAt, viewAt } from "./open-actions.ts";
import { fileForTarget } from "./file-for-target.ts";
import { pageActions, showEvents } from "./page-actions.ts";
import { storedPreferences } from "./preferences.ts";
import { readerComparison } from "./reader-comparison.ts";
import type { AppState, Theme, WantedMap } from "./state.ts";
import { taskRunner, type TaskRunner } from "./tasks.ts";

export interface Actions extends EditActions, HistoryActions {
  /** Opens a set; what is open stays until the new one is there. Focuses what `at` says. */
  open(source: OpenSource, at?: Address): Promise<void>;
  /** As `open`, for an address that nobody typed: one in a private network is asked about first. */
  openLink(url: string, at: Address, page: string | undefined): Promise<void>;
  /** An empty document in the editor. */
  newDocument(): Promise<void>;
  /** Opens the document that edits were kept of, and its editor. */
  openKept(kept: KeptEdit): Promise<void>;
  /** Tries again what failed to open. */
  reopen(): Promise<void>;
  choose(id: string): Promise<void>;
  dismissChoice(): void;
  dismissError(): void;
  close(): void;
  selectNode(path: string): void;
  /** Also selects the array. */
  selectChunk(array: string, coordinates: readonly number[]): void;
  clearChunk(): void;
  showView(view: ViewName): void;
  setLocations(locations: Locations): Promise<void>;
  /** More target files for the open set. */
  addFiles(files: readonly LocalFile[]): Promise<void>;
  /** Reads a target from a file from now on. */
  chooseFileFor(target: string | null, file: File): Promise<void>;
  /** Opens or renders again what is open, with another limit of generated references. */
  setMostGenerated(most: number): Promise<void>;
  setTheme(theme: Theme): void;
  /** Panels tell what two snapshots were compared, so that the map of the grid can show it. */
  noteComparison(changes: SnapshotChanges): void;
  /** The map of the grid is to show this when it is shown next; the panel takes it and clears it. */
  wantMap(wanted: WantedMap | undefined): void;
  /** The form of locations is to have a row for this prefix when it is shown next. */
  wantPrefix(prefix: string | undefined): void;
  cancel(task: number): void;
  /** Fetches all references at or below a path that are not here yet. */
  loadPages(path: string): Promise<void>;
  /** Asks what else the open set may be opened as. */
  openOtherwise(): Promise<void>;
  /**
   * Opens another snapshot of the open repository: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or a name alone. What is
   * selected stays where it exists there, unless `at` says otherwise.
   */
  openRef(ref: string, at?: Address): Promise<void>;
  /** Looks for a group or an array in a store that cannot be listed. */
  askForPath(path: string): Promise<void>;
}

export interface App {
  readonly engine: Client;
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
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
  tasks: [],
  locations: NO_LOCATIONS,
  mostGenerated: MAX_GENERATED,
  comparison: undefined,
  history: NO_HISTORY,
  wantedMap: undefined,
  wantedPrefix: undefined,
  addressFindings: [],
  readings: 0,
  theme: "system",
};

export function createApp(engine: Client, keeper: EditKeeper = browserKeeper()): App {
  const store = createStore<AppState>(() => ({ ...FIRST_STATE, ...storedPreferences() }));
  const tasks = taskRunner(store);
  const comparison = readerComparison(engine, store);
  const { openAgain, ...opening } = openActions(engine, store, tasks);
  const editing = editActions({ engine, store, tasks, keeper, comparison });
  const selection = selectionActions(store);
  showEvents(engine, store);
  return {
    engine,
    store,
    tasks,
    keeper,
    actions: {
      ...opening,
      ...selection,
      ...placeActions(engine, store, tasks),
      ...pageActions(engine, store, tasks),
      ...historyActions({ engine, store, tasks, note: selection.noteComparison }),
      ...editing,
      async setMostGenerated(most) {
        store.setState({ mostGenerated: most });
        if (store.getState().edit === undefined) await openAgain();
        else editing.renderAgain();
      },
    },
  };
}

type SelectionActions = Pick<
  Actions,
  "selectNode" | "selectChunk" | "clearChunk" | "showView" | "setTheme" | "noteComparison" | "wantMap" | "wantPrefix"
>;

function selectionActions(store: StoreApi<AppState>): SelectionActions {
  return {
    selectNode(path) {
      if (path !== store.getState().node) store.setState({ node: path, chunk: undefined });
    },
    selectChunk: (array, coordinates) => {
      store.setState({ node: array, chunk: coordinates });
    },
    clearChunk: () => {
      store.setState({ chunk: undefined });
    },
    showView: (view) => {
      store.setState({ view });
    },
    setTheme: (theme) => {
      store.setState({ theme });
    },
    noteComparison: (comparison) => {
      store.setState({ comparison });
    },
    wantMap: (wantedMap) => {
      store.setState({ wantedMap });
    },
    wantPrefix: (wantedPrefix) => {
      store.setState({ wantedPrefix });
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
  const view = viewAt(set, address.view ?? app.store.getState().view);
  app.store.setState({ ...selectionAt(set, address), view });
}

/** A link may name a file beside the page, such as a sample: what has no scheme is relative to the page. */
export function absoluteUrl(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? url : new URL(url, document.baseURI).href;
}
