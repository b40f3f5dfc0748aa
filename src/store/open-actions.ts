/** Opening, choosing among several sets, closing. */
import { ordinalOf } from "../core/metadata/chunk-grid.ts";
import { failure, type Finding, finding, findingOfError, isAbort, nodeAt, targetAt } from "../core/findings/finding.ts";
import type { NodeSummary, OpenSource, SetSummary } from "../core/open-set.ts";
import type { ShownSlice } from "../core/plane/plane.ts";
import { isPrivateUrl } from "../core/urls/private-address.ts";
import type { Client } from "../worker/client.ts";
import { type Address, parseSlice, sliceText } from "./address.ts";
import { NEW_DOCUMENT, NO_HISTORY, shownNode } from "./state.ts";
import type { AppState, ComparedWith, HistoryState, OpenError } from "./state.ts";
import type { KeptEdit } from "./kept-edits.ts";
import { oneSelection } from "./one-selection.ts";
import type { TaskOptions, Tools } from "./tasks.ts";
import { viewInLink, type ViewName, VIEWS } from "./views.ts";

export function openActions(tools: Tools) {
  const { engine, store, tasks } = tools;
  let latest = 0;
  let shown: Shown | undefined;
  const visited = new Set<string>();
  const openChoice = async (
    source: OpenSource,
    choice: string | undefined,
    at: Address,
    { paths = pathsAt(at), ask = false, from }: How = {},
  ) => {
    latest += 1;
    const attempt = latest;
    const name = sourceName(source);
    if (source.kind === "url") visited.add(originOf(source.url) ?? "");
    store.setState({ openError: undefined, choosing: undefined });
    const { locations, maxGenerated: most } = store.getState();
    const request = { source, locations, most, paths, ask, ...(choice === undefined ? {} : { choice }), ...refOf(at) };
    try {
      const result = await tasks.run("open", `Opening ${name}`, (options) => engine.call("set.open", request, options));
      if (attempt !== latest) return;
      if (result.kind === "choose") {
        store.setState({ choosing: { source, title: result.title, choices: result.choices, ...refOf(at) } });
        return;
      }
      const kept =
        shown !== undefined && isSamePlace(shown, { source, choice }) && staysOpen(store.getState(), result.set);
      shown = { source, choice, paths };
      show(tools, result.set, { at: { ...(result.array && { array: result.array }), ...at }, from, kept });
      if (!result.set.isCounted) await count(tools, result.set.id);
    } catch (error) {
      if (attempt !== latest) return;
      if (isAbort(error)) store.setState({ cancelled: store.getState().cancelled + 1 });
      else store.setState({ openError: openErrorOf(error, { source, choice, at }) });
    }
  };
  return {
    /** Opens a set; what is open stays until the new one is there. Focuses what `at` says. */
    open: (source: OpenSource, at: Address = {}) => openChoice(source, at.set, at),
    /** Opens like `open`, for an address that was not typed: asks first if it is in a private network. */
    async openLink(url: string, at: Address, page: string | undefined) {
      const isKnown = store.getState().locations.allowPrivate || visited.has(originOf(url) ?? "");
      if (isKnown || !isPrivateLink(url, page)) return openChoice({ kind: "url", url }, at.set, at);
      // Work under way was for the place that was left.
      latest += 1;
      store.setState({ choosing: undefined, openError: linkRefused(url, at) });
    },
    /** An empty document in the editor. */
    newDocument: () => openChoice(NEW_DOCUMENT, undefined, { view: "edit" }),
    /** Opens the document that edits were kept of, and its editor. */
    openKept: ({ url, choice, original, name }: KeptEdit) =>
      openChoice(url === undefined ? { kind: "text", text: original ?? "{}", name } : { kind: "url", url }, choice, {
        view: "edit",
      }),
    ...openedAgain(tools, () => shown, openChoice),
    async choose(id: string) {
      const { choosing } = store.getState();
      if (choosing !== undefined) await openChoice(choosing.source, id, refOf(choosing));
    },
    ...dismissals(tools),
  };
}

