/** References that come page by page: what is known of the set by now, and fetching the rest. */
import type { StoreApi } from "zustand/vanilla";
import { isAbort, toErrorFields } from "../core/errors.ts";
import { grown } from "../core/engine-event.ts";
import type { Client } from "../worker/client.ts";
import type { Actions } from "./app-store.ts";
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

export function pageActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): Pick<Actions, "loadPages"> {
  return {
    async loadPages(path) {
      const { set } = store.getState();
      if (set?.pages === undefined) return;
      const label = `Reading ${PAGE_WORDS[set.pages.unit]}`;
      try {
        await tasks.run("pages", label, (options) => engine.call("set.loadPages", { set: set.id, path }, options));
      } catch (error) {
        if (!isAbort(error)) store.setState({ openError: { name: label, error: toErrorFields(error, label) } });
      }
      store.setState({ revision: store.getState().revision + 1 });
    },
  };
}

const PAGE_WORDS = {
  record: "records",
  manifest: "manifests",
  shard: "shard indexes",
  object: "which chunks exist",
} as const;
