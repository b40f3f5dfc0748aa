/** The one store: state, and the actions that change it. Made once in main.tsx with the engine's client. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { withoutToken } from "../core/words/without-secrets.ts";
import { grown } from "../core/engine-event.ts";
import { findingOfError, isAbort } from "../core/findings/finding.ts";
import { type Locations, NO_LOCATIONS } from "../core/byte-source.ts";
import { placedAt } from "../core/plane/plane.ts";
import { chunkOf, chunkStart } from "../core/metadata/chunk-grid.ts";
import type { LocalFile, NodeSummary, OpenSource } from "../core/open-set.ts";
import { MAX_GENERATED } from "../core/table/version1.ts";
import type { Client } from "../worker/client.ts";
import { type ChunkTab, parseAddress } from "./address.ts";
import { commandBus, type CommandBus } from "./command-bus.ts";
import { editActions } from "./edit-actions.ts";
import { fileForTarget } from "./file-for-target.ts";
import { browserKeeper, type EditKeeper } from "./kept-edits.ts";
import { NOTHING_OPEN, openActions, selectionAt, valuesAt, viewAt, withAt } from "./open-actions.ts";
import { elementIn, elementOn, oneSelection, type Place } from "./one-selection.ts";
import { ownerActions } from "./owner-files.ts";
import { NOTHING_WRITTEN, shownNode } from "./state.ts";
import type { AppState, ComparedWith, Painted, ProblemCounts, Theme } from "./state.ts";
import { storedPreferences } from "./browser-storage.ts";
import { readerComparison } from "./reader-comparison.ts";
import { taskRunner, type Tools } from "./tasks.ts";
import { type ViewName, viewOfNode, VIEWS } from "./views.ts";

export type Actions = Omit<ReturnType<typeof openActions>, "openAgain"> &
  ReturnType<typeof selectionActions> &
  ReturnType<typeof lookActions> &
  ReturnType<typeof placeActions> &
  ReturnType<typeof pageActions> &
  ReturnType<typeof editActions> &
  ReturnType<typeof ownerActions> & {
    /** Opens or renders again what is open, with another limit of generated references. */
    setMaxGenerated(most: number): Promise<void>;
  };

export interface App extends Tools {
  readonly actions: Actions;
  readonly commands: CommandBus;
  readonly keeper: EditKeeper;
}

