/** The same work asked for by several at once is done once. */
import type { CallContext } from "../core/byte-source.ts";
import { isAbort } from "../core/findings/finding.ts";
import { abortError } from "./abort.ts";

export type SharedTasks<K, T> = (key: K, context: CallContext, task: () => Promise<T>) => Promise<T>;

/**
 * Callers that come while the task of a key runs share its result; where the one that runs it leaves, another starts
 * it again.
 */
export function sharedTasks<K, T>(): SharedTasks<K, T> {
  const running = new Map<K, Promise<T>>();
  return async (key, context, task) => {
    for (let other = running.get(key); other !== undefined; other = running.get(key)) {
      try {
        return await unlessAborted(other, context.signal);
      } catch (error) {
        if (!isAbort(error) || context.signal.aborted) throw error;
      }
    }
    if (context.signal.aborted) throw abortError();
    const own = task().finally(() => running.delete(key));
    running.set(key, own);
    return own;
  };
}

export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(abortError());
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
