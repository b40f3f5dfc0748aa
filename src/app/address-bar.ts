/** Mirrors what is selected in the address and in the browser's history, and follows where the browser goes. */
import { formatAddress, parseAddress, type Address } from "../store/address.ts";
import { absoluteUrl, followAddress, type App } from "../store/app-store.ts";
import type { AppState } from "../store/state.ts";

type Selected = Pick<AppState, "set" | "node" | "chunk" | "view"> &
  Partial<Pick<AppState, "slice" | "point" | "rawValues" | "tab" | "target">>;

/** What the address says of a state; nothing open is an empty address. */
export function addressOf({ set, node, chunk, view, slice, point, rawValues, tab, target }: Selected): Address {
  if (set === undefined) return {};
  return {
    ...(set.url === undefined ? {} : { url: set.url }),
    ...(set.choice === undefined ? {} : { set: set.choice }),
    ...(set.ref === undefined ? {} : { ref: set.ref }),
    array: node,
    ...(chunk === undefined ? {} : { chunk }),
    view,
    ...(view !== "data" || slice === undefined ? {} : { slice }),
    ...(point === undefined ? {} : { point }),
    ...(view === "data" && rawValues ? { values: "raw" as const } : {}),
    ...(view !== "sources" || target === undefined || target === null ? {} : { target }),
    // It says nothing while no chunk is selected.
    ...(tab === undefined || chunk === undefined ? {} : { tab }),
  };
}

const MIRRORED = ["node", "chunk", "view", "slice", "point", "rawValues", "tab", "target"] as const;

/**
 * Whether a change of state is to be written to the address. While a set is being opened the address keeps naming it, so
 * that a reload tries again; when that fails or is cancelled, and another set is still open, the address names that one again.
 */
export function changesAddress(state: AppState, before: AppState): boolean {
  if (state.set === undefined) return before.set !== undefined;
  const failed = state.openError !== undefined && before.openError === undefined;
  const moved = MIRRORED.some((member) => state[member] !== before[member]);
  return state.set !== before.set || moved || failed || state.cancelled !== before.cancelled;
}

/** An entry of the browser's history. */
export interface Place {
  readonly address: Address;
  /** Tells apart sets without a URL, which the address cannot name; `null` for others. */
  readonly mark: unknown;
}

const isStart = (address: Address) => Object.keys(address).length === 0;

/**
 * Whether going from one place to the other is a step that Back undoes: another set, another group or array, another
 * view. Chunks are not, so that a hundred of them do not bury the rest. What the old address leaves open makes no difference.
 */
export function isStep({ address: from, mark }: Place, { address: to, mark: newMark }: Place): boolean {
  if (isStart(from) || isStart(to)) return isStart(from) !== isStart(to);
  if (from.url === undefined ? to.url !== undefined || mark !== newMark : absoluteUrl(from.url) !== to.url) return true;
  if (from.set !== undefined && from.set !== to.set) return true;
  if (from.ref !== to.ref) return true;
  if ((from.array ?? "") !== (to.array ?? "")) return true;
  return from.view !== undefined && from.view !== to.view;
}

/** Numbers of sets start over with every load of the page, but history outlives it. */
function markOf({ set, opened }: Pick<AppState, "set" | "opened">): string | null {
  // Renderings of an edited set, and snapshots of a repository, are of one opening.
  return set === undefined || set.url !== undefined ? null : `${performance.timeOrigin} ${opened}`;
}

const herePlace = (): Place => ({ address: parseAddress(location.hash), mark: history.state });

/** Whether the address names something that can be shown: a URL, or the open set without one. */
function isReachable({ address, mark }: Place, state: AppState): boolean {
  if (address.url !== undefined) return true;
  if (isStart(address) || state.set === undefined || state.set.url !== undefined) return false;
  return mark === null || mark === markOf(state);
}

/** Writes the state to the address: as a new entry of the history, or in place of the present one. */
function writeAddress(state: AppState, asStep: boolean): void {
  const hash = formatAddress(addressOf(state));
  // An empty hash is written as the address without one.
  const address = hash === "" ? location.pathname + location.search : hash;
  try {
    if (asStep) history.pushState(markOf(state), "", address);
    else if (hash !== location.hash || history.state !== markOf(state)) {
      history.replaceState(markOf(state), "", address);
    }
  } catch {
    // Browsers refuse to write the address very often in a short time: it is right again with the next change.
  }
}

/** Back to the start page: nothing is open, nothing is being opened. */
function leave({ actions, store }: App): void {
  actions.dismissError();
  actions.dismissChoice();
  if (store.getState().set !== undefined) actions.close();
  writeAddress(store.getState(), false);
}

/** Starts mirroring and follows the present address; returns what stops it. */
export function mirrorAddress(app: App, followed: () => void): () => void {
  let following = 0;
  // What one press of a key or button changes is one step.
  let stepped = false;
  const unsubscribe = app.store.subscribe((state, before) => {
    if (!changesAddress(state, before)) return;
    const next = { address: addressOf(state), mark: markOf(state) };
    const step = following === 0 && !stepped && isStep(herePlace(), next);
    writeAddress(state, step);
    if (!step) return;
    stepped = true;
    queueMicrotask(() => {
      stepped = false;
    });
  });
  const follow = async () => {
    following += 1;
    // An opening under way was for the place that was left.
    for (const { id } of app.store.getState().tasks) app.actions.cancel(id);
    try {
      if (isReachable(herePlace(), app.store.getState())) await followAddress(app, location.hash);
      else leave(app);
    } finally {
      following -= 1;
    }
  };
  // Told of Back, Forward and of changes by hand.
  const onPopState = () => void follow();
  window.addEventListener("popstate", onPopState);
  const start = setTimeout(() => void follow().finally(followed));
  return () => {
    clearTimeout(start);
    unsubscribe();
    window.removeEventListener("popstate", onPopState);
  };
}
