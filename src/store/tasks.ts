/** Work that can take over a second: shown in the status bar with progress and Cancel. */
import type { StoreApi } from "zustand/vanilla";
import type { Progress } from "../core/byte-source.ts";
import type { Client } from "../worker/client.ts";
import type { AppState, Task } from "./state.ts";

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type TaskRunner = ReturnType<typeof taskRunner>;

/** Tools of actions that take time. */
export interface Tools {
  readonly engine: Client;
  readonly store: StoreApi<AppState>;
  readonly tasks: TaskRunner;
}

export function taskRunner(store: StoreApi<AppState>) {
  const controllers = new Map<number, AbortController>();
  const byRegion = new Map<string, number>();
  let lastId = 0;

  const change = (id: number, part: Partial<Task>) => {
    const tasks = store.getState().tasks.map((task) => (task.id === id ? { ...task, ...part } : task));
    store.setState({ tasks });
  };
  const cancel = (id: number) => controllers.get(id)?.abort(new DOMException("Cancelled by the user.", "AbortError"));
  const finish = (id: number) => {
    controllers.delete(id);
    const { tasks } = store.getState();
    if (tasks.some((task) => task.id === id)) store.setState({ tasks: tasks.filter((task) => task.id !== id) });
  };

  return {
    cancel,
    /** Something that cannot be cancelled is under way until what is returned is called. */
    show(label: string): () => void {
      lastId += 1;
      const id = lastId;
      store.setState({ tasks: [...store.getState().tasks, { id, label, progress: undefined, cannotCancel: true }] });
      return () => finish(id);
    },
    /**
     * Runs `work`; a newer run for the same `region` aborts the older. It is shown once it has taken `showAfter`
     * milliseconds.
     */
    async run<T>(region: string, label: string, work: (options: TaskOptions) => Promise<T>, showAfter = 0): Promise<T> {
      const older = byRegion.get(region);
      if (older !== undefined) cancel(older);
      lastId += 1;
      const id = lastId;
      const controller = new AbortController();
      controllers.set(id, controller);
      byRegion.set(region, id);
      const show = () =>
        store.setState({ tasks: [...store.getState().tasks, { id, label, region, progress: undefined }] });
      const timer = showAfter > 0 ? setTimeout(show, showAfter) : undefined;
      if (timer === undefined) show();
      try {
        return await work({
          signal: controller.signal,
          onProgress: (progress) => change(id, { progress }),
        });
      } finally {
        clearTimeout(timer);
        finish(id);
      }
    },
  };
}

const PAUSE_MS = 100;

/**
 * Until nothing else is under way: what is read unasked gives way. Throws an AbortError where `signal` is aborted
 * first.
 */
export async function untilQuiet(
  { engine, store }: { readonly engine: { readonly pending: number }; readonly store: StoreApi<AppState> },
  signal: AbortSignal,
): Promise<void> {
  while (engine.pending > 0 || store.getState().tasks.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
}
