/** Cancelling and running out of time. */

export const abortError = (): DOMException => new DOMException("The operation was cancelled.", "AbortError");

/** A signal that fires when `parent` does, or when nothing has been heard (`touch`) for the given milliseconds. */
export type IdleSignal = ReturnType<typeof idleSignal>;

export function idleSignal(parent: AbortSignal, milliseconds: number) {
  const controller = new AbortController();
  let expired = false;
  const expire = (): void => {
    expired = true;
    controller.abort(abortError());
  };
  const follow = (): void => controller.abort(abortError());
  let timer = setTimeout(expire, milliseconds);
  if (parent.aborted) follow();
  parent.addEventListener("abort", follow, { once: true });
  const end = (): void => {
    clearTimeout(timer);
    parent.removeEventListener("abort", follow);
  };
  return {
    signal: controller.signal,
    /** Something arrived: the clock restarts. */
    touch: (): void => {
      clearTimeout(timer);
      timer = setTimeout(expire, milliseconds);
    },
    /** The clock stands still until the next `touch`. */
    pause: (): void => clearTimeout(timer),
    /** Whether it was the clock that fired. */
    expired: (): boolean => expired,
    /** Fires now: what is under way is of no more use. */
    abandon: (): void => {
      end();
      controller.abort(abortError());
    },
    /** No more clock and no more listening to `parent`. */
    end,
  };
}

/** Resolves after the given milliseconds; rejects with an `AbortError` as soon as `signal` fires. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortError());
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
