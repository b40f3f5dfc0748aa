/** References that come page by page: what is known of the set by now, and fetching the rest. */
import type { StoreApi } from "zustand/vanilla";
import { isAbort, toErrorFields } from "../core/errors.ts";
import type { SetSummary } from "../core/open-set.ts";
import type { Client } from "../worker/client.ts";
import type { Actions } from "./app-store.ts";
import type { AppState } from "./state.ts";
import type { TaskRunner } from "./tasks.ts";

export interface PageActions extends Pick<Actions, "noteRevision" | "loadPages"> {
  /** Something was done for which references may have been fetched. */
  refresh(): void;
}

/** Rows come in bursts; what is known of the set is asked for when they pause. */
const REVISION_MS = 200;

export function pageActions(engine: Client, store: StoreApi<AppState>, tasks: TaskRunner): PageActions {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (summary: SetSummary): void => {
    const { set } = store.getState();
    if (set?.id === summary.id && summary.revision > set.revision) store.setState({ set: { ...summary } });
  };
  const ask = async (id: number): Promise<void> => {
    // The set may be closed by then.
    const summary = await engine.call("summary", { set: id }).catch(() => undefined);
    if (summary !== undefined) show(summary);
  };
  const askSoon = (id: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(id), REVISION_MS);
  };
  return {
    noteRevision(id, revision) {
      const { set } = store.getState();
      if (set?.id === id && revision > set.revision) askSoon(id);
    },
    refresh() {
      const { set } = store.getState();
      if (set?.pages !== undefined) askSoon(set.id);
    },
    async loadPages(path) {
      const { set } = store.getState();
      if (set?.pages === undefined) return;
      const label = `Reading ${PAGE_WORDS[set.pages.unit]}`;
      try {
        show(await tasks.run("pages", label, (options) => engine.call("loadPages", { set: set.id, path }, options)));
      } catch (error) {
        if (!isAbort(error)) store.setState({ openError: { name: label, error: toErrorFields(error, label) } });
        await ask(set.id);
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
