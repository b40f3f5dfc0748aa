/** What the document element and the title say of the state. */
import type { App } from "../store/app-store.ts";
import type { AppState, Theme } from "../store/state.ts";

/** Fields answer after a pause in typing; so long after the last sign of work or of the user the page counts as idle. */
const SETTLED_MS = 200;

const INPUTS = ["input", "change", "click", "keydown", "drop", "paste", "popstate"] as const;

/**
 * Keeps `data-pending` on the document element: the number of things under way, "0" when idle. `started` tells that the
 * address was followed. Returns what stops it.
 */
export function mirrorPending(app: App): { readonly started: () => void; readonly stop: () => void } {
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

export function mirrorTitle(app: App): () => void {
  const write = (state: AppState) => {
    const title = titleOf(state);
    if (document.title !== title) document.title = title;
  };
  write(app.store.getState());
  return app.store.subscribe(write);
}

export function mirrorTheme(app: App): () => void {
  const write = (theme: Theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  write(app.store.getState().theme);
  return app.store.subscribe((state, before) => {
    if (state.theme !== before.theme) write(state.theme);
  });
}