function openErrorOf(error: unknown, attempt: NonNullable<OpenError["attempt"]>): OpenError {
  const name = sourceName(attempt.source);
  const found = findingOfError(error, `Opening ${name}`);
  // No server sent what was dropped or pasted.
  const isFile = found.code === "web-page" && attempt.source.kind !== "url";
  return { name, error: isFile ? { ...found, facts: { ...found.facts, isFile } } : found, attempt };
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** A page from elsewhere that is led to this machine or into a private network; `page` is where it came from itself. */
export const isPrivateLink = (url: string, page: string | undefined): boolean =>
  page !== undefined && isPrivateUrl(url) && !isPrivateUrl(page);

/** Links, like sets, are untrusted: asks first, since a request alone may do harm there. */
function linkRefused(url: string, at: Address): OpenError {
  const error = failure("link-private-address", targetAt(url), { host: new URL(url).host }).finding;
  return { name: url, error, attempt: { source: { kind: "url", url }, choice: at.set, at } };
}

type OpenChoice = (source: OpenSource, choice: string | undefined, at: Address, how?: How) => Promise<void>;

interface How {
  /** To be asked for in a store that cannot be listed. */
  readonly paths?: readonly string[];
  /** True to ask for other ways to open it. */
  readonly ask?: boolean;
  /** Node selected in the snapshot that is left for another one. */
  readonly from?: NodeSummary | undefined;
}

/** Opens the open dataset once more: as before, or in another way. */
function openedAgain({ engine, store }: Tools, opened: () => Shown | undefined, openChoice: OpenChoice) {
  const again = async (at: Address, { path, ...how }: Omit<How, "paths"> & { readonly path?: string } = {}) => {
    const shown = opened();
    if (shown === undefined) return;
    const { source, choice } = shown;
    const paths = path === undefined ? shown.paths : [...new Set([...shown.paths, path])];
    await openChoice(source, how.ask === true ? undefined : choice, at, { ...how, paths });
  };
  return {
    /** Tries again what failed to open. */
    async reopen() {
      const attempt = store.getState().openError?.attempt;
      if (attempt !== undefined) await openChoice(attempt.source, attempt.choice, attempt.at);
    },
    /** Opens the same source again. */
    openAgain: () => {
      const { node: array, set } = store.getState();
      return again({ array, ...shownIn(store.getState()), ...refOf(set) });
    },
    /**
     * Opens another snapshot of the open repository: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or a name alone. What is
     * selected stays where it exists there, unless `there` says otherwise.
     */
    openRef: (ref: string, there?: Address) => {
      const { node: array, set } = store.getState();
      const from = there === undefined ? set?.nodes.find(({ path }) => path === array) : undefined;
      return again({ ...(there ?? { array, ...shownIn(store.getState()) }), ref }, { from });
    },
    /** Opens another snapshot of the open repository beside it, and shows nothing of it: who asks for it closes it. */
    async openBeside(ref: string, options: Pick<TaskOptions, "signal">): Promise<SetSummary | undefined> {
      const shown = opened();
      if (shown === undefined) return undefined;
      const { source, choice, paths } = shown;
      const request = {
        source,
        locations: store.getState().locations,
        paths,
        ref,
        ...(choice === undefined ? {} : { choice }),
      };
      const answer = await engine.call("set.open", request, options);
      return answer.kind === "set" ? answer.set : undefined;
    },
    /** Asks what else the open set may be opened as. */
    openOtherwise: () => again(refOf(store.getState().set), { ask: true }),
    /** Looks for a group or an array in a store that cannot be listed. */
    askForPath: (path: string) => again({ array: path, ...refOf(store.getState().set) }, { path }),
  };
}

/** Selection that stays if the set takes the place of another. */
function shownIn(state: AppState): Pick<Address, "chunk" | "view" | "tab" | "slice" | "point" | "values"> {
  const { chunk, view, tab, slice, point, rawValues } = state;
  const shape = shownNode(state)?.shape;
  return {
    view,
    ...(chunk === undefined ? {} : { chunk }),
    ...(tab === undefined ? {} : { tab }),
    ...(slice === undefined || shape === undefined ? {} : { slice: sliceText(slice, shape) }),
    ...(point === undefined ? {} : { point }),
    ...(rawValues ? { values: "raw" as const } : {}),
  };
}

function dismissals({ engine, store }: Tools) {
  return {
    dismissChoice: () => store.setState({ choosing: undefined }),
    dismissError: () => store.setState({ openError: undefined }),
    close: () => {
      const before = store.getState();
      store.setState({ ...NOTHING_OPEN });
      closeSets(engine, before);
    },
  };
}

/** The branch, tag or snapshot asked for, where one was. */
const refOf = (of: { readonly ref?: string } | undefined): { readonly ref?: string } =>
  of?.ref === undefined ? {} : { ref: of.ref };

interface Shown {
  readonly source: OpenSource;
  readonly choice: string | undefined;
  /** Asked for in a store that cannot be listed. */
  readonly paths: readonly string[];
}

function isSamePlace(a: Shown, b: Omit<Shown, "paths">): boolean {
  if (a.choice !== b.choice) return false;
  if (a.source.kind === "url") return b.source.kind === "url" && a.source.url === b.source.url;
  return a.source === b.source;
}

/** One snapshot of the repository takes the place of another. */
const staysOpen = ({ set }: AppState, next: SetSummary): boolean =>
  set?.repository !== undefined && next.repository !== undefined;

/** Groups and arrays that are asked for because an address names them, each with five requests. */
const MAX_LEVELS = 32;

/** A link to an array in a store that cannot be listed: it is asked for, and the groups that it lies in. */
function pathsAt({ array }: Address): readonly string[] {
  const parts = array === undefined || array === "" ? [] : array.split("/");
  if (parts.length > MAX_LEVELS) return [];
  return parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
}

/** The set that was shown, and where that is an edited one, the set as it was opened. */
function closeSets(engine: Client, { set, edit }: AppState): void {
  for (const id of new Set([set?.id, edit?.base.id])) {
    // An engine that stopped has closed everything.
    if (id !== undefined) void engine.call("set.close", { set: id }).catch(() => undefined);
  }
}

export const NOTHING_OPEN = {
  set: undefined,
  edit: undefined,
  node: "",
  chunk: undefined,
  slice: undefined,
  point: undefined,
  rawValues: false,
  painted: undefined,
  target: undefined,
  withSet: undefined,
  view: "overview",
  tab: undefined,
  comparison: undefined,
  history: NO_HISTORY,
  addressFindings: [],
} as const;

interface Arrival extends Pick<How, "from"> {
  readonly at: Address;
  /** True if it replaces another snapshot of the same repository. */
  readonly kept: boolean;
}

function show({ engine, store }: Tools, set: SetSummary, { at, from, kept }: Arrival): void {
  const before = store.getState();
  const revision = before.revision + 1;
  const stays = kept ? { history: keptHistory(before, from !== undefined) } : { opened: before.opened + 1 };
  const selection = from === undefined ? selectionAt(set, at) : selectionFrom(from, set, at);
  store.setState({
    ...NOTHING_OPEN,
    set,
    revision,
    ...stays,
    ...selection,
    ...valuesAt(set, at, selection),
    withSet: withAt(at),
    view: viewAt(set, at),
    tab: at.tab,
  });
  closeSets(engine, before);
}

/** A large set is shown before its references are counted. */
async function count({ engine, store, tasks }: Tools, id: number): Promise<void> {
  const counting = tasks.run("count", "Counting references", (options) =>
    engine.call("set.summary", { set: id }, options),
  );
  const counted = await counting.catch((error: unknown) => {
    // Whatever needs the counts next asks for them again.
    if (isAbort(error)) return undefined;
    throw error;
  });
  const { set, revision } = store.getState();
  if (counted !== undefined && set?.id === id) store.setState({ set: counted, revision: revision + 1 });
}

/** How Data shows the array, and what Sources shows. `now`: the slice that is shown already stays the same object. */
export function valuesAt(set: SetSummary, at: Address, { node: path, chunk }: Selection, now?: ShownSlice) {
  const { slice, point, values, target } = at;
  const node = set.nodes.find((one) => one.path === path);
  const { shape } = node ?? {};
  const isNow = now !== undefined && shape !== undefined && sliceText(now, shape) === slice;
  const parsed = slice === undefined || shape === undefined ? undefined : parseSlice(slice, shape);
  const place = oneSelection({ chunk, slice: isNow ? now : parsed, point }, node, "chunk");
  return { ...place, rawValues: values === "raw", target };
}

/** Dataset to compare with, by a link; one that is named already stays. */
export const withAt = ({ with: url }: Address, now?: ComparedWith): ComparedWith | undefined =>
  url === undefined || (now?.source.kind === "url" && now.source.url === url)
    ? now
    : { source: { kind: "url", url }, linked: true };

function keptHistory({ history, view }: AppState, fromHere: boolean): HistoryState {
  return { ...history, failed: undefined, refocus: fromHere && view === "history" };
}

/** A link may name a view that only other sets have, or that there is no longer. */
export function viewAt(set: SetSummary, { array = "", view }: Address, otherwise?: ViewName): ViewName {
  if (view !== undefined && VIEWS[view].has?.(set) === false) return "overview";
  const node = set.nodes.find(({ path }) => path === array);
  return viewInLink(node, view ?? otherwise);
}

/** The node and chunk that an address names, as far as they exist in the set. */
export function selectionAt(set: SetSummary, at: Address): Selection {
  const node = set.nodes.find((one) => one.path === (at.array ?? ""));
  if (node === undefined) return selected("", undefined, noSuchNode(at));
  const rank = node.grid?.length;
  const chunk = rank === 0 && at.chunk !== undefined ? [] : at.chunk;
  const isThere = chunk === undefined || chunk.length === rank;
  return selected(node.path, chunk, isThere ? undefined : noChunk("address", node, chunk));
}

/** Without the chunk if something is `missing`. */
const selected = (node: string, chunk: Selection["chunk"], missing: Finding | undefined): Selection =>
  missing === undefined ? { node, chunk, addressFindings: [] } : { node, chunk: undefined, addressFindings: [missing] };

type Selection = Pick<AppState, "node" | "chunk" | "addressFindings">;

function noSuchNode({ array = "" }: Address): Finding {
  const levels = array.split("/").length;
  const tooDeep = levels > MAX_LEVELS ? { levels, limit: MAX_LEVELS } : {};
  return finding("address-no-array", nodeAt(array), { before: "address", path: array, ...tooDeep });
}

function noChunk(before: "address" | "snapshot", { path, grid }: NodeSummary, chunk: readonly number[]): Finding {
  return finding("address-no-chunk", nodeAt(path), { before, array: path, chunk, grid });
}

/** Selection of another snapshot, as far as it exists in this one. */
function selectionFrom(from: NodeSummary, set: SetSummary, { chunk }: Address): Selection {
  const node = set.nodes.find(({ path }) => path === from.path);
  if (node === undefined) return selected("", undefined, goneNode(from));
  const isThere = chunk === undefined || (node.grid !== undefined && ordinalOf(node.grid, chunk) !== undefined);
  return selected(node.path, chunk, isThere ? undefined : noChunk("snapshot", node, chunk));
}

function goneNode({ kind, path }: NodeSummary): Finding {
  const node = kind === "array" ? "array" : "group";
  return finding("address-no-array", nodeAt(path), { before: "snapshot", path, node });
}

function sourceName(source: OpenSource): string {
  if (source.kind === "url") return source.url;
  if (source.kind === "text") return source.name;
  const [first] = source.files;
  if (first === undefined) return "nothing";
  return source.files.length === 1 ? first.path : `${first.path} and ${source.files.length - 1} more`;
}
