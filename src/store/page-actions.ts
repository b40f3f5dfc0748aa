/** References that come page by page: what is known of the set by now, and fetching the rest. */
import type { StoreApi } from "zustand/vanilla";
import { isAbort } from "../core/errors.ts";
import { findingOfError } from "../core/findings/failure.ts";
import { grown } from "../core/engine-event.ts";
import type { Client } from "../worker/client.ts";
import type { AppState } from "./state.ts";
import type { TaskRunner } from "./tasks.ts";

/** What the engine says of the open set is shown; of others it is forgotten. */
export function showEvents(engine: Client, store: StoreApi<AppState>): void {
  engine.listen((event) => {
    const { set, readings } = store.getState();
    if (set?.id !== event.set) return;
    if (event.kind === "read") store.setState({ readings: readings + 1 });
    else if (event.growth.revision > set.revision) store.setState({ set: grown(set, event.growth) });
  });
}

export interface PageActions {
  /** Fetches all references at or below a path that are not here yet. */
  loadPages(path: string): Promise<void>;
}

export function pageActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): PageActions {
  return {
    async loadPages(path) {
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
