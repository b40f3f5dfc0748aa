/** Events that the shell listens to while it is on the screen. */
import { useEffect } from "react";
import type { Finding } from "../core/findings/finding.ts";
import { type Address, formatAddress, parseAddress, sliceText } from "../store/address.ts";
import { absoluteUrl, type App, followAddress } from "../store/app-store.ts";
import { useCommand } from "../store/react.tsx";
import type { AppState } from "../store/state.ts";
import { VIEWS } from "../store/views.ts";
import { commandOfKey } from "./keys.ts";
import type { Ui } from "./ui-state.ts";

/** Keeps the address, the document's title, theme and `data-pending` in step with the state. */
export function useMirrors(app: App): void {
  useEffect(() => {
    const pending = mirrorPending(app);
    const stops = [pending.stop, mirrorDocument(app), mirrorAddress(app, pending.started)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [app]);
}

/** Runs commands by their keys, unless something nearer to the focus took the key. */
export function useShortcuts(app: App, ui: Ui): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = commandOfKey(event, isTyping(event.target));
      if (command === undefined || !(command.when?.(app.store.getState()) ?? true)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      command.run({ app, ui });
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [app, ui]);
}

/** The dialogs that panels ask for. */
export function useDialogCommands({ show, showLocations, showCodes }: Ui): void {
  useCommand("show-locations", ({ prefix }) => showLocations(prefix));
  useCommand("show-export", () => show("export"));
  useCommand("show-limit", () => show("limit"));
  useCommand("explain-code", ({ code }) => showCodes({ asked: code }));
}

/** The editor's text box is none of the platform's (`EditContext`): it is known by its role. */
function isTyping(target: EventTarget | null): boolean {
  const typed = "input, textarea, select, [role=textbox]";
  return target instanceof HTMLElement && (target.matches(typed) || target.isContentEditable);
}

// Reflects the state in the document element and the title.

/**
 * Fields answer after a pause in typing; so long after the last sign of work or of the user the page counts as idle.
 */
const SETTLED_MS = 140;

const INPUTS = ["input", "change", "click", "keydown", "drop", "paste", "popstate"] as const;

/**
 * Keeps `data-pending` on the document element: the number of things under way, "0" when idle. `started` tells that the
 * address was followed. Returns what stops it.
 */
function mirrorPending(app: App): { readonly started: () => void; readonly stop: () => void } {
  let starting = 1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (pending: number) => {
    document.documentElement.dataset.pending = String(pending);
  };
  const update = () => {
    clearTimeout(timer);
    const pending = Math.max(app.engine.pending, app.store.getState().tasks.length) + starting;
    write(Math.max(1, pending));
    if (pending === 0) timer = setTimeout(write, SETTLED_MS, 0);
  };
  const controller = new AbortController();
  for (const name of INPUTS) window.addEventListener(name, update, { capture: true, signal: controller.signal });
  const unsubscribe = app.store.subscribe((state, before) => {
    if (state.tasks !== before.tasks) update();
  });
  app.engine.onPending(update);
  update();
  return {
    started: () => {
      starting = 0;
      update();
    },
    stop: () => {
      controller.abort();
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

export function titleOf({ set, node, chunk }: Pick<AppState, "set" | "node" | "chunk">): string {
  if (set === undefined) return "Refscope";
  const place = [node, chunk === undefined ? "" : chunk.join(".")].filter((part) => part !== "").join(" / ");
  return [place, set.name, "Refscope"].filter((part) => part !== "").join(" · ");
}

function mirrorDocument(app: App): () => void {
  const write = (state: AppState) => {
    const title = titleOf(state);
    const { dataset } = document.documentElement;
    if (document.title !== title) document.title = title;
    if (state.theme === "system") delete dataset.theme;
    else if (dataset.theme !== state.theme) dataset.theme = state.theme;
  };
  write(app.store.getState());
  return app.store.subscribe(write);
}

// Mirrors what is selected in the address and in the browser's history, and follows where the browser goes.

type Selected = Pick<AppState, "set" | "node" | "chunk" | "view"> &
  Partial<Pick<AppState, "addressFindings" | "slice" | "point" | "rawValues" | "tab" | "target" | "withSet">>;

/** Address of a state; empty if nothing is open. */
export function addressOf({ addressFindings = [], node, ...selected }: Selected): Address {
  const { set, chunk, view, slice, point, rawValues, tab, target, withSet } = selected;
  if (set === undefined) return {};
  const { parameters = [] } = VIEWS[view];
  const shape = slice && set.nodes.find(({ path }) => path === node)?.shape;
  return {
    ...(set.url === undefined ? {} : { url: set.url }),
    ...(set.choice === undefined ? {} : { set: set.choice }),
    ...(set.ref === undefined ? {} : { ref: set.ref }),
    array: soughtIn(addressFindings) ?? node,
    ...(chunk === undefined ? {} : { chunk }),
    view,
    ...(slice === undefined || shape === undefined || !parameters.includes("slice")
      ? {}
      : { slice: sliceText(slice, shape) }),
    ...(point === undefined ? {} : { point }),
    ...(rawValues === true && parameters.includes("values") ? { values: "raw" as const } : {}),
    ...(target === undefined || target === null || !parameters.includes("target") ? {} : { target }),
    ...(withSet?.source.kind === "url" && parameters.includes("with") ? { with: withSet.source.url } : {}),
    // It says nothing while no chunk is selected.
    ...(tab === undefined || chunk === undefined ? {} : { tab }),
  };
}

/** Path that a link named and the set lacks: the address keeps it until something else is selected. */
function soughtIn([first]: readonly Finding[]): string | undefined {
  const { before, path } = first?.code === "address-no-array" ? first.facts : {};
  return before === "address" && typeof path === "string" ? path : undefined;
}

const MIRRORED = [
  "addressFindings",
  "node",
  "chunk",
  "view",
  "slice",
  "point",
  "rawValues",
  "tab",
  "target",
  "withSet",
] as const;

/**
 * True if a change of state is to be written to the address. While a set is being opened the address keeps naming it,
 * so that a reload tries again; if that fails or is cancelled, and another set is still open, the address names that
 * one again.
 */
export function changesAddress(state: AppState, before: AppState): boolean {
  if (state.set === undefined) return before.set !== undefined;
  const failed = state.openError !== undefined && before.openError === undefined;
  const moved = MIRRORED.some((member) => state[member] !== before[member]);
  return state.set !== before.set || moved || failed || state.cancelled !== before.cancelled;
}

/** Milliseconds of rest after which the address says where one looks: browsers refuse to write it very often. */
const REST = 250;

/** True if only the slice and the element changed. */
const isMove = (state: AppState, before: AppState): boolean =>
  !changesAddress({ ...state, slice: before.slice, point: before.point }, before);

/** An entry of the browser's history. */
interface Place {
  readonly address: Address;
  /** Tells apart sets without a URL, which the address cannot name; `null` for others. */
  readonly mark: unknown;
}

const isStart = (address: Address) => Object.keys(address).length === 0;

/**
 * True if going from one place to the other is a step that Back undoes: another set, another group or array, another
 * view. Chunks are not, so that a hundred of them do not bury the rest. Parameters that the old address leaves open
 * make no difference.
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

/** True if the address names something that can be shown: a URL, or the open set without one. */
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
  // All changes of one press of a key or button are one step.
  let stepped = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  /** Ends the rest; true if a place was still to be written. */
  const rested = () => {
    const wasMoving = resting !== undefined;
    clearTimeout(resting);
    resting = undefined;
    return wasMoving;
  };
  const unsubscribe = app.store.subscribe((state, before) => {
    if (!changesAddress(state, before)) return;
    const wasMoving = rested();
    if (isMove(state, before)) {
      resting = setTimeout(() => rested() && writeAddress(app.store.getState(), false), REST);
      return;
    }
    // Back leads to where one was.
    if (wasMoving) writeAddress(before, false);
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
    rested();
    // An opening under way was for the place that was left.
    for (const { id } of app.store.getState().tasks) app.actions.cancel(id);
    try {
      if (isReachable(herePlace(), app.store.getState())) await followAddress(app, location.hash);
      else leave(app);
    } finally {
      following -= 1;
    }
  };
  // Handles Back, Forward and changes by hand.
  const onPopState = () => void follow();
  window.addEventListener("popstate", onPopState);
  const start = setTimeout(() => void follow().finally(followed));
  return () => {
    clearTimeout(start);
    rested();
    unsubscribe();
    window.removeEventListener("popstate", onPopState);
  };
}