const FIRST_STATE: AppState = {
  ...NOTHING_OPEN,
  opened: 0,
  revision: 0,
  choosing: undefined,
  openError: undefined,
  cancelled: 0,
  arrayView: "data",
  tasks: [],
  locations: NO_LOCATIONS,
  maxGenerated: MAX_GENERATED,
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
  const tools = { engine, store, tasks };
  const { openAgain, ...opening } = openActions(tools);
  const editing = editActions({ ...tools, keeper, comparison });
  const commands = commandBus();
  // Commands waiting for a view concern the dataset that was open.
  store.subscribe(({ opened, set }, before) => {
    if (opened !== before.opened || set === undefined) commands.forget();
  });
  showEvents(engine, store);
  return {
    ...tools,
    commands,
    keeper,
    actions: {
      ...opening,
      ...selectionActions(store),
      ...lookActions(store),
      ...placeActions(tools),
      ...pageActions(tools),
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

function lookActions(store: StoreApi<AppState>) {
  return {
    showRawValues: (rawValues: boolean) => store.setState({ rawValues }),
    notePainted: (painted: Painted) => store.setState({ painted }),
    /** Shows a tab of the Chunk region; `undefined` leaves the choice to the chunk. */
    showTab: (tab: ChunkTab | undefined) => store.setState({ tab }),
    setTheme: (theme: Theme) => store.setState({ theme }),
    /** Problems says how many it lists. */
    noteProblems: (problems: ProblemCounts | undefined) => store.setState({ problems }),
    /** Tells the page that a check of the set, its targets or its values has new results. */
    noteCheck: () => store.setState(({ checks }) => ({ checks: checks + 1 })),
    compareWith: (withSet: ComparedWith | undefined) => store.setState({ withSet }),
  };
}

function placeActions({ engine, store, tasks }: Tools) {
  const locate = async (files?: OpenSource) => {
    const { set, edit, locations } = store.getState();
    if (set === undefined) return;
    for (const id of new Set([set.id, edit?.base.id ?? set.id])) {
      await engine.call("set.locate", { set: id, locations, ...(files === undefined ? {} : { files }) });
    }
    store.setState({ revision: store.getState().revision + 1 });
  };
  const setLocations = async (locations: Locations) => {
    store.setState({ locations });
    await locate();
  };
  return {
    setLocations,
    allowPrivate: () => setLocations({ ...store.getState().locations, allowPrivate: true }),
    /** Asks again of hosts where nobody answered, and what failed otherwise. */
    async retry() {
      const { set } = store.getState();
      if (set === undefined) return;
      await engine.call("set.retry", { set: set.id });
      store.setState({ revision: store.getState().revision + 1 });
    },
    /** More target files for the open set. */
    addFiles: (files: readonly LocalFile[]) => locate({ kind: "files", files }),
    /** Reads a target from a file from now on. */
    async chooseFileFor(target: string | null, file: File) {
      const { path, locations } = fileForTarget(store.getState().locations, target, file.name);
      store.setState({ locations });
      await locate({ kind: "files", files: [{ path, blob: file }] });
    },
    cancel: (task: number) => tasks.cancel(task),
  };
}

/**
 * Opens what the address says, if it says a URL; without one it speaks of the open set, where that has none either.
 * Called at start and whenever the browser goes to another address. `page` is the page's own address.
 */
export async function followAddress(app: App, hash: string, page = globalThis.document?.baseURI): Promise<void> {
  const address = parseAddress(hash);
  const { set, node, slice, withSet } = app.store.getState();
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
  const selected = selectionAt(set, address);
  const values = valuesAt(set, address, selected, selected.node === node ? slice : undefined);
  app.store.setState({ ...selected, ...values, withSet: withAt(address, withSet), view, tab: address.tab });
}

/** A link may name a file beside the page, such as a sample: what has no scheme is relative to the page. */
export function absoluteUrl(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? url : new URL(url, withoutToken(document.baseURI)).href;
}

// References that come page by page: what is known of the set by now, and fetching the rest.

/** Shows events about the open set, and ignores those about others. */
function showEvents(engine: Client, store: StoreApi<AppState>): void {
  engine.listen((event) => {
    const { set, readings } = store.getState();
    if (set?.id !== event.set) return;
    if (event.kind === "read") store.setState({ readings: readings + 1 });
    else if (event.growth.revision > set.revision) store.setState({ set: grown(set, event.growth) });
  });
}

function pageActions({ engine, store, tasks }: Tools) {
  return {
    /** Fetches all references at or below a path that are not here yet. */
    async loadPages(path: string) {
      const { set } = store.getState();
      if (set?.pages === undefined) return;
      const { words, isChunk } = set.pages;
      const label = `Reading ${isChunk === true ? "which chunks exist" : words[1]}`;
      try {
        await tasks.run("pages", label, (options) => engine.call("set.loadPages", { set: set.id, path }, options));
      } catch (error) {
        if (!isAbort(error)) store.setState({ openError: { name: label, error: findingOfError(error, label) } });
      }
      store.setState({ revision: store.getState().revision + 1 });
    },
  };
}

// Selection in the open dataset.

/** No chunk, slice or element is selected. */
const NO_PLACE = { chunk: undefined, slice: undefined, point: undefined } as const;

/** Clears the notice of a link's missing target, once something is selected. */
const FOUND = { addressFindings: [] } as const;

/** Selects a chunk: slice and element go along. */
function chunkPlace(state: AppState, array: string, chunk: readonly number[]) {
  if (array !== state.node) return { node: array, ...NO_PLACE, chunk };
  const node = shownNode(state);
  const point = elementIn(chunk, state.point, node?.chunks ?? []);
  return { node: array, ...oneSelection({ slice: state.slice, chunk, point }, node, "chunk") };
}

function selectionActions(store: StoreApi<AppState>) {
  const showView = (view: ViewName) => {
    const { node } = store.getState();
    const kind = shownNode(store.getState())?.kind;
    const { of, opensArrays, chunk } = VIEWS[view];
    const leaves = chunk === "elsewhere" && (kind === undefined || !of.includes(kind));
    store.setState({
      view,
      ...(opensArrays === true ? { arrayView: view } : {}),
      ...(leaves && node !== "" ? { node: "", ...NO_PLACE } : {}),
    });
  };
  return {
    ...sourceActions(store),
    selectNode(path: string) {
      const { node, set, view, arrayView } = store.getState();
      const shown = set?.nodes.find((one) => one.path === path);
      store.setState({
        ...FOUND,
        view: viewOfNode(shown, view, arrayView),
        ...(path === node ? {} : { node: path, ...NO_PLACE }),
      });
    },
    /** Also selects the array. */
    selectChunk: (array: string, coordinates: readonly number[]) => {
      const { view, arrayView } = store.getState();
      store.setState({
        ...FOUND,
        ...chunkPlace(store.getState(), array, coordinates),
        view: VIEWS[view].chunk === "elsewhere" ? arrayView : view,
      });
    },
    /**
     * Shows a place in the selected array: the slice that Data shows, and the element. A selected chunk moves along.
     */
    showPlace: (place: Partial<Omit<Place, "chunk">>) =>
      store.setState((state) => oneSelection({ ...state, ...place }, shownNode(state), "slice")),
    /** An element and the chunk that holds it, which is selected. */
    selectElement: (array: string, coordinates: readonly number[], { slice, point }: Omit<Place, "chunk">) =>
      store.setState({ ...FOUND, node: array, chunk: coordinates, slice, point }),
    /** Moves along some dimensions of an array from where one is: the chunk there is selected, and the slice goes through it. */
    goToPlace: (array: NodeSummary, positions: ReadonlyMap<number, number>) =>
      store.setState(({ node, slice, point, chunk: from }) => {
        const { shape = [], chunks = [] } = array;
        const shown = node === array.path ? slice : undefined;
        const start = chunkStart(from ?? shape.map(() => 0), chunks);
        const element = placedAt(point ?? elementOn(shown, start), positions);
        const chunk = chunkOf(element, chunks);
        const place = { chunk, slice: shown, point: element };
        return { ...FOUND, node: array.path, ...oneSelection(place, array, "chunk") };
      }),
    clearChunk: () => store.setState({ chunk: undefined }),
    showView,
    /** Shows a view of the whole dataset, whatever is selected. */
    showOfSet: (view: ViewName) => {
      if (VIEWS[view].of.includes("group")) store.setState({ view, node: "", ...NO_PLACE });
      else showView(view);
    },
  };
}

/** Actions of the view Sources. */
function sourceActions(store: StoreApi<AppState>) {
  return {
    /** A chunk of another target is left. */
    showTarget: (target: string | null) => {
      if (target !== store.getState().target) store.setState({ target, ...NO_PLACE });
    },
    /** The target of the selected chunk, which is shown when the chunk is left. */
    noteTarget: (target: string | null) => store.setState({ target }),
    /** The bytes of a chunk among those of its target. */
    showInSources: (array: string, coordinates: readonly number[]) =>
      store.setState({ ...chunkPlace(store.getState(), array, coordinates), view: "sources", target: undefined }),
  };
}
