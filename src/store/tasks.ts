/** Work that can take over a second: shown in the status bar with progress and Cancel. */
import type { StoreApi } from "zustand/vanilla";
import type { Progress } from "../core/byte-source.ts";
import type { AppState, Task } from "./state.ts";

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface TaskRunner {
  /** Runs `work`; a newer run for the same `region` aborts the older. */
  run<T>(region: string, label: string, work: (options: TaskOptions) => Promise<T>): Promise<T>;
  cancel(task: number): void;
}

export function taskRunner(store: StoreApi<AppState>): TaskRunner {
  const controllers = new Map<number, AbortController>();
  const byRegion = new Map<string, number>();
  let lastId = 0;

  const change = (id: number, part: Partial<Task>) => {
    const tasks = store.getState().tasks.map((task) => (task.id === id ? { ...task, ...part } : task));
    store.setState({ tasks });
  };
  const cancel = (id: number) => {
    controllers.get(id)?.abort(new DOMException("Cancelled by the user.", "AbortError"));
  };
  const finish = (id: number) => {
    controllers.delete(id);
    store.setState({ tasks: store.getState().tasks.filter((task) => task.id !== id) });
  };

  return {
    cancel,
    async run(region, label, work) {
      const older = byRegion.get(region);
      if (older !== undefined) cancel(older);
      lastId += 1;
      const id = lastId;
      const controller = new AbortController();
      controllers.set(id, controller);
      byRegion.set(region, id);
      store.setState({ tasks: [...store.getState().tasks, { id, label, progress: undefined }] });
      try {
        return await work({
          signal: controller.signal,
          onProgress: (progress) => {
            change(id, { progress });
          },
        });
      } finally {
        finish(id);
      }
    },
  };
}
