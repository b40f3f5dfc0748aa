/** Mirrors what is selected in the address, and follows the address when it is changed by hand. */
import { formatAddress, type Address } from "../store/address.ts";
import { followAddress, type App } from "../store/app-store.ts";
import type { AppState } from "../store/state.ts";

/** What the address says of a state; nothing open is an empty address. */
export function addressOf({ set, node, chunk, view }: Pick<AppState, "set" | "node" | "chunk" | "view">): Address {
  if (set === undefined) return {};
  return {
    ...(set.url === undefined ? {} : { url: set.url }),
    ...(set.choice === undefined ? {} : { set: set.choice }),
    array: node,
    ...(chunk === undefined ? {} : { chunk }),
    view,
  };
}

/**
 * Whether a change of state is to be written to the address. While a set is being opened the address keeps naming it, so
 * that a reload tries again; when that fails and another set is still open, the address names that one again.
 */
export function changesAddress(state: AppState, before: AppState): boolean {
  if (state.set === undefined) return before.set !== undefined;
  const failed = state.openError !== undefined && before.openError === undefined;
  const moved = state.node !== before.node || state.chunk !== before.chunk || state.view !== before.view;
  return state.set !== before.set || moved || failed;
}

/** Starts mirroring and follows the present address; returns what stops it. */
export function mirrorAddress(app: App, followed: () => void): () => void {
  const write = (hash: string) => {
    if (hash === location.hash) return;
    // An empty hash is written as the address without one.
    history.replaceState(history.state, "", hash === "" ? location.pathname + location.search : hash);
  };
  const unsubscribe = app.store.subscribe((state, before) => {
    if (changesAddress(state, before)) write(formatAddress(addressOf(state)));
  });
  const onHashChange = () => {
    void followAddress(app, location.hash);
  };
  window.addEventListener("hashchange", onHashChange);
  const start = setTimeout(() => {
    void followAddress(app, location.hash).finally(followed);
  });
  return () => {
    clearTimeout(start);
    unsubscribe();
    window.removeEventListener("hashchange", onHashChange);
  };
}
