/** Reads the changes of commits in sight, a few at a time, and keeps them. */
import type { CommitChanges } from "#core/repository.ts";
import type { App } from "#store/app-store.ts";

const AT_ONCE = 3;
/** Milliseconds in sight before a log is fetched: rows that are scrolled past fetch nothing. */
const STAYS = 120;

export type ChangesReader = ReturnType<typeof changesReader>;

/** `set`: the open snapshot, any of the repository. */
export function changesReader(engine: Pick<App["engine"], "call">, set: () => number | undefined) {
  const kept = new Map<string, CommitChanges | "failed">();
  const listeners = new Set<() => void>();
  const wanted = new Set<string>();
  let running = 0;
  const next = (): void => {
    const [id] = wanted;
    const open = set();
    if (id === undefined || open === undefined || running >= AT_ONCE) return;
    wanted.delete(id);
    running += 1;
    void engine
      .call("repository.changesIn", { set: open, snapshot: id })
      .then(
        (changes) => void kept.set(id, changes),
        // Another snapshot took the set's place: it is asked of that one.
        () => void (set() === open ? kept.set(id, "failed") : wanted.add(id)),
      )
      .finally(() => {
        running -= 1;
        for (const listener of listeners) listener();
        next();
      });
    next();
  };
  return {
    get: (id: string) => kept.get(id),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Reads it if it stays in sight. What is returned says that it is no longer. */
    see(id: string) {
      if (kept.has(id)) return () => undefined;
      const timer = setTimeout(() => {
        wanted.add(id);
        next();
      }, STAYS);
      return () => {
        clearTimeout(timer);
        wanted.delete(id);
      };
    },
  };
}
