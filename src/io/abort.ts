/** Cancelling and running out of time. */

export function abortError(): DOMException {
  return new DOMException("The operation was cancelled.", "AbortError");
}

/** A signal that fires when `parent` does, or when nothing has been heard (`touch`) for the given milliseconds. */
export interface IdleSignal {
  readonly signal: AbortSignal;
  /** Something arrived: the clock restarts. */
  touch(): void;
  /** The clock stands still until the next `touch`. */
  pause(): void;
  /** Whether it was the clock that fired. */
  expired(): boolean;
  /** Fires now: what is under way is of no more use. */
  abandon(): void;
  /** No more clock and no more listening to `parent`. */
  end(): void;
}

export function idleSignal(parent: AbortSignal, milliseconds: number): IdleSignal {
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
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(expire, milliseconds);
    },
    pause: () => clearTimeout(timer),
    expired: () => expired,
    abandon: () => {
      end();
      controller.abort(abortError());
    },
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
