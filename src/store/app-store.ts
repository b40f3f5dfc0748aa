/** The one store: state, and the actions that change it. Made once in main.tsx with the engine's client. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { isAbort, toErrorFields } from "../core/errors.ts";
import { NO_LOCATIONS, type Locations } from "../core/location.ts";
import type { Finding } from "../core/finding.ts";
import { MOST_GENERATED } from "../core/version1.ts";
import type { LocalFile, NodeSummary, OpenSource, SetSummary } from "../core/open-set.ts";
import type { Reading } from "../core/reading.ts";
import type { Client } from "../worker/client.ts";
import { parseAddress, type Address, type ViewName } from "./address.ts";
import { editActions, type EditActions } from "./edit-actions.ts";
import { NEW_DOCUMENT } from "./edit-state.ts";
import { browserKeeper, type EditKeeper, type KeptEdit } from "./kept-edits.ts";
import { storedPreferences } from "./preferences.ts";
import { readerComparison } from "./reader-comparison.ts";
import type { AppState, Theme } from "./state.ts";
import { taskRunner, type TaskRunner } from "./tasks.ts";

export interface Actions extends EditActions {
  /** Opens a set; what is open stays until the new one is there. Focuses what `at` says. */
  open(source: OpenSource, at?: Address): Promise<void>;
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
  /** Opens or renders again what is open, with another limit of generated references. */
  setMostGenerated(most: number): Promise<void>;
  setTheme(theme: Theme): void;
  cancel(task: number): void;
  /** Panels tell what a reading gave, so that the table, the map and Problems show it. */
  noteReading(reading: Reading): void;
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
  revision: 0,
  edit: undefined,
  choosing: undefined,
  openError: undefined,
  node: "",
  chunk: undefined,
  view: "overview",
  tasks: [],
  locations: NO_LOCATIONS,
  mostGenerated: MOST_GENERATED,
  addressFindings: [],
  readingFindings: new Map(),
  results: new Map(),
  theme: "system",
};

export function createApp(engine: Client, keeper: EditKeeper = browserKeeper()): App {
  const store = createStore<AppState>(() => ({ ...FIRST_STATE, ...storedPreferences() }));
  const tasks = taskRunner(store);
  const comparison = readerComparison(engine, store);
  const { openAgain, ...opening } = openActions(engine, store, tasks);
  const editing = editActions({ engine, store, tasks, keeper, comparison });
  return {
    engine,
    store,
    tasks,
    keeper,
    actions: {
      ...opening,
      ...selectionActions(store),
      ...placeActions(engine, store, tasks),
      ...editing,
      async setMostGenerated(most) {
        store.setState({ mostGenerated: most });
        if (store.getState().edit === undefined) await openAgain();
        else editing.renderAgain();
      },
    },
  };
}

type OpenActions = Pick<
  Actions,
  "open" | "newDocument" | "openKept" | "reopen" | "choose" | "dismissChoice" | "dismissError" | "close"
> & {
  /** What is open, from where it was opened. */
  readonly openAgain: () => Promise<void>;
};

function openActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): OpenActions {
  let latest = 0;
  let shown: { readonly source: OpenSource; readonly choice: string | undefined } | undefined;
  const openChoice = async (source: OpenSource, choice: string | undefined, at: Address) => {
    latest += 1;
    const attempt = latest;
    const name = sourceName(source);
    store.setState({ openError: undefined, choosing: undefined });
    const { locations, mostGenerated: most } = store.getState();
    const request = { source, locations, most, ...(choice === undefined ? {} : { choice }) };
    try {
      const result = await tasks.run("open", `Opening ${name}`, (options) => engine.call("open", request, options));
      if (attempt !== latest) return;
      if (result.kind === "choose") {
        store.setState({ choosing: { source, title: result.title, choices: result.choices } });
        return;
      }
      shown = { source, choice };
      show(engine, store, result.set, at);
    } catch (error) {
      if (attempt !== latest || isAbort(error)) return;
      store.setState({
        openError: { name, error: toErrorFields(error, `Opening ${name}`), attempt: { source, choice, at } },
      });
    }
  };
  return {
    open: (source, at = {}) => openChoice(source, at.set, at),
    newDocument: () => openChoice(NEW_DOCUMENT, undefined, { view: "edit" }),
    openKept: ({ url, choice, original, name }) =>
      openChoice(url === undefined ? { kind: "text", text: original ?? "{}", name } : { kind: "url", url }, choice, {
        view: "edit",
      }),
    async openAgain() {
      const { node: array, chunk, view } = store.getState();
      const at = { array, view, ...(chunk === undefined ? {} : { chunk }) };
      if (shown !== undefined) await openChoice(shown.source, shown.choice, at);
    },
    async reopen() {
      const attempt = store.getState().openError?.attempt;
      if (attempt !== undefined) await openChoice(attempt.source, attempt.choice, attempt.at);
    },
    async choose(id) {
      const { choosing } = store.getState();
      if (choosing !== undefined) await openChoice(choosing.source, id, {});
    },
    dismissChoice: () => {
      store.setState({ choosing: undefined });
    },
    dismissError: () => {
      store.setState({ openError: undefined });
    },
    close() {
      const before = store.getState();
      store.setState({ ...NOTHING_OPEN });
      closeSets(engine, before);
    },
  };
}

