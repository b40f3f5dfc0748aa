/** Cancelling and running out of time. */

export const abortError = (): DOMException => new DOMException("The operation was cancelled.", "AbortError");

const LEAVING = new WeakMap<AbortSignal, Leaving>();

interface Leaving {
  readonly waiting: Set<() => void>;
  readonly leaveAll: () => void;
}

/**
 * Calls `leave` when the signal fires, unless what is returned is called before. However many wait, the signal has one
 * listener: each further one would be compared with all before it.
 */
export function whenAborted(signal: AbortSignal, leave: () => void): () => void {
  const { waiting, leaveAll } = LEAVING.get(signal) ?? newLeaving();
  LEAVING.set(signal, { waiting, leaveAll });
  if (waiting.size === 0) signal.addEventListener("abort", leaveAll, { once: true });
  waiting.add(leave);
  return () => {
    if (waiting.delete(leave) && waiting.size === 0) signal.removeEventListener("abort", leaveAll);
  };
}

function newLeaving(): Leaving {
  const waiting = new Set<() => void>();
  return { waiting, leaveAll: () => [...waiting].forEach((leave) => leave()) };
}

/** Least that is to arrive within so many milliseconds of waiting. */
export interface Pace {
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * A signal that fires when `parent` does, when nothing has been heard (`touch`) for the given milliseconds, or when what
 * arrives is less than the pace.
 */
export type IdleSignal = ReturnType<typeof idleSignal>;

export function idleSignal(parent: AbortSignal, milliseconds: number, pace?: Pace) {
  const controller = new AbortController();
  let expired = false;
  let slow: number | undefined;
  let [since, waited, arrived]: [number | undefined, number, number] = [undefined, 0, 0];
  const count = (bytes: number): void => {
    const now = performance.now();
    [since, waited, arrived] = [now, waited + now - (since ?? now), arrived + bytes];
    if (pace === undefined || waited < pace.milliseconds) return;
    if (arrived < pace.bytes) {
      slow = arrived;
      expire();
    }
    [waited, arrived] = [0, 0];
  };
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
    /** Something arrived, so many bytes of a body: the clock restarts. */
    touch: (bytes = 0): void => {
      count(bytes);
      clearTimeout(timer);
      timer = setTimeout(expire, milliseconds);
    },
    /** So many bytes arrived. The clock stands still until the next `touch`. */
    pause: (bytes = 0): void => {
      count(bytes);
      since = undefined;
      clearTimeout(timer);
    },
    /** Bytes that arrived in the time of a pace, where they were too few. */
    slow: (): number | undefined => slow,
    /** True if the clock fired. */
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
