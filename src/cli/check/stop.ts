/** Ctrl-C: the first ends the work, so that what was found can be told; the second ends the program. */
export interface Stop {
  readonly signal: AbortSignal;
  /** From now on Ctrl-C ends the program, as elsewhere. */
  readonly forget: () => void;
}

export function stopOnInterrupt(): Stop {
  const stop = new AbortController();
  const onInterrupt = () => {
    console.error("\nStopping. Press Ctrl-C again to end at once.");
    stop.abort();
    forget();
  };
  const forget = () => void process.off("SIGINT", onInterrupt);
  process.on("SIGINT", onInterrupt);
  return { signal: stop.signal, forget };
}
