/** Work that is done one piece after another, while it is let. */
export interface OneByOne<T> {
  has(name: string): boolean;
  add(name: string, piece: T): void;
  /** Works until what is returned is called; it may be started again. */
  start(): () => void;
}

/**
 * `next`: which of those that wait comes first. `work` must not throw; a piece during which `signal` was aborted waits
 * again.
 */
export function oneByOne<T>(
  next: (waiting: ReadonlyMap<string, T>) => string | undefined,
  work: (piece: T, signal: AbortSignal) => Promise<void>,
): OneByOne<T> {
  const waiting = new Map<string, T>();
  let running: AbortController | undefined;
  let busy: AbortController | undefined;

  async function run(controller: AbortController): Promise<void> {
    const { signal } = controller;
    for (let name = next(waiting); name !== undefined && !signal.aborted; name = next(waiting)) {
      const piece = waiting.get(name);
      waiting.delete(name);
      if (piece === undefined) continue;
      await work(piece, signal);
      if (signal.aborted && !waiting.has(name)) waiting.set(name, piece);
    }
    if (busy === controller) busy = undefined;
    wake();
  }

  function wake(): void {
    const controller = running;
    if (controller === undefined || busy === controller || waiting.size === 0) return;
    busy = controller;
    // What is added together is put in order before the first is taken.
    queueMicrotask(() => void run(controller));
  }

  return {
    has: (name) => waiting.has(name),
    add(name, piece) {
      waiting.set(name, piece);
      wake();
    },
    start() {
      const controller = new AbortController();
      running = controller;
      wake();
      return () => {
        if (running === controller) running = undefined;
        controller.abort(new DOMException("It is no longer shown.", "AbortError"));
      };
    },
  };
}
