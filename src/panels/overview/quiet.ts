/** What is read unasked gives way to all that was asked for, and waits for no answer for long. */
import type { App } from "../../store/app-store.ts";

const PAUSE_MS = 100;

/** Until nothing else is under way. Throws an AbortError where `signal` is aborted first. */
export async function untilQuiet({ engine, store }: Pick<App, "engine" | "store">, signal: AbortSignal): Promise<void> {
  while (engine.pending > 0 || store.getState().tasks.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Something came. */
  readonly renew: () => void;
  readonly end: () => void;
}

/** Aborts where nothing has come for so many milliseconds. */
export function patience(milliseconds: number): Patience {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.abort(new DOMException("Nothing came for too long.", "AbortError"));
    }, milliseconds);
  };
  renew();
  return {
    signal: controller.signal,
    renew,
    end: () => {
      clearTimeout(timer);
    },
  };
}