/** The set that was shown, and where that is an edited one, the set as it was opened. */
function closeSets(engine: Client, { set, edit }: AppState): void {
  for (const id of new Set([set?.id, edit?.base.id])) if (id !== undefined) void engine.call("close", { set: id });
}

const NOTHING_OPEN = {
  set: undefined,
  edit: undefined,
  node: "",
  chunk: undefined,
  view: "overview",
  addressFindings: [],
  readingFindings: new Map(),
  results: new Map(),
} as const;

function show(engine: Client, store: StoreApi<AppState>, set: SetSummary, at: Address): void {
  const before = store.getState();
  const revision = before.revision + 1;
  store.setState({ ...NOTHING_OPEN, set, revision, ...selectionAt(set, at), view: at.view ?? "overview" });
  closeSets(engine, before);
}

/** The node and chunk that an address names, as far as they exist in the set. */
function selectionAt(set: SetSummary, at: Address): Pick<AppState, "node" | "chunk" | "addressFindings"> {
  const node = set.nodes.find((one) => one.path === (at.array ?? ""));
  if (node === undefined) return { node: "", chunk: undefined, addressFindings: [noSuchNode(at)] };
  const rank = node.grid?.length;
  const chunk = rank === 0 && at.chunk !== undefined ? [] : at.chunk;
  if (chunk === undefined || chunk.length === rank) return { node: node.path, chunk, addressFindings: [] };
  return { node: node.path, chunk: undefined, addressFindings: [noSuchChunk(node, chunk)] };
}

function noSuchNode({ array = "" }: Address): Finding {
  const message = `The address names “${array}”, but the set has no group or array of that path.`;
  const advice = "Choose one in Hierarchy; the link was made for another set, or for an older one.";
  return { code: "address-no-array", severity: "warning", key: array, message, advice };
}

function noSuchChunk({ path, grid }: NodeSummary, chunk: readonly number[]): Finding {
  const expected = grid === undefined ? "it has no chunks" : `its chunks have ${grid.length} coordinates`;
  const message = `The address names chunk ${chunk.join(".")} of ${path === "" ? "/" : path}, but ${expected}.`;
  return { code: "address-no-chunk", severity: "warning", array: path, message, advice: "Choose a chunk in Manifest." };
}

function sourceName(source: OpenSource): string {
  if (source.kind === "url") return source.url;
  if (source.kind === "text") return source.name;
  const [first] = source.files;
  if (first === undefined) return "nothing";
  return source.files.length === 1 ? first.path : `${first.path} and ${source.files.length - 1} more`;
}

type SelectionActions = Pick<
  Actions,
  "selectNode" | "selectChunk" | "clearChunk" | "showView" | "setTheme" | "noteReading"
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
    noteReading(reading) {
      const { readingFindings, results } = store.getState();
      const result = reading.outcome === "failed" ? "failed" : "ok";
      store.setState({
        readingFindings: new Map(readingFindings).set(reading.key, reading.findings),
        results: new Map(results).set(reading.key, result),
      });
    },
  };
}

type PlaceActions = Pick<Actions, "setLocations" | "addFiles" | "cancel">;

function placeActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): PlaceActions {
  const locate = async (files?: OpenSource) => {
    const { set, edit, locations } = store.getState();
    if (set === undefined) return;
    for (const id of new Set([set.id, edit?.base.id ?? set.id])) {
      await engine.call("locate", { set: id, locations, ...(files === undefined ? {} : { files }) });
    }
    store.setState({ revision: store.getState().revision + 1 });
  };
  return {
    async setLocations(locations) {
      store.setState({ locations });
      await locate();
    },
    addFiles: (files) => locate({ kind: "files", files }),
    cancel: (task) => {
      tasks.cancel(task);
    },
  };
}

/**
 * Opens what the address says, if it says a URL; without one it speaks of the open set, where that has none either.
 * Called at start and whenever the browser goes to another address.
 */
export async function followAddress(app: App, hash: string): Promise<void> {
  const address = parseAddress(hash);
  const { set } = app.store.getState();
  const url = address.url === undefined ? undefined : absoluteUrl(address.url);
  if (url !== undefined && (set?.url !== url || set.choice !== address.set)) {
    await app.actions.open({ kind: "url", url }, address);
    return;
  }
  if (set === undefined || set.url !== url) return;
  app.store.setState({ ...selectionAt(set, address), view: address.view ?? app.store.getState().view });
}

/** A link may name a file beside the page, such as a sample: what has no scheme is relative to the page. */
export function absoluteUrl(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? url : new URL(url, document.baseURI).href;
}
