/** Runs a task some time after the last call, but not later than a given time after the first. */
export class Timer {
  readonly #task: () => void;
  #handle: ReturnType<typeof setTimeout> | undefined;
  #since = 0;

  constructor(task: () => void) {
    this.#task = task;
  }

  /** Milliseconds; `latest` counts from the first call that the task has not followed yet. */
  restart(after: number, latest = Number.POSITIVE_INFINITY): void {
    const now = performance.now();
    if (this.#handle === undefined) this.#since = now;
    clearTimeout(this.#handle);
    this.#handle = setTimeout(
      () => {
        this.#handle = undefined;
        this.#task();
      },
      Math.max(0, Math.min(after, this.#since + latest - now)),
    );
  }

  stop(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }
}
